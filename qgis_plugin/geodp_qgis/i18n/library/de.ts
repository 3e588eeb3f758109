<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="de" sourcelanguage="en">
 <context>
  <name>geodp</name>
  <message>
   <location filename="core/cells/cells.py" />
   <source>a raster needs cells whose edges are edges of pixels; these cells are polygons: write them as a vector layer.</source>
   <translation>Ein Raster braucht Zellen, deren Ränder Ränder von Pixeln sind; diese Zellen sind Polygone: Schreiben Sie sie als Vektorlayer.</translation>
  </message>
  <message>
   <location filename="core/cells/district_cells.py" />
   <source>every district needs a place in the levels.</source>
   <translation>Jeder Bezirk braucht einen Platz in den Ebenen.</translation>
  </message>
  <message>
   <location filename="core/cells/partitions.py" />
   <source>a layer of districts must reach to where records can be; this one lies outside of `within`: leave it out of the choice.</source>
   <translation>eine Ebene von Bezirken muss dorthin reichen, wo Datensätze sein können; diese liegt außerhalb von `within`: lassen Sie sie aus der Auswahl weg.</translation>
  </message>
  <message>
   <location filename="core/common/atomic.py" />
   <source>the name of an output tells its format by one of {1}; got {2}.</source>
   <translation>Der Name einer Ausgabe sagt ihr Format durch eines von {1}; angegeben ist {2}.</translation>
  </message>
  <message>
   <location filename="core/common/atomic.py" />
   <source>an output must be a file; {1} is a folder.</source>
   <translation>Eine Ausgabe muss eine Datei sein; {1} ist ein Ordner.</translation>
  </message>
  <message>
   <location filename="core/common/atomic.py" />
   <source>an output goes into a folder that exists; there is no {1}: make it first (mkdir -p), or choose another.</source>
   <translation>Eine Ausgabe kommt in einen Ordner, den es gibt; es gibt kein {1}: Legen Sie ihn erst an (mkdir -p), oder wählen Sie einen anderen.</translation>
  </message>
  <message>
   <location filename="core/common/atomic.py" />
   <source>an existing file is kept unless you say otherwise; {1} exists: choose another name, or pass `overwrite=True`.</source>
   <translation>Eine vorhandene Datei bleibt, solange Sie nichts anderes sagen; {1} ist vorhanden: Wählen Sie einen anderen Namen, oder geben Sie `overwrite=True` an.</translation>
  </message>
  <message>
   <location filename="core/common/atomic.py" />
   <source>{1} cannot be written: {2}.</source>
   <translation>{1} lässt sich nicht schreiben: {2}.</translation>
  </message>
  <message>
   <location filename="core/common/atomic.py" />
   <source>the disk or the folder refuses it</source>
   <translation>die Festplatte oder der Ordner lässt es nicht zu</translation>
  </message>
  <message>
   <location filename="core/common/atomic.py" />
   <source>the folder {1} cannot be made: {2}.</source>
   <translation>Der Ordner {1} lässt sich nicht anlegen: {2}.</translation>
  </message>
  <message>
   <location filename="core/counts/cell_tally.py" />
   <source>tallies can be added only when they follow the same plan.</source>
   <translation>Zählungen lassen sich nur zusammenzählen, wenn sie demselben Plan folgen.</translation>
  </message>
  <message>
   <location filename="core/counts/cell_tally.py" />
   <source>a tally knows the counts of the cells that were planned alone.</source>
   <translation>Eine Zählung kennt nur die Zahlen der Zellen, die geplant wurden.</translation>
  </message>
  <message>
   <location filename="core/counts/district_tree_tally.py" />
   <source>nodes of one depth must be disjoint: a record is in one of them.</source>
   <translation>Knoten einer Tiefe müssen getrennt sein: Ein Datensatz ist in einem von ihnen.</translation>
  </message>
  <message>
   <location filename="core/counts/grid_tally.py" />
   <source>grids and workload must be on one domain; got {1} and {2}.</source>
   <translation>Gitter und Gebiete müssen im selben Rechteck liegen; angegeben sind {1} und {2}.</translation>
  </message>
  <message>
   <location filename="core/counts/grid_tally.py" />
   <source>a place is a cell of one grid, which is given; this plan has more.</source>
   <translation>Ein Ort ist eine Zelle eines einzigen, gegebenen Gitters; dieser Plan hat mehr.</translation>
  </message>
  <message>
   <location filename="core/counts/grid_tally.py" />
   <source>this tally was made without regions.</source>
   <translation>Diese Zählung wurde ohne Gebiete gemacht.</translation>
  </message>
  <message>
   <location filename="core/counts/group_tally.py" />
   <source>the counts of all groups must fit into {1} MiB; {2} groups of {3} MiB do not: ask for {4} groups at most, or for coarser cells.</source>
   <translation>Die Zahlen aller Gruppen müssen in {1} MiB passen; {2} Gruppen von {3} MiB passen nicht: Verlangen Sie höchstens {4} Gruppen, oder gröbere Zellen.</translation>
  </message>
  <message>
   <location filename="core/counts/node_tally.py" />
   <source>tallies can be added only when they have the same frame.</source>
   <translation>Zählungen lassen sich nur zusammenzählen, wenn sie denselben Rahmen haben.</translation>
  </message>
  <message>
   <location filename="core/counts/tree_tally.py" />
   <source>records with units are added up in a tally of units.</source>
   <translation>Datensätze mit Einheiten werden in einer Zählung von Einheiten addiert.</translation>
  </message>
  <message>
   <location filename="core/districts/district_frame.py" />
   <source>halvings must be a whole number from 0 to {1}.</source>
   <translation>Die Zahl der Halbierungen muss eine ganze Zahl von 0 bis {1} sein.</translation>
  </message>
  <message>
   <location filename="core/districts/district_frame.py" />
   <source>a resolution must be a number from 0; got {1}.</source>
   <translation>Eine Auflösung muss eine Zahl ab 0 sein; angegeben ist {1}.</translation>
  </message>
  <message>
   <location filename="core/districts/district_frame.py" />
   <source>levels of districts must be fewer: their list is halved too often.</source>
   <translation>Ebenen von Bezirken müssen weniger sein: Ihre Liste wird zu oft halbiert.</translation>
  </message>
  <message>
   <location filename="core/districts/district_frame.py" />
   <source>boxes of the finest lattice have no children.</source>
   <translation>Rechtecke des feinsten Gitters haben keine Kinder.</translation>
  </message>
  <message>
   <location filename="core/districts/district_frame.py" />
   <source>children of a node must lie inside of it: a record is in no other.</source>
   <translation>Kinder eines Knotens müssen in ihm liegen: Ein Datensatz ist in keinem anderen.</translation>
  </message>
  <message>
   <location filename="core/districts/district_layer.py" />
   <source>names of districts must be unlike; {1} is there more than once: name another column, or dissolve the layer.</source>
   <translation>Namen von Bezirken müssen verschieden sein; {1} kommt mehrmals vor: Nennen Sie eine andere Spalte, oder lösen Sie die Grenzen im Layer auf.</translation>
  </message>
  <message>
   <location filename="core/districts/district_layer.py" />
   <source>levels end with the districts; leave out the column that names them.</source>
   <translation>Ebenen enden mit den Bezirken; lassen Sie die Spalte weg, die sie benennt.</translation>
  </message>
  <message>
   <location filename="core/districts/district_layer.py" />
   <source>levels need one column at least; got none.</source>
   <translation>Ebenen brauchen mindestens eine Spalte; angegeben ist keine.</translation>
  </message>
  <message>
   <location filename="core/districts/district_layer.py" />
   <source>districts are named by a column of their layer; there is no {1}: the columns are {2}.</source>
   <translation>Bezirke werden durch eine Spalte ihres Layers benannt; es gibt kein {1}: Die Spalten sind {2}.</translation>
  </message>
  <message>
   <location filename="core/districts/district_layer.py" />
   <source>none</source>
   <translation>keine</translation>
  </message>
  <message>
   <location filename="core/districts/district_layer.py" />
   <source>every district needs a value in {1}; one has none: fill it in.</source>
   <translation>Jeder Bezirk braucht einen Wert in {1}; einer hat keinen: Tragen Sie ihn ein.</translation>
  </message>
  <message>
   <location filename="core/districts/district_tree.py" />
   <source>a tree must end with a depth at which no node is split.</source>
   <translation>Ein Baum muss mit einer Tiefe enden, in der kein Knoten geteilt ist.</translation>
  </message>
  <message>
   <location filename="core/districts/district_tree.py" />
   <source>a tree needs a flag for each of the {1} nodes at depth {2}, and must end with the first depth at which no node is split; got {3}.</source>
   <translation>Ein Baum braucht für jeden der {1} Knoten in Tiefe {2} eine Angabe und muss mit der ersten Tiefe enden, in der kein Knoten geteilt ist; angegeben ist {3}.</translation>
  </message>
  <message>
   <location filename="core/districts/district_tree.py" />
   <source>no node of a tree may be split that has nothing below it.</source>
   <translation>Kein Knoten eines Baums darf geteilt sein, unter dem nichts liegt.</translation>
  </message>
  <message>
   <location filename="core/districts/district_tree.py" />
   <source>no node of a tree may be split where no records can be.</source>
   <translation>Kein Knoten eines Baums darf geteilt sein, wo keine Datensätze sein können.</translation>
  </message>
  <message>
   <location filename="core/districts/district_tree.py" />
   <source>the text of a tree must be as it was written; this one was changed.</source>
   <translation>Der Text eines Baums muss sein, wie er geschrieben wurde; dieser wurde geändert.</translation>
  </message>
  <message>
   <location filename="core/districts/districts.py" />
   <source>districts must not overlap; district {1}{2} and district {3}{4} share {5} square units of the layer, {6} % of the smaller one: correct their borders, or leave one of them out.</source>
   <translation>Bezirke dürfen sich nicht überlappen; Bezirk {1}{2} und Bezirk {3}{4} teilen sich {5} Quadrateinheiten des Layers, {6} % des kleineren: Berichtigen Sie ihre Grenzen, oder lassen Sie einen weg.</translation>
  </message>
  <message>
   <location filename="core/districts/districts.py" />
   <source>a layer must have at least one district; it has none.</source>
   <translation>Ein Layer muss mindestens einen Bezirk haben; er hat keinen.</translation>
  </message>
  <message>
   <location filename="core/districts/districts.py" />
   <source>every district needs one name; there are {1} for {2} ids.</source>
   <translation>Jeder Bezirk braucht einen Namen; es gibt {1} für {2} Kennungen.</translation>
  </message>
  <message>
   <location filename="core/districts/districts.py" />
   <source>every district needs an id of its own; {1} is there twice: choose a column whose values are all unlike.</source>
   <translation>Jeder Bezirk braucht eine eigene Kennung; {1} kommt zweimal vor: Wählen Sie eine Spalte, deren Werte alle verschieden sind.</translation>
  </message>
  <message>
   <location filename="core/districts/districts.py" />
   <source>rings need a start, a district and a word on holes each, and one more start at the end; got {1} starts, {2} districts and {3} words.</source>
   <translation>Ringe brauchen je einen Anfang, einen Bezirk und eine Angabe zu Löchern, und am Ende noch einen Anfang; angegeben sind {1} Anfänge, {2} Bezirke und {3} Angaben.</translation>
  </message>
  <message>
   <location filename="core/districts/districts.py" />
   <source>starts of rings must rise from 0 to the number of corners.</source>
   <translation>Anfänge von Ringen müssen von 0 bis zur Zahl der Ecken steigen.</translation>
  </message>
  <message>
   <location filename="core/districts/districts.py" />
   <source>rings must be of districts 0 to {1}, one for each id.</source>
   <translation>Ringe müssen zu Bezirken von 0 bis {1} gehören, einer für jede Kennung.</translation>
  </message>
  <message>
   <location filename="core/districts/districts.py" />
   <source>every district must have a polygon; district {1}{2} is empty: leave it out.</source>
   <translation>Jeder Bezirk muss ein Polygon haben; Bezirk {1}{2} ist leer: Lassen Sie ihn weg.</translation>
  </message>
  <message>
   <location filename="core/districts/districts.py" />
   <source>coordinates of districts must be finite and below 1e150; district {1}{2} has others: correct or remove it.</source>
   <translation>Koordinaten von Bezirken müssen endlich und kleiner als 1e150 sein; Bezirk {1}{2} hat andere: Berichtigen oder entfernen Sie ihn.</translation>
  </message>
  <message>
   <location filename="core/districts/districts.py" />
   <source>every ring of a district must bound an area; district {1}{2} has none in a ring: remove it, or repair the district with `make_valid()`.</source>
   <translation>Jeder Ring eines Bezirks muss eine Fläche umschließen; Bezirk {1}{2} hat in einem Ring keine: Entfernen Sie ihn, oder reparieren Sie den Bezirk mit `make_valid()`.</translation>
  </message>
  <message>
   <location filename="core/districts/districts.py" />
   <source>districts must not overlap; district {1}{2} and district {3}{4} have the same borders: leave one of them out.</source>
   <translation>Bezirke dürfen sich nicht überlappen; Bezirk {1}{2} und Bezirk {3}{4} haben dieselben Grenzen: Lassen Sie einen weg.</translation>
  </message>
  <message>
   <location filename="core/districts/districts.py" />
   <source>ids and names of districts must be text; got a {1}: turn them into text first.</source>
   <translation>Kennungen und Namen von Bezirken müssen Text sein; angegeben ist ein {1}: Machen Sie erst Text daraus.</translation>
  </message>
  <message>
   <location filename="core/districts/districts.py" />
   <source>ids and names of districts must be lines of at most {1} printable characters, as a file can hold them; one is not: mend the layer.</source>
   <translation>Kennungen und Namen von Bezirken müssen Zeilen von höchstens {1} druckbaren Zeichen sein, wie sie eine Datei aufnimmt; eine ist es nicht: Berichtigen Sie den Layer.</translation>
  </message>
  <message>
   <location filename="core/districts/districts.py" />
   <source>a ring must be rows of x and y; one of district {1} has shape {2}.</source>
   <translation>Ein Ring muss aus Zeilen mit x und y bestehen; einer von Bezirk {1} hat die Form {2}.</translation>
  </message>
  <message>
   <location filename="core/districts/districts.py" />
   <source>every district must be a valid polygon; district {1}{2} {3}: repair it with `make_valid()`.</source>
   <translation>Jeder Bezirk muss ein gültiges Polygon sein; Bezirk {1}{2} {3}: Reparieren Sie ihn mit `make_valid()`.</translation>
  </message>
  <message>
   <location filename="core/districts/districts.py" />
   <source>has no area</source>
   <translation>hat keine Fläche</translation>
  </message>
  <message>
   <location filename="core/districts/districts.py" />
   <source>crosses itself</source>
   <translation>schneidet sich selbst</translation>
  </message>
  <message>
   <location filename="core/districts/districts.py" />
   <source>has a hole outside its shell, or parts that cover one another</source>
   <translation>hat ein Loch außerhalb seiner Hülle, oder Teile, die einander überdecken</translation>
  </message>
  <message>
   <location filename="core/districts/districts.py" />
   <source>has edges that lie on one another</source>
   <translation>hat Kanten, die aufeinander liegen</translation>
  </message>
  <message>
   <location filename="core/districts/hexagons.py" />
   <source>the side of a hexagon must be a positive number; got {1}.</source>
   <translation>Die Seite eines Sechsecks muss eine positive Zahl sein; angegeben ist {1}.</translation>
  </message>
  <message>
   <location filename="core/districts/hexagons.py" />
   <source>hexagons must be larger than the rounding of coordinates; {1} is less than 2**-32 of {2}: take larger ones.</source>
   <translation>Sechsecke müssen größer sein als die Rundung der Koordinaten; {1} ist weniger als 2**-32 von {2}: Nehmen Sie größere.</translation>
  </message>
  <message>
   <location filename="core/districts/hexagons.py" />
   <source>a domain may be covered by up to {1} hexagons; sides of {2} make more: take larger ones.</source>
   <translation>Ein Rechteck darf von höchstens {1} Sechsecken bedeckt sein; Seiten von {2} ergeben mehr: Nehmen Sie größere.</translation>
  </message>
  <message>
   <location filename="core/estimates/answers.py" />
   <source>what counts as reliable is a positive share of the estimate, such as 0.5; got {1}.</source>
   <translation>Was als verlässlich gilt, ist ein positiver Anteil der Schätzung, etwa 0,5; angegeben ist {1}.</translation>
  </message>
  <message>
   <location filename="core/estimates/answers.py" />
   <source>level must lie between 0 and 1, both excluded; got {1}.</source>
   <translation>Das Niveau muss zwischen 0 und 1 liegen, beide ausgeschlossen; angegeben ist {1}.</translation>
  </message>
  <message>
   <location filename="core/estimates/direct.py" />
   <source>counts must have one value for each cell; got {1} for {2} cells.</source>
   <translation>Zu jeder Zelle gehört genau eine Zahl; angegeben sind {1} für {2} Zellen.</translation>
  </message>
  <message>
   <location filename="core/estimates/level_estimate.py" />
   <source>every district must be measured; one is not.</source>
   <translation>Jeder Bezirk muss gemessen sein; einer ist es nicht.</translation>
  </message>
  <message>
   <location filename="core/estimates/quantiles.py" />
   <source>a quantile is between 0 and 1, both excluded, and 0.5 is the median; got {1}.</source>
   <translation>Ein Quantil liegt zwischen 0 und 1, beide ausgeschlossen, und 0,5 ist der Median; angegeben ist {1}.</translation>
  </message>
  <message>
   <location filename="core/estimates/queries.py" />
   <source>regions must be a GeoDataFrame, a GeoSeries, the path of a layer, a Workload or rows of xmin, ymin, xmax, ymax; got {1}.</source>
   <translation>Gebiete müssen ein GeoDataFrame, eine GeoSeries, der Pfad eines Layers, ein Workload oder Zeilen aus xmin, ymin, xmax, ymax sein; angegeben ist {1}.</translation>
  </message>
  <message>
   <location filename="core/estimates/queries.py" />
   <source>a rate is of single regions, whose populations are known; got `per` and `total`: leave one of them out.</source>
   <translation>Eine Rate gehört zu einzelnen Gebieten, deren Einwohnerzahlen bekannt sind; angegeben sind `per` und `total`: Lassen Sie eines davon weg.</translation>
  </message>
  <message>
   <location filename="core/estimates/queries.py" />
   <source>`per` must name one column of the regions, with their populations; got {1}: the columns are {2}.</source>
   <translation>`per` muss eine Spalte der Gebiete mit deren Einwohnerzahlen nennen; angegeben ist {1}: Die Spalten sind {2}.</translation>
  </message>
  <message>
   <location filename="core/estimates/queries.py" />
   <source>the column to divide by must hold numbers; {1} holds others: choose another column, or turn it into numbers first.</source>
   <translation>Die Spalte, durch die geteilt wird, muss Zahlen enthalten; {1} enthält anderes: Wählen Sie eine andere Spalte, oder machen Sie erst Zahlen daraus.</translation>
  </message>
  <message>
   <location filename="core/estimates/queries.py" />
   <source>`each` says of how many people a rate is, a positive number such as 1000; got {1}.</source>
   <translation>`each` sagt, auf wie viele Personen sich eine Rate bezieht, eine positive Zahl wie 1000; angegeben ist {1}.</translation>
  </message>
  <message>
   <location filename="core/estimates/queries.py" />
   <source>`total` needs boxes, a layer or its path; got a Workload, which has no more than what lies in the domain.</source>
   <translation>`total` braucht Rechtecke, einen Layer oder dessen Pfad; angegeben ist ein Workload, der nur hat, was im Rechteck liegt.</translation>
  </message>
  <message>
   <location filename="core/estimates/queries.py" />
   <source>regions must be on the release's domain; got {1} for {2}.</source>
   <translation>Gebiete müssen zum Rechteck der Veröffentlichung gehören; angegeben ist {1} statt {2}.</translation>
  </message>
  <message>
   <location filename="core/estimates/queries.py" />
   <source>`total` needs the package shapely, which is not installed: unite the regions first.</source>
   <translation>`total` braucht das Paket shapely, das nicht installiert ist: Vereinigen Sie die Gebiete vorher.</translation>
  </message>
  <message>
   <location filename="core/estimates/queries.py" />
   <source>`per` names a column of a layer of regions, and these have none: divide the answers by the populations, which are public.</source>
   <translation>`per` nennt eine Spalte eines Layers von Gebieten, und diese haben keine: Teilen Sie die Antworten durch die Einwohnerzahlen, die öffentlich sind.</translation>
  </message>
  <message>
   <location filename="core/estimates/tree_answers.py" />
   <source>regions must be on the tree's domain; got {1} for {2}.</source>
   <translation>Gebiete müssen zum Rechteck des Baums gehören; angegeben ist {1} statt {2}.</translation>
  </message>
  <message>
   <location filename="core/forecasts/forecast.py" />
   <source>errors of sums and means are foreseen for districts; got `amount` for other cells: name `districts`, or leave it out.</source>
   <translation>Fehler von Summen und Mitteln werden für Bezirke vorhergesagt; angegeben ist `amount` für andere Zellen: Nennen Sie `districts`, oder lassen Sie es weg.</translation>
  </message>
  <message>
   <location filename="core/forecasts/forecast.py" />
   <source>unevenness must lie between 0 and 3/16; got {1}.</source>
   <translation>Die Ungleichmäßigkeit muss zwischen 0 und 3/16 liegen; angegeben ist {1}.</translation>
  </message>
  <message>
   <location filename="core/forecasts/forecast.py" />
   <source>a forecast needs regions in the domain; all of these lie outside.</source>
   <translation>Eine Vorhersage braucht Gebiete im Rechteck; diese liegen alle außerhalb.</translation>
  </message>
  <message>
   <location filename="core/forecasts/forecast.py" />
   <source>districts are foreseen by themselves, exactly and whatever they hold; got {1} too: leave them out.</source>
   <translation>Bezirke werden für sich vorhergesagt, genau und was sie auch enthalten; angegeben ist auch {1}: Lassen Sie es weg.</translation>
  </message>
  <message>
   <location filename="core/forecasts/forecast.py" />
   <source>the records to expect in a district are one positive number; got {1}: leave it out for several.</source>
   <translation>Die zu erwartenden Datensätze eines Bezirks sind eine positive Zahl; angegeben ist {1}: Lassen Sie es für mehrere weg.</translation>
  </message>
  <message>
   <location filename="core/forecasts/forecast.py" />
   <source>a forecast needs at least one epsilon; none was given.</source>
   <translation>Eine Vorhersage braucht mindestens ein Epsilon; angegeben ist keines.</translation>
  </message>
  <message>
   <location filename="core/forecasts/forecast.py" />
   <source>a forecast needs `cells` of at least one kind; got none.</source>
   <translation>Eine Vorhersage braucht `cells` mindestens einer Art; angegeben ist keine.</translation>
  </message>
  <message>
   <location filename="core/forecasts/forecast.py" />
   <source>a forecast compares adaptive and regular `cells`; got hexagons, whose error is that of their noise alone: about 1.4 records over epsilon, whatever they hold.</source>
   <translation>Eine Vorhersage vergleicht angepasste und regelmäßige `cells`; angegeben sind Sechsecke, deren Fehler der ihres Rauschens allein ist: etwa 1,4 Datensätze durch Epsilon, was sie auch enthalten.</translation>
  </message>
  <message>
   <location filename="core/forecasts/forecast.py" />
   <source>a forecast compares plain adaptive and regular `cells`; got cells inside of districts: leave `districts` out for a forecast.</source>
   <translation>Eine Vorhersage vergleicht einfache angepasste und regelmäßige `cells`; angegeben sind Zellen innerhalb von Bezirken: Lassen Sie `districts` für eine Vorhersage weg.</translation>
  </message>
  <message>
   <location filename="core/forecasts/forecast.py" />
   <source>expected must be a number of records in all, or a column or list with a number from 0 on for each of the {1} regions; got something else.</source>
   <translation>expected muss eine Zahl aller Datensätze sein, oder eine Spalte oder Liste mit einer Zahl ab 0 für jedes der {1} Gebiete; angegeben ist etwas anderes.</translation>
  </message>
  <message>
   <location filename="core/forecasts/forecast.py" />
   <source>expected must be a number of records in all or a column of the regions; there is no {1}: the columns are {2}.</source>
   <translation>expected muss eine Zahl aller Datensätze oder eine Spalte der Gebiete sein; es gibt kein {1}: Die Spalten sind {2}.</translation>
  </message>
  <message>
   <location filename="core/forecasts/forecast.py" />
   <source>expected must be a number from 0 on; got {1}.</source>
   <translation>expected muss eine Zahl ab 0 sein; angegeben ist {1}.</translation>
  </message>
  <message>
   <location filename="core/forecasts/forecast_table.py" />
   <source>At ε = {1} {2} would suit: about ± {3} records for a region{4}.</source>
   <translation>Bei ε = {1} würden {2} passen: etwa ± {3} Datensätze für ein Gebiet{4}.</translation>
  </message>
  <message>
   <location filename="core/forecasts/forecast_table.py" />
   <source>adaptive cells</source>
   <translation>angepasste Zellen</translation>
  </message>
  <message>
   <location filename="core/forecasts/forecast_table.py" />
   <source>cells of {1}</source>
   <translation>Zellen von {1}</translation>
  </message>
  <message>
   <location filename="core/forecasts/forecast_table.py" />
   <source>, typically {1} % of its count</source>
   <translation>, typischerweise {1} % seiner Anzahl</translation>
  </message>
  <message>
   <location filename="core/forecasts/forecast_table.py" />
   <source>The noise of a grid is exact.</source>
   <translation>Das Rauschen eines Gitters ist genau.</translation>
  </message>
  <message>
   <location filename="core/forecasts/forecast_table.py" />
   <source>The whole error assumes records as dense around a region as is expected inside it, and uneven at every scale alike (unevenness {1}); on real data it was mostly right within a factor of two.</source>
   <translation>Der ganze Fehler setzt voraus, dass Datensätze um ein Gebiet so dicht liegen, wie darin erwartet wird, und in jedem Maßstab gleich ungleichmäßig (Ungleichmäßigkeit {1}); an echten Daten stimmte er meist bis auf einen Faktor zwei.</translation>
  </message>
  <message>
   <location filename="core/forecasts/forecast_table.py" />
   <source>Of adaptive cells all is an estimate, from cells that hold some 7/ε records each; on real data it was mostly right within a factor of two, and too high where most of the domain is empty.</source>
   <translation>Bei angepassten Zellen ist alles eine Schätzung, aus Zellen, die je etwa 7/ε Datensätze enthalten; an echten Daten stimmte sie meist bis auf einen Faktor zwei und war zu hoch, wo das Rechteck größtenteils leer ist.</translation>
  </message>
  <message>
   <location filename="core/forecasts/forecast_table.py" />
   <source>Counts get {1} of ε and choosing among the sizes the rest; of a single size they get all.</source>
   <translation>Die Zahlen bekommen {1} von ε und die Wahl unter den Größen den Rest; bei einer einzigen Größe bekommen sie alles.</translation>
  </message>
  <message>
   <location filename="core/forecasts/forecast_table.py" />
   <source>The error from taking records as evenly spread inside cells comes on top; it depends on how many there are: say how many to expect.</source>
   <translation>Der Fehler daraus, Datensätze in Zellen als gleichmäßig verteilt anzunehmen, kommt hinzu; er hängt davon ab, wie viele es sind: Sagen Sie, wie viele zu erwarten sind.</translation>
  </message>
  <message>
   <location filename="core/forecasts/forecast_table.py" />
   <source>Adaptive cells follow the records: nothing is known of them before it is said how many to expect.</source>
   <translation>Angepasste Zellen folgen den Datensätzen: Über sie ist nichts bekannt, bevor gesagt ist, wie viele zu erwarten sind.</translation>
  </message>
  <message>
   <location filename="core/kernel/kernel.py" />
   <source>a kernel holds true counts: it is never copied, sent or written.</source>
   <translation>Ein Kern hält die wahren Zahlen: Er wird nie kopiert, verschickt oder geschrieben.</translation>
  </message>
  <message>
   <location filename="core/kernel/kernel.py" />
   <source>there must be a whole number of noise for each count.</source>
   <translation>Zu jeder Zahl muss es eine ganze Zahl an Rauschen geben.</translation>
  </message>
  <message>
   <location filename="core/kernel/kernel.py" />
   <source>the kernel needs a name for each group of the tally.</source>
   <translation>Der Kern braucht einen Namen für jede Gruppe der Zählung.</translation>
  </message>
  <message>
   <location filename="core/kernel/kernel.py" />
   <source>one unit must move the qualities of a choice by at most 1.</source>
   <translation>Eine Einheit darf die Güten einer Wahl um höchstens 1 ändern.</translation>
  </message>
  <message>
   <location filename="core/kernel/kernel.py" />
   <source>a node without budget cannot be split.</source>
   <translation>Ein Knoten ohne Budget lässt sich nicht teilen.</translation>
  </message>
  <message>
   <location filename="core/kernel/kernel.py" />
   <source>children of a public tree must be disjoint, and in their order.</source>
   <translation>Kinder eines öffentlichen Baums müssen getrennt sein und in ihrer Reihenfolge stehen.</translation>
  </message>
  <message>
   <location filename="core/kernel/kernel.py" />
   <source>a share of ε is a positive fraction; got {1}.</source>
   <translation>Ein Anteil von ε ist ein positiver Bruch; angegeben ist {1}.</translation>
  </message>
  <message>
   <location filename="core/kernel/kernel.py" />
   <source>{1} of ε was asked for where {2} is left: ask for less.</source>
   <translation>{1} von ε wurde verlangt, wo {2} übrig ist: Verlangen Sie weniger.</translation>
  </message>
  <message>
   <location filename="core/kernel/kernel.py" />
   <source>a kernel can be asked for the nodes that it gave out, and no others.</source>
   <translation>Ein Kern kann nur nach Knoten gefragt werden, die er herausgegeben hat.</translation>
  </message>
  <message>
   <location filename="core/kernel/kernel.py" />
   <source>nodes must be named by their positions, each once and in their order.</source>
   <translation>Knoten müssen mit ihren Plätzen genannt werden, jeder einmal und in ihrer Reihenfolge.</translation>
  </message>
  <message>
   <location filename="core/kernel/kernel.py" />
   <source>nodes have too many different amounts left: share ε more evenly.</source>
   <translation>Von Knoten ist zu verschieden viel übrig: Verteilen Sie ε gleichmäßiger.</translation>
  </message>
  <message>
   <location filename="core/kernel/kernel.py" />
   <source>the noise of a release must come from the operating system.</source>
   <translation>Das Rauschen einer Veröffentlichung muss vom Betriebssystem kommen.</translation>
  </message>
  <message>
   <location filename="core/kernel/measurements.py" />
   <source>every measurement needs a node, a value and a scale.</source>
   <translation>Jede Messung braucht einen Knoten, einen Wert und eine Skala.</translation>
  </message>
  <message>
   <location filename="core/kernel/measurements.py" />
   <source>a measurement holds one draw of noise at least, and its units are one at least; got {1} and {2}.</source>
   <translation>Eine Messung enthält mindestens einmal Rauschen und hat mindestens eine Einheit; angegeben sind {1} und {2}.</translation>
  </message>
  <message>
   <location filename="core/kernel/measurements.py" />
   <source>the scale of the noise must be positive and fit into 64 bits.</source>
   <translation>Die Skala des Rauschens muss positiv sein und in 64 Bit passen.</translation>
  </message>
  <message>
   <location filename="core/kernel/measurements.py" />
   <source>measurements must name nodes and scales by numbers from 0.</source>
   <translation>Messungen müssen Knoten und Skalen durch Zahlen ab 0 nennen.</translation>
  </message>
  <message>
   <location filename="core/kernel/measurements.py" />
   <source>every measurement must name one of the scales.</source>
   <translation>Jede Messung muss eine der Skalen nennen.</translation>
  </message>
  <message>
   <location filename="core/kernel/measurements.py" />
   <source>counts must be whole numbers of at most 64 bits with a sign; got {1}.</source>
   <translation>Die Zahlen müssen ganze Zahlen mit Vorzeichen und höchstens 64 Bit sein; angegeben ist {1}.</translation>
  </message>
  <message>
   <location filename="core/kernel/measurements.py" />
   <source>counts must have one value for each cell, in the grid's shape; got {1} for {2}.</source>
   <translation>Zu jeder Zelle gehört genau eine Zahl, in der Form des Gitters; angegeben ist {1} statt {2}.</translation>
  </message>
  <message>
   <location filename="core/kernel/measurements.py" />
   <source>measurements must be of nodes of the tree; one is of no node.</source>
   <translation>Messungen müssen zu Knoten des Baums gehören; eine gehört zu keinem.</translation>
  </message>
  <message>
   <location filename="core/kernel/measurements.py" />
   <source>measurements add up only where they are of the same nodes.</source>
   <translation>Messungen lassen sich nur zusammenzählen, wenn sie dieselben Knoten haben.</translation>
  </message>
  <message>
   <location filename="core/kernel/measurements.py" />
   <source>measurements must be of nodes where records can be; one is not.</source>
   <translation>Messungen müssen zu Knoten gehören, wo Datensätze sein können; eine tut es nicht.</translation>
  </message>
  <message>
   <location filename="core/kernel/measurements.py" />
   <source>every final cell of a tree must be measured; one is not.</source>
   <translation>Jede letzte Zelle eines Baums muss gemessen sein; eine ist es nicht.</translation>
  </message>
  <message>
   <location filename="core/kernel/measurements.py" />
   <source>the text of measurements must be as it was written; this one was changed.</source>
   <translation>Der Text von Messungen muss sein, wie er geschrieben wurde; dieser wurde geändert.</translation>
  </message>
  <message>
   <location filename="core/mechanisms/scores.py" />
   <source>n0 must be at least 1/delta = {1}; got {2}.</source>
   <translation>n0 muss mindestens 1/delta = {1} sein; angegeben ist {2}.</translation>
  </message>
  <message>
   <location filename="core/mechanisms/tuners.py" />
   <source>tuner must be one of {1}; got {2}.</source>
   <translation>tuner muss eines von {1} sein; angegeben ist {2}.</translation>
  </message>
  <message>
   <location filename="core/mechanisms/tuners.py" />
   <source>{1} must lie between 0 and 1, both excluded; got {2}.</source>
   <translation>{1} muss zwischen 0 und 1 liegen, beide ausgeschlossen; angegeben ist {2}.</translation>
  </message>
  <message>
   <location filename="core/mechanisms/tuners.py" />
   <source>delta</source>
   <translation>delta</translation>
  </message>
  <message>
   <location filename="core/mechanisms/tuners.py" />
   <source>beta</source>
   <translation>beta</translation>
  </message>
  <message>
   <location filename="core/mechanisms/tuners.py" />
   <source>sketch_share</source>
   <translation>sketch_share</translation>
  </message>
  <message>
   <location filename="core/mechanisms/tuners.py" />
   <source>score must be 'relative' or 'absolute'; got {1}.</source>
   <translation>score muss 'relative' oder 'absolute' sein; angegeben ist {1}.</translation>
  </message>
  <message>
   <location filename="core/mechanisms/tuners.py" />
   <source>sensitivity must be 'response', 'max_alpha' or 'max_grid'; got {1}.</source>
   <translation>sensitivity muss 'response', 'max_alpha' oder 'max_grid' sein; angegeben ist {1}.</translation>
  </message>
  <message>
   <location filename="core/pictures/sheet.py" />
   <source>an inset has four edges, xmin ymin xmax ymax; got {1}.</source>
   <translation>Ein Ausschnitt hat vier Ränder, xmin ymin xmax ymax; angegeben sind {1}.</translation>
  </message>
  <message>
   <location filename="core/pictures/sheet.py" />
   <source>an inset must be a box xmin ymin xmax ymax inside the extent {1}; got {2}.</source>
   <translation>Ein Ausschnitt muss ein Rechteck xmin ymin xmax ymax in der Ausdehnung {1} sein; angegeben ist {2}.</translation>
  </message>
  <message>
   <location filename="core/pictures/sheet.py" />
   <source>an inset must be at most {1} times as long as it is wide; give one that is nearer to a square.</source>
   <translation>Ein Ausschnitt darf höchstens {1}-mal so lang wie breit sein; geben Sie einen an, der näher an einem Quadrat ist.</translation>
  </message>
  <message>
   <location filename="core/pipeline/choice_kind.py" />
   <source>a candidate of a choice must be districts, hexagons, H3 or a grid; got a {1}.</source>
   <translation>Unter den möglichen Zellen dürfen Bezirke, Sechsecke, H3 oder ein Gitter sein; angegeben ist ein {1}.</translation>
  </message>
  <message>
   <location filename="core/pipeline/choice_kind.py" />
   <source>candidates of a choice have no `levels`; got some: leave them out.</source>
   <translation>Zellen zur Wahl haben keine `levels`; angegeben sind welche: Lassen Sie sie weg.</translation>
  </message>
  <message>
   <location filename="core/pipeline/choice_kind.py" />
   <source>candidates of a choice share one domain, which says where records can be; got `within` for one of them: pass it to `Domain`.</source>
   <translation>Zellen zur Wahl teilen sich ein Gebiet, das sagt, wo Datensätze sein können; `within` ist für eine davon angegeben: Geben Sie es mit `Domain` an.</translation>
  </message>
  <message>
   <location filename="core/pipeline/choice_kind.py" />
   <source>candidates of a choice must be a list; got a {1}.</source>
   <translation>Zellen zur Wahl müssen eine Liste sein; angegeben ist ein {1}.</translation>
  </message>
  <message>
   <location filename="core/pipeline/choice_kind.py" />
   <source>a choice needs two candidates at least; got one: ask for it alone.</source>
   <translation>Eine Wahl braucht mindestens zwei Möglichkeiten; angegeben ist eine: Verlangen Sie sie allein.</translation>
  </message>
  <message>
   <location filename="core/pipeline/district_kind.py" />
   <source>levels of districts must be a list of columns; got {1}.</source>
   <translation>Ebenen von Bezirken müssen eine Liste von Spalten sein; angegeben ist {1}.</translation>
  </message>
  <message>
   <location filename="core/pipeline/guard.py" />
   <source>{1}, or say with `force=True` that it is meant.</source>
   <translation>{1}, oder sagen Sie mit `force=True`, dass es so gemeint ist.</translation>
  </message>
  <message>
   <location filename="core/pipeline/guard.py" />
   <source>bounds must be in units of the CRS; {1} look like degrees, and {2} is projected: give them as its coordinates</source>
   <translation>Die Ausdehnung muss in Einheiten des KBS angegeben sein; {1} sehen wie Grad aus, und {2} ist projiziert: Geben Sie seine Koordinaten an</translation>
  </message>
  <message>
   <location filename="core/pipeline/guard.py" />
   <source>the domain must lie where its CRS is used; {1} is for {2}° {3} to {4}° {5} and {6}° {7} to {8}° {9}, and {10} lies far from there: check the order of the bounds, and the CRS</source>
   <translation>Das Rechteck muss dort liegen, wo sein KBS gebraucht wird; {1} ist für {2}° {3} bis {4}° {5} und {6}° {7} bis {8}° {9}, und {10} liegt weit davon entfernt: Prüfen Sie die Reihenfolge der Zahlen und das KBS</translation>
  </message>
  <message>
   <location filename="core/pipeline/guard.py" />
   <source>a domain should be at least {1} m wide and high; this one is {2}: check the bounds and the units of {3}</source>
   <translation>Ein Rechteck sollte mindestens {1} m breit und hoch sein; dieses ist {2}: Prüfen Sie die Ausdehnung und die Einheiten von {3}</translation>
  </message>
  <message>
   <location filename="core/pipeline/guard.py" />
   <source>{1} × {2} m</source>
   <translation>{1} × {2} m</translation>
  </message>
  <message>
   <location filename="core/pipeline/guard.py" />
   <source>{1} × {2} degrees</source>
   <translation>{1} × {2} Grad</translation>
  </message>
  <message>
   <location filename="core/pipeline/guard.py" />
   <source>{1} × {2} km</source>
   <translation>{1} × {2} km</translation>
  </message>
  <message>
   <location filename="core/pipeline/guard.py" />
   <source>epsilon above {1} promises next to nothing; got {2}: choose a smaller one</source>
   <translation>Epsilon über {1} verspricht so gut wie nichts; angegeben ist {2}: Wählen Sie ein kleineres</translation>
  </message>
  <message>
   <location filename="core/pipeline/guard.py" />
   <source>epsilon below {1} leaves noise alone, of hundreds of thousands of records in any count whatever its cells; got {2}: choose a larger one</source>
   <translation>Epsilon unter {1} lässt nur Rauschen übrig, von Hunderttausenden Datensätzen in jeder Zahl, was die Zellen auch sind; angegeben ist {2}: Wählen Sie ein größeres</translation>
  </message>
  <message>
   <location filename="core/pipeline/guard.py" />
   <source>cells must hold enough records to stand out of the noise; even the largest of these would need some {1} records in all at this epsilon: use larger cells, or a larger epsilon</source>
   <translation>Zellen müssen genug Datensätze enthalten, um aus dem Rauschen herauszuragen; selbst die größten von diesen bräuchten bei diesem Epsilon insgesamt etwa {1} Datensätze: Nehmen Sie größere Zellen oder ein größeres Epsilon</translation>
  </message>
  <message>
   <location filename="core/pipeline/h3_kind.py" />
   <source>resolutions of H3 must be one at least, each of them once; got {1}: list those to choose from.</source>
   <translation>Auflösungen von H3 müssen mindestens eine sein, jede einmal; angegeben ist {1}: Listen Sie die auf, unter denen gewählt wird.</translation>
  </message>
  <message>
   <location filename="core/pipeline/h3_kind.py" />
   <source>`workload` and `tuning_share` are for a choice of resolutions; got one: leave them out, or list several.</source>
   <translation>`workload` und `tuning_share` sind für eine Wahl von Auflösungen; angegeben ist eine: Lassen Sie sie weg, oder nennen Sie mehrere.</translation>
  </message>
  <message>
   <location filename="core/pipeline/h3_kind.py" />
   <source>a resolution of H3 must be a whole number from 0 to {1}; got {2}.</source>
   <translation>Eine Auflösung von H3 muss eine ganze Zahl von 0 bis {1} sein; angegeben ist {2}.</translation>
  </message>
  <message>
   <location filename="core/pipeline/kinds.py" />
   <source>`cells` must be 'adaptive', 'regular', `Adaptive(…)`, `Regular(…)`, `Hexagons(…)`, `H3(…)` or districts; got {1}.</source>
   <translation>`cells` muss 'adaptive', 'regular', `Adaptive(…)`, `Regular(…)`, `Hexagons(…)`, `H3(…)` oder Bezirke sein; angegeben ist {1}.</translation>
  </message>
  <message>
   <location filename="core/pipeline/kinds.py" />
   <source>a {1}</source>
   <translation>ein {1}</translation>
  </message>
  <message>
   <location filename="core/pipeline/kinds.py" />
   <source>`workload` must be a Workload, a GeoDataFrame, a GeoSeries, the path of a layer or rows of xmin, ymin, xmax, ymax; got a {1}.</source>
   <translation>`workload` muss ein Workload, ein GeoDataFrame, eine GeoSeries, der Pfad eines Layers oder Zeilen aus xmin, ymin, xmax, ymax sein; angegeben ist ein {1}.</translation>
  </message>
  <message>
   <location filename="core/pipeline/kinds.py" />
   <source>`cells` must be 'adaptive' or 'regular'; got {1}.</source>
   <translation>`cells` muss 'adaptive' oder 'regular' sein; angegeben ist {1}.</translation>
  </message>
  <message>
   <location filename="core/pipeline/kinds.py" />
   <source>a public domain is needed; none was given: pass `Domain(bounds, crs)`, or grids. It is never read off the points, because that would tell where the outermost were.</source>
   <translation>Ein öffentliches Rechteck wird gebraucht; angegeben ist keines: Geben Sie `Domain(bounds, crs)` oder Gitter an. Es wird nie von den Punkten abgelesen, denn das würde verraten, wo die äußersten waren.</translation>
  </message>
  <message>
   <location filename="core/pipeline/kinds.py" />
   <source>`{1}` must be a list; got a {2}.</source>
   <translation>`{1}` muss eine Liste sein; angegeben ist ein {2}.</translation>
  </message>
  <message>
   <location filename="core/pipeline/kinds.py" />
   <source>`resolution` must be a positive number; got {1}.</source>
   <translation>`resolution` muss eine positive Zahl sein; angegeben ist {1}.</translation>
  </message>
  <message>
   <location filename="core/pipeline/kinds.py" />
   <source>`resolution` must be at most the shorter side of the domain, {1}; got {2}: use a finer one.</source>
   <translation>`resolution` darf höchstens die kürzere Seite des Rechtecks sein, {1}; angegeben ist {2}: Nehmen Sie eine feinere.</translation>
  </message>
  <message>
   <location filename="core/pipeline/kinds.py" />
   <source>candidates are given in one way; got {1}: choose one.</source>
   <translation>Mögliche Gitter werden auf eine Art angegeben; angegeben sind {1}: Wählen Sie eine.</translation>
  </message>
  <message>
   <location filename="core/pipeline/kinds.py" />
   <source>the grids must be on the given domain; got {1} and {2}.</source>
   <translation>Die Gitter müssen im angegebenen Rechteck liegen; angegeben sind {1} und {2}.</translation>
  </message>
  <message>
   <location filename="core/pipeline/kinds.py" />
   <source>`{1}` is for {2} `cells`, and these are {3}: leave one of them out.</source>
   <translation>`{1}` ist für {2} `cells`, und diese sind {3}: Lassen Sie eines davon weg.</translation>
  </message>
  <message>
   <location filename="core/pipeline/kinds.py" />
   <source>`cell_sizes` must be numbers, in CRS units; one is a {1}.</source>
   <translation>`cell_sizes` müssen Zahlen sein, in Einheiten des KBS; eine ist ein {1}.</translation>
  </message>
  <message>
   <location filename="core/pipeline/kinds.py" />
   <source>`share` is for `districts`, and none were given: leave it out.</source>
   <translation>`share` ist für `districts`, und angegeben sind keine: Lassen Sie es weg.</translation>
  </message>
  <message>
   <location filename="core/pipeline/kinds.py" />
   <source>`share` must lie between 0 and 1; got {1}.</source>
   <translation>`share` muss zwischen 0 und 1 liegen; angegeben ist {1}.</translation>
  </message>
  <message>
   <location filename="core/pipeline/mechanism.py" />
   <source>people count at places where cells are fixed: districts, hexagons or one grid; these cells are chosen by the data: name such cells, or leave out `place` and `visits`.</source>
   <translation>Personen zählen an Orten, wo Zellen feststehen: Bezirke, Sechsecke oder ein einziges Gitter; diese Zellen werden nach den Daten gewählt: Nennen Sie solche Zellen, oder lassen Sie `place` und `visits` weg.</translation>
  </message>
  <message>
   <location filename="core/pipeline/mechanism.py" />
   <source>nobody can visit more cells than there are; got `visits` of {1} for {2}: choose fewer, since noise grows with them.</source>
   <translation>Niemand kann mehr Zellen besuchen, als es gibt; angegeben ist `visits` mit {1} bei {2}: Wählen Sie weniger, denn das Rauschen wächst damit.</translation>
  </message>
  <message>
   <location filename="core/pipeline/mechanism.py" />
   <source>districts say where records are counted; got a domain too: leave it out.</source>
   <translation>Bezirke sagen, wo Datensätze gezählt werden; angegeben ist auch ein Rechteck: Lassen Sie es weg.</translation>
  </message>
  <message>
   <location filename="core/pipeline/mechanism.py" />
   <source>the frame must be on the given domain; got {1} and {2}.</source>
   <translation>Der Rahmen muss im angegebenen Rechteck liegen; angegeben sind {1} und {2}.</translation>
  </message>
  <message>
   <location filename="core/pipeline/mechanism.py" />
   <source>visitors are counted in districts of one level, since those of larger units are not the sum of theirs; got levels: leave out `levels`, or `visits`.</source>
   <translation>Besucher werden in Bezirken einer einzigen Ebene gezählt, denn die größerer Einheiten sind nicht deren Summe; angegeben sind Ebenen: Lassen Sie `levels` weg, oder `visits`.</translation>
  </message>
  <message>
   <location filename="core/pipeline/pipeline.py" />
   <source>an error must not tell anything about the records, so why this release could not be finished is not told: nothing was released, and what an account has booked stays booked; see to memory, disk and workers, and try again.</source>
   <translation>Ein Fehler darf nichts über die Datensätze verraten, daher wird nicht gesagt, warum diese Veröffentlichung nicht fertig wurde: Nichts wurde veröffentlicht, und was ein Konto verbucht hat, bleibt verbucht; prüfen Sie Speicher, Festplatte und Prozesse, und versuchen Sie es noch einmal.</translation>
  </message>
  <message>
   <location filename="core/pipeline/pipeline.py" />
   <source>seed must be a whole number; got a {1}.</source>
   <translation>Der Startwert muss eine ganze Zahl sein; angegeben ist ein {1}.</translation>
  </message>
  <message>
   <location filename="core/pipeline/pipeline.py" />
   <source>noise must be 'geodp' or 'opendp'; got {1}.</source>
   <translation>noise muss 'geodp' oder 'opendp' sein; angegeben ist {1}.</translation>
  </message>
  <message>
   <location filename="core/pipeline/pipeline.py" />
   <source>account must be one of a ledger, `Ledger(path)[name]`; got {1}.</source>
   <translation>account muss eines eines Kassenbuchs sein, `Ledger(path)[name]`; angegeben ist {1}.</translation>
  </message>
  <message>
   <location filename="core/privacy/account.py" />
   <source>a dataset must be registered before it is released; the ledger has no {1}: register it with a cap.</source>
   <translation>Ein Datenbestand muss vor seiner Veröffentlichung eingetragen sein; das Kassenbuch hat kein {1}: Tragen Sie ihn mit einer Obergrenze ein.</translation>
  </message>
  <message>
   <location filename="core/privacy/account.py" />
   <source>a spend says what it is about; pass a Unit, got {1}.</source>
   <translation>Eine Ausgabe sagt, wofür sie ist; gebraucht wird eine Unit, angegeben ist {1}.</translation>
  </message>
  <message>
   <location filename="core/privacy/account.py" />
   <source>an account adds up ε for one unit, which its first spend sets; that of {1} is {2}, and this would be for {3}: release for the same unit, or register an account for the other.</source>
   <translation>Ein Konto zählt ε für eine einzige Einheit zusammen, die seine erste Ausgabe festlegt; die von {1} ist: {2}, und die dieser wäre: {3}; veröffentlichen Sie für dieselbe Einheit, oder tragen Sie ein Konto für die andere ein.</translation>
  </message>
  <message>
   <location filename="core/privacy/account.py" />
   <source>one record</source>
   <translation>ein Datensatz</translation>
  </message>
  <message>
   <location filename="core/privacy/account.py" />
   <source>one feature, at most 1 point</source>
   <translation>ein Objekt, höchstens 1 Punkt</translation>
  </message>
  <message>
   <location filename="core/privacy/account.py" />
   <source>one feature, at most {1} points</source>
   <translation>ein Objekt, höchstens {1} Punkte</translation>
  </message>
  <message>
   <location filename="core/privacy/account.py" />
   <source>one person, at most 1 record</source>
   <translation>eine Person, höchstens 1 Datensatz</translation>
  </message>
  <message>
   <location filename="core/privacy/account.py" />
   <source>one person, at most {1} records</source>
   <translation>eine Person, höchstens {1} Datensätze</translation>
  </message>
  <message>
   <location filename="core/privacy/account.py" />
   <source>one person, spread over their records</source>
   <translation>eine Person, verteilt auf ihre Datensätze</translation>
  </message>
  <message>
   <location filename="core/privacy/account.py" />
   <source>, by the field {1}</source>
   <translation>, nach dem Feld {1}</translation>
  </message>
  <message>
   <location filename="core/privacy/account.py" />
   <source>, replaced by another</source>
   <translation>, durch anderes ersetzt</translation>
  </message>
  <message>
   <location filename="core/privacy/account.py" />
   <source>releases of {1} may spend {2} in all; {3} is spent and {4} more would pass the cap: use at most {5}.</source>
   <translation>Veröffentlichungen von {1} dürfen insgesamt {2} ausgeben; {3} ist ausgegeben, und {4} mehr würde die Obergrenze überschreiten: Nehmen Sie höchstens {5}.</translation>
  </message>
  <message>
   <location filename="core/privacy/account.py" />
   <source>an amount in a ledger must be a fraction of two numbers of at most 400 digits; got one with more: round it.</source>
   <translation>Ein Betrag in einem Kassenbuch muss ein Bruch aus zwei Zahlen von höchstens 400 Ziffern sein; dieser hat mehr: Runden Sie ihn.</translation>
  </message>
  <message>
   <location filename="core/privacy/account.py" />
   <source>{1} must be text that UTF-8 can write; got {2}.</source>
   <translation>{1} muss Text sein, den UTF-8 schreiben kann; angegeben ist {2}.</translation>
  </message>
  <message>
   <location filename="core/privacy/budget.py" />
   <source>{1} must be a finite number; got {2}.</source>
   <translation>{1} muss eine endliche Zahl sein; angegeben ist {2}.</translation>
  </message>
  <message>
   <location filename="core/privacy/budget.py" />
   <source>epsilon must be greater than 0; got {1}.</source>
   <translation>Epsilon muss größer als 0 sein; angegeben ist {1}.</translation>
  </message>
  <message>
   <location filename="core/privacy/budget.py" />
   <source>epsilon must be at most {1}; got a larger one.</source>
   <translation>Epsilon darf höchstens {1} sein; angegeben ist ein größeres.</translation>
  </message>
  <message>
   <location filename="core/privacy/budget.py" />
   <source>a share must lie between 0 and 1, both excluded; got {1}.</source>
   <translation>Ein Anteil muss zwischen 0 und 1 liegen, beide ausgeschlossen; angegeben ist {1}.</translation>
  </message>
  <message>
   <location filename="core/privacy/composition.py" />
   <source>delta must lie between 0 and 1, both excluded; got {1}.</source>
   <translation>delta muss zwischen 0 und 1 liegen, beide ausgeschlossen; angegeben ist {1}.</translation>
  </message>
  <message>
   <location filename="core/privacy/composition.py" />
   <source>every epsilon must be greater than 0; one is not.</source>
   <translation>Jedes Epsilon muss größer als 0 sein; eines ist es nicht.</translation>
  </message>
  <message>
   <location filename="core/privacy/ledger.py" />
   <source>{1} is not a geodp ledger; it was left as it is: name another file.</source>
   <translation>{1} ist kein Kassenbuch von geodp; es blieb, wie es ist: Nennen Sie eine andere Datei.</translation>
  </message>
  <message>
   <location filename="core/privacy/ledger.py" />
   <source>this geodp reads ledgers of version {1}; {2} has version {3}: use the geodp that wrote it.</source>
   <translation>Dieses geodp liest Kassenbücher der Version {1}; {2} hat Version {3}: Nehmen Sie das geodp, das es geschrieben hat.</translation>
  </message>
  <message>
   <location filename="core/privacy/ledger.py" />
   <source>a dataset needs a name; got {1}.</source>
   <translation>Ein Datenbestand braucht einen Namen; angegeben ist {1}.</translation>
  </message>
  <message>
   <location filename="core/privacy/ledger.py" />
   <source>the ledger must exist; there is no {1}: register a dataset first.</source>
   <translation>Das Kassenbuch muss vorhanden sein; es gibt kein {1}: Tragen Sie erst einen Datenbestand ein.</translation>
  </message>
  <message>
   <location filename="core/privacy/ledger.py" />
   <source>a ledger needs a folder that can be synced to the disk; {1} cannot be: {2}.</source>
   <translation>Ein Kassenbuch braucht einen Ordner, der sich auf die Festplatte sichern lässt; {1} lässt sich nicht sichern: {2}.</translation>
  </message>
  <message>
   <location filename="core/privacy/ledger.py" />
   <source>a dataset is registered once and keeps its cap; {1} is there already.</source>
   <translation>Ein Datenbestand wird einmal eingetragen und behält seine Obergrenze; {1} ist schon da.</translation>
  </message>
  <message>
   <location filename="core/privacy/ledger.py" />
   <source>the ledger {1} cannot be used: {2}.</source>
   <translation>Das Kassenbuch {1} lässt sich nicht benutzen: {2}.</translation>
  </message>
  <message>
   <location filename="core/privacy/ledger.py" />
   <source>{1} is damaged or is not a geodp ledger; it was left as it is: restore it from a backup or name another file.</source>
   <translation>{1} ist beschädigt oder kein Kassenbuch von geodp; es blieb, wie es ist: Stellen Sie es aus einer Sicherung wieder her, oder nennen Sie eine andere Datei.</translation>
  </message>
  <message>
   <location filename="core/privacy/noise.py" />
   <source>every step needs an epsilon between 0.000000001 and 1000000000 for each record that neighbours differ in; {1} is out of the range: change epsilon.</source>
   <translation>Jeder Schritt braucht ein Epsilon zwischen 0,000000001 und 1000000000 für jeden Datensatz, in dem sich Nachbarn unterscheiden; {1} liegt außerhalb: Ändern Sie Epsilon.</translation>
  </message>
  <message>
   <location filename="core/privacy/noise.py" />
   <source>OpenDP draws its own randomness; leave out the seed, or `noise='opendp'`.</source>
   <translation>OpenDP zieht seinen Zufall selbst; lassen Sie den Startwert weg, oder `noise='opendp'`.</translation>
  </message>
  <message>
   <location filename="core/privacy/noise.py" />
   <source>`noise='opendp'` needs the package opendp, which is not installed: install it with the extra geodp[opendp].</source>
   <translation>`noise='opendp'` braucht das Paket opendp, das nicht installiert ist: Installieren Sie es mit dem Zusatz geodp[opendp].</translation>
  </message>
  <message>
   <location filename="core/privacy/protection.py" />
   <source>protect must be `Record()`, `Feature(max_points=…)` or `Person(field)`; got {1}.</source>
   <translation>protect muss `Record()`, `Feature(max_points=…)` oder `Person(field)` sein; angegeben ist {1}.</translation>
  </message>
  <message>
   <location filename="core/privacy/protection.py" />
   <source>a person is told by the name of a field; got {1}: give arrays with names, such as `{'x': x, 'y': y, 'who': ids}`, and the name of the one with the ids.</source>
   <translation>Eine Person wird am Namen eines Feldes erkannt; angegeben ist {1}: Geben Sie Felder mit Namen an, etwa `{'x': x, 'y': y, 'who': ids}`, und den Namen dessen mit den Kennungen.</translation>
  </message>
  <message>
   <location filename="core/privacy/protection.py" />
   <source>`place` must be {1}, or left out; got {2}.</source>
   <translation>`place` muss {1} sein oder wegbleiben; angegeben ist {2}.</translation>
  </message>
  <message>
   <location filename="core/privacy/protection.py" />
   <source>a person counts in one way; got more than one of `max_records`, `place` and `visits`: give one of them, or none.</source>
   <translation>Eine Person zählt auf eine Art; angegeben ist mehr als eines von `max_records`, `place` und `visits`: Geben Sie eines davon an oder keines.</translation>
  </message>
  <message>
   <location filename="core/privacy/protection.py" />
   <source>`{1}` must be a whole number of at least 1; got {2}.</source>
   <translation>`{1}` muss eine ganze Zahl ab 1 sein; angegeben ist {2}.</translation>
  </message>
  <message>
   <location filename="core/privacy/quantity.py" />
   <source>a quantity is of records, people or visitors; got {1}.</source>
   <translation>Gezählt werden Datensätze, Personen oder Besucher; angegeben ist {1}.</translation>
  </message>
  <message>
   <location filename="core/privacy/quantity.py" />
   <source>units must be a whole number from 1 to {1}; got {2}.</source>
   <translation>Einheiten müssen eine ganze Zahl von 1 bis {1} sein; angegeben ist {2}.</translation>
  </message>
  <message>
   <location filename="core/privacy/quantity.py" />
   <source>units must be a whole number; got {1}.</source>
   <translation>Einheiten müssen eine ganze Zahl sein; angegeben ist {1}.</translation>
  </message>
  <message>
   <location filename="core/privacy/unit.py" />
   <source>a unit is a record, a feature or a person; got {1}.</source>
   <translation>Eine Einheit ist Datensatz, Objekt oder Person; angegeben ist {1}.</translation>
  </message>
  <message>
   <location filename="core/privacy/unit.py" />
   <source>neighbours must be 'add-remove' or 'replace'; got {1}.</source>
   <translation>neighbours muss 'add-remove' oder 'replace' sein; angegeben ist {1}.</translation>
  </message>
  <message>
   <location filename="core/privacy/unit.py" />
   <source>a field tells persons apart, by its name; got {1} for a {2}.</source>
   <translation>Ein Feld unterscheidet Personen, durch seinen Namen; angegeben ist {1} für {2}.</translation>
  </message>
  <message>
   <location filename="core/privacy/unit.py" />
   <source>`max_records` must be a whole number of at least 1, and 1 for a record; got {1}.</source>
   <translation>`max_records` muss eine ganze Zahl ab 1 sein, und 1 für einen Datensatz; angegeben ist {1}.</translation>
  </message>
  <message>
   <location filename="core/publish/metadata.py" />
   <source>this release was changed or cut short after it was written: its checksum does not match its contents; get the original file.</source>
   <translation>Diese Veröffentlichung wurde nach dem Schreiben geändert oder abgeschnitten: Ihre Prüfsumme passt nicht zu ihrem Inhalt; besorgen Sie die Originaldatei.</translation>
  </message>
  <message>
   <location filename="core/publish/metadata.py" />
   <source>this is not a geodp release: it does not carry the GEODP tags of one.</source>
   <translation>Das ist keine Veröffentlichung von geodp: Es trägt nicht die GEODP-Kennzeichen einer solchen.</translation>
  </message>
  <message>
   <location filename="core/publish/metadata.py" />
   <source>this geodp reads releases of format {1}; the file has another format: use the version of geodp that wrote it, or a newer one.</source>
   <translation>Dieses geodp liest Veröffentlichungen im Format {1}; die Datei hat ein anderes Format: Nehmen Sie die Version von geodp, die sie geschrieben hat, oder eine neuere.</translation>
  </message>
  <message>
   <location filename="core/publish/metadata.py" />
   <source>a release has at most {1} counts; this file has more.</source>
   <translation>Eine Veröffentlichung hat höchstens {1} Zahlen; diese Datei hat mehr.</translation>
  </message>
  <message>
   <location filename="core/publish/metadata.py" />
   <source>the counts of a release are whole numbers; this file holds others.</source>
   <translation>Die Zahlen einer Veröffentlichung sind ganze Zahlen; diese Datei enthält andere.</translation>
  </message>
  <message>
   <location filename="core/publish/metadata.py" />
   <source>the GEODP tags of this file do not describe a release.</source>
   <translation>Die GEODP-Kennzeichen dieser Datei beschreiben keine Veröffentlichung.</translation>
  </message>
  <message>
   <location filename="core/publish/registry.py" />
   <source>a register lists private releases; this one was made with a seed, for tests, and is not private: make it without.</source>
   <translation>Ein Verzeichnis führt private Veröffentlichungen auf; diese wurde mit einem Startwert gemacht, für Tests, und ist nicht privat: Machen Sie sie ohne.</translation>
  </message>
  <message>
   <location filename="core/publish/registry.py" />
   <source>the {1} must be a line of text of at most {2} characters; this one is not.</source>
   <translation>Die Angabe {1} muss eine Zeile Text von höchstens {2} Zeichen sein; diese ist es nicht.</translation>
  </message>
  <message>
   <location filename="core/publish/reopen.py" />
   <source>this release was changed after it was written: its cells do not lie where its tags say; get the original file.</source>
   <translation>Diese Veröffentlichung wurde nach dem Schreiben geändert: Ihre Zellen liegen nicht, wo ihre Kennzeichen sagen; besorgen Sie die Originaldatei.</translation>
  </message>
  <message>
   <location filename="core/publish/reopen.py" />
   <source>a release is in blocks of usual size; this file is not.</source>
   <translation>Eine Veröffentlichung besteht aus Blöcken üblicher Größe; diese Datei nicht.</translation>
  </message>
  <message>
   <location filename="core/publish/reopen.py" />
   <source>bands of this release are missing, or others were added.</source>
   <translation>Kanäle dieser Veröffentlichung fehlen, oder andere kamen hinzu.</translation>
  </message>
  <message>
   <location filename="core/publish/reopen.py" />
   <source>this raster claims more cells than it can hold; get the original file.</source>
   <translation>Dieses Raster gibt mehr Zellen an, als es enthalten kann; besorgen Sie die Originaldatei.</translation>
  </message>
  <message>
   <location filename="core/publish/reopen.py" />
   <source>fields of the cells are missing or were changed; get the original file.</source>
   <translation>Felder der Zellen fehlen oder wurden geändert; besorgen Sie die Originaldatei.</translation>
  </message>
  <message>
   <location filename="core/publish/reopen.py" />
   <source>cells are missing or there are too many of them; get the original file.</source>
   <translation>Zellen fehlen, oder es sind zu viele; besorgen Sie die Originaldatei.</translation>
  </message>
  <message>
   <location filename="core/publish/reopen.py" />
   <source>it holds a view{1} and not the release itself; open the file with the counts that it was made from.</source>
   <translation>Sie enthält eine Ansicht{1} und nicht die Veröffentlichung selbst; öffnen Sie die Datei mit den Zahlen, aus der sie gemacht wurde.</translation>
  </message>
  <message>
   <location filename="core/publish/reopen.py" />
   <source>a release has at most {1} cells; this file has more.</source>
   <translation>Eine Veröffentlichung hat höchstens {1} Zellen; diese Datei hat mehr.</translation>
  </message>
  <message>
   <location filename="core/publish/reopen.py" />
   <source>this layer claims more cells than it can hold; get the original file.</source>
   <translation>Dieser Layer gibt mehr Zellen an, als er enthalten kann; besorgen Sie die Originaldatei.</translation>
  </message>
  <message>
   <location filename="core/publish/views.py" />
   <source>Shows the noisy count of each cell divided by its area. Derived from published counts alone, which costs no budget: the promise still holds.</source>
   <translation>Zeigt die verrauschte Zahl jeder Zelle, geteilt durch ihre Fläche. Nur aus veröffentlichten Zahlen abgeleitet, was kein Budget kostet: Das Versprechen gilt weiter.</translation>
  </message>
  <message>
   <location filename="core/publish/views.py" />
   <source>Shows noisy counts with negative ones set to 0. Sums of it are too high, because noise below zero no longer cancels noise above it: add up the counts of the release instead. Derived from published counts alone, which costs no budget: the promise still holds.</source>
   <translation>Zeigt verrauschte Zahlen, negative auf 0 gesetzt. Summen daraus sind zu hoch, weil Rauschen unter null das Rauschen darüber nicht mehr aufhebt: Addieren Sie stattdessen die Zahlen der Veröffentlichung. Nur aus veröffentlichten Zahlen abgeleitet, was kein Budget kostet: Das Versprechen gilt weiter.</translation>
  </message>
  <message>
   <location filename="core/publish/views.py" />
   <source>Shows a best guess that is smoothed between cells, which suggests detail that is not known. Pixels of a cell add up to the best guess of its count, which is never negative: for sums and comparisons use the counts of the release. Derived from published counts alone, which costs no budget: the promise still holds.</source>
   <translation>Zeigt eine beste Schätzung, die zwischen Zellen geglättet ist, was Einzelheiten vortäuscht, die nicht bekannt sind. Pixel einer Zelle ergeben zusammen die beste Schätzung ihrer Zahl, die nie negativ ist: Nehmen Sie für Summen und Vergleiche die Zahlen der Veröffentlichung. Nur aus veröffentlichten Zahlen abgeleitet, was kein Budget kostet: Das Versprechen gilt weiter.</translation>
  </message>
  <message>
   <location filename="core/records/amounts.py" />
   <source>totals of people are added up where each person counts as one; here they do not: protect persons by the name of a field alone, or leave `per_person` out.</source>
   <translation>Summen je Person werden gebildet, wo jede Person als eins zählt; hier ist es nicht so: Schützen Sie Personen allein durch den Namen eines Feldes, oder lassen Sie `per_person` weg.</translation>
  </message>
  <message>
   <location filename="core/records/amounts.py" />
   <source>amount must be `Amount(field, low, high)`; got {1}.</source>
   <translation>amount muss `Amount(field, low, high)` sein; angegeben ist {1}.</translation>
  </message>
  <message>
   <location filename="core/records/amounts.py" />
   <source>amounts are those of records, and people who count at places have none: leave out `amount`, or `place` and `visits`.</source>
   <translation>Beträge gehören zu Datensätzen, und Personen, die an Orten zählen, haben keine: Lassen Sie `amount` weg, oder `place` und `visits`.</translation>
  </message>
  <message>
   <location filename="core/records/amounts.py" />
   <source>an amount is told by the name of a field; got {1}: give the name of the column.</source>
   <translation>Ein Betrag wird durch den Namen eines Feldes bestimmt; angegeben ist {1}: Geben Sie den Namen der Spalte an.</translation>
  </message>
  <message>
   <location filename="core/records/amounts.py" />
   <source>the label of an amount must be a line of text; this one is not.</source>
   <translation>Die Bezeichnung eines Betrags muss eine Zeile Text sein; diese ist es nicht.</translation>
  </message>
  <message>
   <location filename="core/records/amounts.py" />
   <source>totals of people begin at 0, so that they can be cut in proportion; got a lower bound of {1}: give 0.</source>
   <translation>Summen je Person beginnen bei 0, damit sie anteilig gekürzt werden können; angegeben ist eine untere Schranke von {1}: Geben Sie 0 an.</translation>
  </message>
  <message>
   <location filename="core/records/amounts.py" />
   <source>the bounds of an amount go from the lower to the upper one; got {1} and {2}.</source>
   <translation>Die Schranken eines Betrags gehen von der unteren zur oberen; angegeben sind {1} und {2}.</translation>
  </message>
  <message>
   <location filename="core/records/amounts.py" />
   <source>the bounds of an amount must lie within 2**53 of zero, where every whole number is told apart; got {1} and {2}.</source>
   <translation>Die Schranken eines Betrags dürfen höchstens 2**53 von null entfernt sein, wo jede ganze Zahl unterscheidbar ist; angegeben sind {1} und {2}.</translation>
  </message>
  <message>
   <location filename="core/records/amounts.py" />
   <source>the unit of an amount must divide what lies between its bounds into at most {1} steps; got {2} for {3}.</source>
   <translation>Die Einheit eines Betrags muss den Bereich zwischen seinen Schranken in höchstens {1} Schritte teilen; angegeben ist {2} für {3}.</translation>
  </message>
  <message>
   <location filename="core/records/arrays.py" />
   <source>arrays of points are a pair (x, y), a triple (x, y, values) where `by` names one field, or columns with names such as `{'x': x, 'y': y, 'who': ids}`; got {1}.</source>
   <translation>Punkte sind ein Paar (x, y), ein Tripel (x, y, Werte), wo `by` ein Feld nennt, oder Spalten mit Namen wie `{'x': x, 'y': y, 'who': ids}`; angegeben ist {1}.</translation>
  </message>
  <message>
   <location filename="core/records/arrays.py" />
   <source>{1}; {2} is declared as {3}: {4}.</source>
   <translation>{1}; {2} ist vom Typ {3}: {4}.</translation>
  </message>
  <message>
   <location filename="core/records/arrays.py" />
   <source>categories are of text, numbers or dates</source>
   <translation>Listen von Werten gelten für Text, Zahlen oder Daten</translation>
  </message>
  <message>
   <location filename="core/records/arrays.py" />
   <source>breaks between numbers are for numbers</source>
   <translation>Grenzen zwischen Zahlen gelten für Zahlen</translation>
  </message>
  <message>
   <location filename="core/records/arrays.py" />
   <source>breaks between dates, weekdays or times of day are for those</source>
   <translation>Grenzen zwischen Daten, Wochentagen oder Tageszeiten gelten für solche</translation>
  </message>
  <message>
   <location filename="core/records/arrays.py" />
   <source>name another field</source>
   <translation>Nennen Sie ein anderes Feld</translation>
  </message>
  <message>
   <location filename="core/records/arrays.py" />
   <source>make it a date or a time first, give `breaks` between numbers, or name another field</source>
   <translation>Machen Sie erst ein Datum oder eine Zeit daraus, geben Sie in `breaks` Zahlen an, oder nennen Sie ein anderes Feld</translation>
  </message>
  <message>
   <location filename="core/records/arrays.py" />
   <source>arrays of points are a pair (x, y), a triple (x, y, values) where `by` names one field, or columns with names such as `{'x': x, 'y': y, 'who': ids}`, all flat and of one length; these are not.</source>
   <translation>Punkte sind ein Paar (x, y), ein Tripel (x, y, Werte), wo `by` ein Feld nennt, oder Spalten mit Namen wie `{'x': x, 'y': y, 'who': ids}`, alle flach und gleich lang; diese sind es nicht.</translation>
  </message>
  <message>
   <location filename="core/records/arrays.py" />
   <source>x and y must be columns of numbers; these are declared otherwise.</source>
   <translation>x und y müssen Spalten mit Zahlen sein; diese haben einen anderen Typ.</translation>
  </message>
  <message>
   <location filename="core/records/arrays.py" />
   <source>arrays of points are a pair (x, y), a triple (x, y, values) where `by` names one field, or columns with names such as `{'x': x, 'y': y, 'who': ids}`; got three arrays for {1} fields.</source>
   <translation>Punkte sind ein Paar (x, y), ein Tripel (x, y, Werte), wo `by` ein Feld nennt, oder Spalten mit Namen wie `{'x': x, 'y': y, 'who': ids}`; angegeben sind drei für {1} Felder.</translation>
  </message>
  <message>
   <location filename="core/records/breaks.py" />
   <source>`breaks` are two or more rising numbers, dates such as '2024-01-01', times of day such as '06:00', or days of at most one week such as 'Mon', 'Sat', 'Mon'; got {1}.</source>
   <translation>`breaks` sind zwei oder mehr steigende Zahlen, Daten wie '2024-01-01', Tageszeiten wie '06:00' oder Tage höchstens einer Woche wie 'Mon', 'Sat', 'Mon'; angegeben sind {1}.</translation>
  </message>
  <message>
   <location filename="core/records/breaks.py" />
   <source>{1} values that are not</source>
   <translation>{1} Werte, die es nicht sind</translation>
  </message>
  <message>
   <location filename="core/records/breaks.py" />
   <source>{1} needs the first and the last, as {2}; got {3}.</source>
   <translation>{1} braucht das erste und das letzte, wie {2}; angegeben ist {3}.</translation>
  </message>
  <message>
   <location filename="core/records/breaks.py" />
   <source>{1} stands for all of them; got {2}: write it alone.</source>
   <translation>{1} steht für alle zusammen; angegeben ist {2}: Schreiben Sie es allein.</translation>
  </message>
  <message>
   <location filename="core/records/divisions.py" />
   <source>a field that divides records is given by its name; got {1}.</source>
   <translation>Ein Feld, das Datensätze aufteilt, wird mit seinem Namen genannt; angegeben ist {1}.</translation>
  </message>
  <message>
   <location filename="core/records/divisions.py" />
   <source>`by` must name each field once; {1} are named.</source>
   <translation>`by` muss jedes Feld einmal nennen; genannt sind {1}.</translation>
  </message>
  <message>
   <location filename="core/records/divisions.py" />
   <source>`by` needs a public list with its field, `Categories(field, values)` or `Breaks(field, limits)`; got {1}: the list is never read off the points, because that would tell what they hold.</source>
   <translation>`by` braucht eine öffentliche Liste mit ihrem Feld, `Categories(field, values)` oder `Breaks(field, limits)`; angegeben ist {1}: Die Liste wird nie von den Punkten abgelesen, denn das würde verraten, was sie enthalten.</translation>
  </message>
  <message>
   <location filename="core/records/divisions.py" />
   <source>`by` needs a public list, `categories` or `breaks`, for each field; {1} has {2}: it is never read off the points, because that would tell what they hold.</source>
   <translation>`by` braucht eine öffentliche Liste, `categories` oder `breaks`, für jedes Feld; {1} hat {2}: Sie wird nie von den Punkten abgelesen, denn das würde verraten, was sie enthalten.</translation>
  </message>
  <message>
   <location filename="core/records/divisions.py" />
   <source>both</source>
   <translation>beide</translation>
  </message>
  <message>
   <location filename="core/records/divisions.py" />
   <source>`{1}` divides the values of a field; name it with `by`.</source>
   <translation>`{1}` teilt die Werte eines Feldes auf; nennen Sie es mit `by`.</translation>
  </message>
  <message>
   <location filename="core/records/groups.py" />
   <source>there is no group {1}; the groups are {2}{3}.</source>
   <translation>Es gibt keine Gruppe {1}; die Gruppen sind {2}{3}.</translation>
  </message>
  <message>
   <location filename="core/records/groups.py" />
   <source>`{1}` must be a list; got {2}.</source>
   <translation>`{1}` muss eine Liste sein; angegeben ist {2}.</translation>
  </message>
  <message>
   <location filename="core/records/groups.py" />
   <source>`{1}` must not be empty.</source>
   <translation>`{1}` darf nicht leer sein.</translation>
  </message>
  <message>
   <location filename="core/records/groups.py" />
   <source>`other` must be a name for all other records; got {1}.</source>
   <translation>`other` muss ein Name für alle anderen Datensätze sein; angegeben ist {1}.</translation>
  </message>
  <message>
   <location filename="core/records/groups.py" />
   <source>every category must be another value; {1} are not: true is 1, and false is 0.</source>
   <translation>Jede Kategorie muss ein anderer Wert sein; {1} sind es nicht: true ist 1, und false ist 0.</translation>
  </message>
  <message>
   <location filename="core/records/groups.py" />
   <source>categories must be values that the field can hold; {1} is declared as {2}, and {3} can never be one: list {4}, or name another field.</source>
   <translation>Kategorien müssen Werte sein, die das Feld enthalten kann; {1} ist vom Typ {2}, und {3} kommt darin nie vor: Listen Sie {4} auf, oder nennen Sie ein anderes Feld.</translation>
  </message>
  <message>
   <location filename="core/records/groups.py" />
   <source>true and false</source>
   <translation>true und false</translation>
  </message>
  <message>
   <location filename="core/records/groups.py" />
   <source>whole numbers</source>
   <translation>ganze Zahlen</translation>
  </message>
  <message>
   <location filename="core/records/groups.py" />
   <source>numbers</source>
   <translation>Zahlen</translation>
  </message>
  <message>
   <location filename="core/records/groups.py" />
   <source>dates such as 2024-12-31</source>
   <translation>Daten wie 2024-12-31</translation>
  </message>
  <message>
   <location filename="core/records/groups.py" />
   <source>the list of a field must be as it was written.</source>
   <translation>Die Liste eines Feldes muss sein, wie sie geschrieben wurde.</translation>
  </message>
  <message>
   <location filename="core/records/groups.py" />
   <source>there may be at most {1} groups; got {2}.</source>
   <translation>Es darf höchstens {1} Gruppen geben; angegeben sind {2}.</translation>
  </message>
  <message>
   <location filename="core/records/groups.py" />
   <source>every group needs a name of its own; {1} is there twice.</source>
   <translation>Jede Gruppe braucht einen eigenen Namen; {1} kommt zweimal vor.</translation>
  </message>
  <message>
   <location filename="core/records/groups.py" />
   <source>`{1}` is one list for each field; {2} has two.</source>
   <translation>`{1}` ist eine Liste je Feld; {2} hat zwei.</translation>
  </message>
  <message>
   <location filename="core/records/groups.py" />
   <source>a category must be a line of text, a whole number, a date or the like; got {1}.</source>
   <translation>Eine Kategorie muss eine Zeile Text, eine ganze Zahl, ein Datum oder Ähnliches sein; angegeben ist {1}.</translation>
  </message>
  <message>
   <location filename="core/records/groups.py" />
   <source>`{1}` must be a line of printable text of at most {2} characters, as a file can hold it; this one is not.</source>
   <translation>`{1}` muss eine Zeile druckbarer Text von höchstens {2} Zeichen sein, wie ihn eine Datei aufnimmt; diese ist es nicht.</translation>
  </message>
  <message>
   <location filename="core/records/groups.py" />
   <source>with several fields, `{1}` names its field: {2}=…; got {3}.</source>
   <translation>Bei mehreren Feldern nennt `{1}` sein Feld: {2}=…; angegeben ist {3}.</translation>
  </message>
  <message>
   <location filename="core/records/ids.py" />
   <source>ids must be text, whole numbers, dates or UUIDs; {1} is declared as {2}: store them as text or whole numbers.</source>
   <translation>Kennungen müssen Text, ganze Zahlen, Daten oder UUIDs sein; {1} ist vom Typ {2}: Speichern Sie sie als Text oder ganze Zahlen.</translation>
  </message>
  <message>
   <location filename="core/records/ids.py" />
   <source>ids must be a flat list or array; these are not.</source>
   <translation>Kennungen müssen eine flache Liste sein; diese sind es nicht.</translation>
  </message>
  <message>
   <location filename="core/records/reprojection.py" />
   <source>the points need a CRS; these state none: set it with `set_crs()`, or pass `crs`.</source>
   <translation>Die Punkte brauchen ein KBS; diese nennen keines: Setzen Sie es mit `set_crs()`, oder geben Sie `crs` an.</translation>
  </message>
  <message>
   <location filename="core/records/source.py" />
   <source>the points must be Point geometries; this layer is declared as {1}: take centroids or representative points first.</source>
   <translation>Die Punkte müssen Geometrien vom Typ Point sein; dieser Layer ist vom Typ {1}: Nehmen Sie erst Schwerpunkte oder Punkte auf der Oberfläche.</translation>
  </message>
  <message>
   <location filename="core/records/source.py" />
   <source>a MultiPoint counts as its points only where it is said how many may count; this layer is declared as MultiPoint: pass `Feature(max_points=…)`, or split the layer with `explode()`.</source>
   <translation>Ein MultiPoint zählt nur dann mit seinen Punkten, wenn gesagt ist, wie viele zählen dürfen; dieser Layer ist vom Typ MultiPoint: Geben Sie `Feature(max_points=…)` an, oder teilen Sie den Layer mit `explode()`.</translation>
  </message>
  <message>
   <location filename="core/records/source.py" />
   <source>features are protected where they hold several points; these hold one each by their declared type: protect records, or persons.</source>
   <translation>Objekte werden geschützt, wo sie mehrere Punkte haben; diese haben nach ihrem Typ je einen: Schützen Sie Datensätze oder Personen.</translation>
  </message>
  <message>
   <location filename="core/records/source.py" />
   <source>the {1} field must be a column of the points; there is no {2}: the columns are {3}.</source>
   <translation>Das Feld für {1} muss eine Spalte der Punkte sein; es gibt kein {2}: Die Spalten sind {3}.</translation>
  </message>
  <message>
   <location filename="core/records/source.py" />
   <source>not told, since they look like a record: name them in a header line</source>
   <translation>nicht genannt, weil sie wie ein Datensatz aussehen: Nennen Sie sie in einer Kopfzeile</translation>
  </message>
  <message>
   <location filename="core/records/source.py" />
   <source>not told, since none was asked for and they may be a record: name them in a header line</source>
   <translation>nicht genannt, weil nach keiner gefragt wurde und sie ein Datensatz sein können: Nennen Sie sie in einer Kopfzeile</translation>
  </message>
  <message>
   <location filename="core/records/source.py" />
   <source>the {1} field must be one column of the points; {2} is there more than once: give each a name of its own.</source>
   <translation>Das Feld für {1} muss eine einzige Spalte der Punkte sein; {2} kommt mehrmals vor: Geben Sie jeder einen eigenen Namen.</translation>
  </message>
  <message>
   <location filename="core/regions/polygons.py" />
   <source>a ring must be rows of x and y; one of region {1} has shape {2}.</source>
   <translation>Ein Ring muss aus Zeilen mit x und y bestehen; einer von Gebiet {1} hat die Form {2}.</translation>
  </message>
  <message>
   <location filename="core/regions/polygons.py" />
   <source>a region's coordinates must be finite and below 1e150; region {1} has others: correct or remove it.</source>
   <translation>Koordinaten eines Gebiets müssen endlich und kleiner als 1e150 sein; Gebiet {1} hat andere: Berichtigen oder entfernen Sie es.</translation>
  </message>
  <message>
   <location filename="core/regions/validity.py" />
   <source>every region must be a valid polygon; region {1} {2}: repair it with `make_valid()`.</source>
   <translation>Jedes Gebiet muss ein gültiges Polygon sein; Gebiet {1} {2}: Reparieren Sie es mit `make_valid()`.</translation>
  </message>
  <message>
   <location filename="core/regions/workload.py" />
   <source>boxes must be rows of xmin, ymin, xmax, ymax, at least one; got shape {1}.</source>
   <translation>Rechtecke müssen Zeilen aus xmin, ymin, xmax, ymax sein, mindestens eine; angegeben ist die Form {1}.</translation>
  </message>
  <message>
   <location filename="core/regions/workload.py" />
   <source>a box needs finite xmin &lt; xmax and ymin &lt; ymax; box {1} is {2}.</source>
   <translation>Ein Rechteck braucht endliche xmin &lt; xmax und ymin &lt; ymax; Rechteck {1} ist {2}.</translation>
  </message>
  <message>
   <location filename="core/regions/workload.py" />
   <source>every region must overlap the domain; region {1} lies outside {2}: remove it or widen the domain.</source>
   <translation>Jedes Gebiet muss das Rechteck überdecken; Gebiet {1} liegt außerhalb von {2}: Entfernen Sie es, oder erweitern Sie das Rechteck.</translation>
  </message>
  <message>
   <location filename="core/regions/workload.py" />
   <source>expected must be 'area' or one positive number for each region; got {1} regions and {2}.</source>
   <translation>expected muss 'area' sein oder eine positive Zahl für jedes Gebiet; angegeben sind {1} Gebiete und {2}.</translation>
  </message>
  <message>
   <location filename="core/regions/workload.py" />
   <source>a workload needs at least one box; got no shares or `per_share` &lt; 1.</source>
   <translation>Ein Workload braucht mindestens ein Rechteck; angegeben sind keine Anteile oder `per_share` &lt; 1.</translation>
  </message>
  <message>
   <location filename="core/regions/workload.py" />
   <source>boxes must be rows of xmin, ymin, xmax, ymax, all numbers; got a {1} that is not.</source>
   <translation>Rechtecke müssen Zeilen aus xmin, ymin, xmax, ymax sein, lauter Zahlen; angegeben ist ein {1}, das es nicht ist.</translation>
  </message>
  <message>
   <location filename="core/regions/workload.py" />
   <source>shares must lie between 0 and 1, both excluded; got {1}.</source>
   <translation>Anteile müssen zwischen 0 und 1 liegen, beide ausgeschlossen; angegeben ist {1}.</translation>
  </message>
  <message>
   <location filename="core/releases/about.py" />
   <source>a release is told about by {1}; got {2}.</source>
   <translation>Zu sagen gibt es nur {1}; angegeben ist {2}.</translation>
  </message>
  <message>
   <location filename="core/releases/about.py" />
   <source>the {1} must be a line of text of at most {2} characters; got {3}.</source>
   <translation>Die Angabe {1} muss eine Zeile Text von höchstens {2} Zeichen sein; angegeben ist {3}.</translation>
  </message>
  <message>
   <location filename="core/releases/about.py" />
   <source>another</source>
   <translation>etwas anderes</translation>
  </message>
  <message>
   <location filename="core/releases/describe.py" />
   <source>Differentially private with epsilon = {1}: {2} {3} changes the probability of any outcome{4} by a factor of at most exp({5}). {6}</source>
   <translation>Differenziell privat mit Epsilon = {1}: Ob {3} {2}, ändert die Wahrscheinlichkeit jedes Ergebnisses{4} höchstens um den Faktor exp({5}). {6}</translation>
  </message>
  <message>
   <location filename="core/releases/describe.py" />
   <source>adding or removing</source>
   <translation>hinzukommt oder wegfällt</translation>
  </message>
  <message>
   <location filename="core/releases/describe.py" />
   <source>exchanging</source>
   <translation>ausgetauscht wird</translation>
  </message>
  <message>
   <location filename="core/releases/describe.py" />
   <source>one feature with all its points ({1})</source>
   <translation>ein Objekt mit all seinen Punkten ({1})</translation>
  </message>
  <message>
   <location filename="core/releases/describe.py" />
   <source>at most {1} {2} counted</source>
   <translation>höchstens {1} {2} gezählt</translation>
  </message>
  <message>
   <location filename="core/releases/describe.py" />
   <source>point</source>
   <translation>Punkt</translation>
  </message>
  <message>
   <location filename="core/releases/describe.py" />
   <source>record</source>
   <translation>Datensatz</translation>
  </message>
  <message>
   <location filename="core/releases/describe.py" />
   <source>place</source>
   <translation>Ort</translation>
  </message>
  <message>
   <location filename="core/releases/describe.py" />
   <source>points</source>
   <translation>Punkte</translation>
  </message>
  <message>
   <location filename="core/releases/describe.py" />
   <source>records</source>
   <translation>Datensätze</translation>
  </message>
  <message>
   <location filename="core/releases/describe.py" />
   <source>places</source>
   <translation>Orten</translation>
  </message>
  <message>
   <location filename="core/releases/describe.py" />
   <source>counted as one</source>
   <translation>als eins gezählt</translation>
  </message>
  <message>
   <location filename="core/releases/describe.py" />
   <source>counted in at most {1} {2}</source>
   <translation>in höchstens {1} {2} gezählt</translation>
  </message>
  <message>
   <location filename="core/releases/describe.py" />
   <source>one person with all their records ({1})</source>
   <translation>eine Person mit all ihren Datensätzen ({1})</translation>
  </message>
  <message>
   <location filename="core/releases/describe.py" />
   <source>, cell size included,</source>
   <translation>, Zellgröße eingeschlossen,</translation>
  </message>
  <message>
   <location filename="core/releases/describe.py" />
   <source>It protects records, not people: someone with several records is protected less.</source>
   <translation>Geschützt sind Datensätze, nicht Personen: Wer mehrere Datensätze hat, ist weniger geschützt.</translation>
  </message>
  <message>
   <location filename="core/releases/describe.py" />
   <source>It protects people, as far as each person has one value in the person field.</source>
   <translation>Geschützt sind Personen, soweit jede Person einen einzigen Wert im Personenfeld hat.</translation>
  </message>
  <message>
   <location filename="core/releases/describe.py" />
   <source>This release was made with a fixed seed for testing and is NOT private: anyone with the seed can take the noise off again.</source>
   <translation>Diese Veröffentlichung wurde zum Testen mit einem festen Startwert gemacht und ist NICHT privat: Wer den Startwert hat, kann das Rauschen wieder abziehen.</translation>
  </message>
  <message>
   <location filename="core/releases/describe.py" />
   <source>Counts {1}{2}{3}{4}: any sum may fall short of all {5} by an unknown share.{6}</source>
   <translation>Zählt {1}{2}{3}{4}: Jede Summe kann um einen unbekannten Anteil unter der aller {5} liegen.{6}</translation>
  </message>
  <message>
   <location filename="core/releases/describe.py" />
   <source>at most {1} {2} of each {3}</source>
   <translation>höchstens {1} {2} je {3}</translation>
  </message>
  <message>
   <location filename="core/releases/describe.py" />
   <source>feature</source>
   <translation>Objekt</translation>
  </message>
  <message>
   <location filename="core/releases/describe.py" />
   <source>person</source>
   <translation>Person</translation>
  </message>
  <message>
   <location filename="core/releases/describe.py" />
   <source>people, each spread over the places of their records</source>
   <translation>Personen, jede verteilt auf die Orte ihrer Datensätze,</translation>
  </message>
  <message>
   <location filename="core/releases/describe.py" />
   <source>people, each once at the place where most of their records are</source>
   <translation>Personen, jede einmal an dem Ort der meisten ihrer Datensätze,</translation>
  </message>
  <message>
   <location filename="core/releases/describe.py" />
   <source>visitors of each place, each person in at most {1} {2}</source>
   <translation>Besucher jedes Ortes, jede Person an höchstens {1} {2},</translation>
  </message>
  <message>
   <location filename="core/releases/describe.py" />
   <source> and no record without a person</source>
   <translation> und keinen Datensatz ohne Person</translation>
  </message>
  <message>
   <location filename="core/releases/describe.py" />
   <source>, over all groups together</source>
   <translation>, über alle Gruppen zusammen</translation>
  </message>
  <message>
   <location filename="core/releases/describe.py" />
   <source>; of these, {1} {2}</source>
   <translation>; davon {1} {2}</translation>
  </message>
  <message>
   <location filename="core/releases/describe.py" />
   <source>whose {1}</source>
   <translation>mit {1}</translation>
  </message>
  <message>
   <location filename="core/releases/describe.py" />
   <source> Records without {1} are left out. In its sums and means, amounts above {2}{3} count as {4}, and those below {5} as {6}, which no interval holds.</source>
   <translation> Datensätze ohne {1} bleiben weg. In den Summen und Mitteln zählen Beträge über {2}{3} als {4} und die unter {5} als {6}, was kein Intervall berücksichtigt.</translation>
  </message>
  <message>
   <location filename="core/releases/describe.py" />
   <source> Records without {1} are left out. Sums are of what all records of a person add up to, and means are over people: a total above {2}{3} counts as {4}, which no interval holds.</source>
   <translation> Datensätze ohne {1} bleiben weg. Summen gelten dem, was alle Datensätze einer Person zusammen ergeben, und Mittel gehen über Personen: Eine Summe über {2}{3} zählt als {4}, was kein Intervall berücksichtigt.</translation>
  </message>
  <message>
   <location filename="core/releases/describe.py" />
   <source>Counts every record inside {1}{2}{3}.{4}</source>
   <translation>Zählt jeden Datensatz in {1}{2}{3}.{4}</translation>
  </message>
  <message>
   <location filename="core/releases/describe.py" />
   <source>the extent</source>
   <translation>der Ausdehnung</translation>
  </message>
  <message>
   <location filename="core/releases/describe.py" />
   <source>the districts</source>
   <translation>den Bezirken</translation>
  </message>
  <message>
   <location filename="core/releases/describe.py" />
   <source> and a public layer of where records can be</source>
   <translation> und einem öffentlichen Layer, der zeigt, wo Datensätze sein können</translation>
  </message>
  <message>
   <location filename="core/releases/describe.py" />
   <source>Counts {1} inside {2}{3}{4}, and no record without a person{5}: {6}.</source>
   <translation>Zählt {1} in {2}{3}{4}, und keinen Datensatz ohne Person{5}: {6}.</translation>
  </message>
  <message>
   <location filename="core/releases/describe.py" />
   <source>; of these, those counted by records {1}</source>
   <translation>; davon die, die durch Datensätze {1} zählen</translation>
  </message>
  <message>
   <location filename="core/releases/describe.py" />
   <source>the whole adds up to the people who have records there</source>
   <translation>Alles zusammen ergibt die Personen, die dort Datensätze haben</translation>
  </message>
  <message>
   <location filename="core/releases/describe.py" />
   <source>a person counts in each of several places, so that sums are of visits, and any number may fall short of all visitors by an unknown share</source>
   <translation>Eine Person zählt an mehreren Orten, sodass Summen Besuche zählen, und jede Zahl kann um einen unbekannten Anteil unter der aller Besucher liegen</translation>
  </message>
  <message>
   <location filename="core/releases/describe.py" />
   <source>Counts {1} inside {2}{3}, and no record without a person{4}: a person with several records counts in parts, which add up to one.{5}</source>
   <translation>Zählt {1} in {2}{3}, und keinen Datensatz ohne Person{4}: Eine Person mit mehreren Datensätzen zählt in Teilen, die zusammen eins ergeben.{5}</translation>
  </message>
  <message>
   <location filename="core/releases/describe.py" />
   <source>; of these, what falls on records {1}</source>
   <translation>; davon, was auf Datensätze {1} entfällt</translation>
  </message>
  <message>
   <location filename="core/releases/difference.py" />
   <source>a difference is between releases of one domain; these two have different {1}.</source>
   <translation>Eine Differenz besteht zwischen Veröffentlichungen eines Rechtecks; bei diesen beiden sind verschieden: {1}.</translation>
  </message>
  <message>
   <location filename="core/releases/difference.py" />
   <source>places where records can be</source>
   <translation>Orte, wo Datensätze sein können</translation>
  </message>
  <message>
   <location filename="core/releases/difference.py" />
   <source>resolutions</source>
   <translation>Auflösungen</translation>
  </message>
  <message>
   <location filename="core/releases/difference.py" />
   <source>bounds, {1} and {2}</source>
   <translation>Ausdehnungen, {1} und {2}</translation>
  </message>
  <message>
   <location filename="core/releases/difference.py" />
   <source>coordinate systems, {1} and {2}</source>
   <translation>Koordinatensysteme, {1} und {2}</translation>
  </message>
  <message>
   <location filename="core/releases/difference.py" />
   <source>a difference is between two releases, or between two groups of one; these share records and noise.</source>
   <translation>Eine Differenz besteht zwischen zwei Veröffentlichungen oder zwischen zwei Gruppen einer einzigen; diese haben Datensätze und Rauschen gemeinsam.</translation>
  </message>
  <message>
   <location filename="core/releases/difference.py" />
   <source>Computed from two differentially private releases at no further cost. As far as both are about the same people, they promise epsilon = {1} together. The later: {2} The earlier: {3}</source>
   <translation>Ohne weitere Kosten aus zwei differenziell privaten Veröffentlichungen berechnet. Soweit beide dieselben Personen betreffen, versprechen sie zusammen Epsilon = {1}. Die spätere: {2} Die frühere: {3}</translation>
  </message>
  <message>
   <location filename="core/releases/difference.py" />
   <source>{1} From that, what the earlier counts: {2}</source>
   <translation>{1} Davon abgezogen, was die frühere zählt: {2}</translation>
  </message>
  <message>
   <location filename="core/releases/quotient.py" />
   <source>releases are compared on one domain; got {1} and {2}.</source>
   <translation>Veröffentlichungen werden in einem Rechteck verglichen; angegeben sind {1} und {2}.</translation>
  </message>
  <message>
   <location filename="core/releases/quotient.py" />
   <source>counts that hold the same noise have no quotient with a known error; got a release and itself, or a group and its total: use the share of a group instead.</source>
   <translation>Zahlen mit demselben Rauschen haben keinen Quotienten mit bekanntem Fehler; angegeben ist eine Veröffentlichung und sie selbst, oder eine Gruppe und ihre Summe: Nehmen Sie stattdessen den Anteil einer Gruppe.</translation>
  </message>
  <message>
   <location filename="core/releases/release.py" />
   <source>a share is that of a group in several; this release has none beside it: make a release with `by`, and take one of its groups.</source>
   <translation>ein Anteil ist der einer Gruppe an mehreren; diese Veröffentlichung hat keine daneben: machen Sie eine Veröffentlichung mit `by`, und nehmen Sie eine ihrer Gruppen.</translation>
  </message>
  <message>
   <location filename="core/releases/release_set.py" />
   <source>a set of releases needs measurements of each of its groups.</source>
   <translation>Mehrere Veröffentlichungen zusammen brauchen Messungen jeder ihrer Gruppen.</translation>
  </message>
  <message>
   <location filename="core/releases/release_set.py" />
   <source>a quantile needs groups between breaks of one field of numbers; this release is divided by {1}: divide it by `Breaks(field, limits)` alone.</source>
   <translation>Ein Quantil braucht Gruppen zwischen Grenzen eines Feldes mit Zahlen; diese Veröffentlichung ist aufgeteilt nach {1}: Teilen Sie sie nur nach `Breaks(field, limits)` auf.</translation>
  </message>
  <message>
   <location filename="core/releases/release_set.py" />
   <source>a quantile needs two groups at least; this release has one alone.</source>
   <translation>Ein Quantil braucht mindestens zwei Gruppen; diese Veröffentlichung hat nur eine.</translation>
  </message>
  <message>
   <location filename="core/releases/release_set.py" />
   <source>the maps of several groups take a figure of their own; got axes of another: draw one group there, `releases[{1}].plot(ax)`.</source>
   <translation>Die Karten mehrerer Gruppen brauchen ein eigenes Bild; gegeben sind die Achsen eines anderen: Zeichnen Sie dort eine Gruppe, `releases[{1}].plot(ax)`.</translation>
  </message>
  <message>
   <location filename="core/releases/verification.py" />
   <source>Promised: ε = {1} for {2}.</source>
   <translation>Versprochen: ε = {1}. Geschützt: {2}.</translation>
  </message>
  <message>
   <location filename="core/releases/verification.py" />
   <source>Noise on {1} published counts, along the costliest path: {2}.</source>
   <translation>Rauschen auf {1} veröffentlichten Zahlen, entlang des teuersten Pfades: {2}.</translation>
  </message>
  <message>
   <location filename="core/releases/verification.py" />
   <source>Choice of the cells, as stated (it leaves no number in a file): {1}.</source>
   <translation>Wahl der Zellen, wie angegeben (sie hinterlässt keine Zahl in einer Datei): {1}.</translation>
  </message>
  <message>
   <location filename="core/releases/verification.py" />
   <source>Made with a seed: anyone can repeat the noise, so nothing is promised.</source>
   <translation>Mit einem Startwert gemacht: Jeder kann das Rauschen wiederholen, also ist nichts versprochen.</translation>
  </message>
  <message>
   <location filename="core/releases/verification.py" />
   <source>Together {1}: the numbers keep the promise.</source>
   <translation>Zusammen {1}: Die Zahlen halten das Versprechen.</translation>
  </message>
  <message>
   <location filename="core/releases/verification.py" />
   <source>Together {1}: MORE than is promised.</source>
   <translation>Zusammen {1}: MEHR als versprochen.</translation>
  </message>
  <message>
   <location filename="core/space/cells.py" />
   <source>areas need a projected CRS; {1} is geographic (degrees): make the release in a projected one.</source>
   <translation>Flächen brauchen ein projiziertes KBS; {1} ist geographisch (Grad): Machen Sie die Veröffentlichung in einem projizierten.</translation>
  </message>
  <message>
   <location filename="core/space/domain.py" />
   <source>a domain is bounds with a CRS, such as `Domain((0, 0, 4000, 3000), crs='EPSG:5070')`; got {1}.</source>
   <translation>Ein Rechteck besteht aus einer Ausdehnung mit einem KBS, etwa `Domain((0, 0, 4000, 3000), crs='EPSG:5070')`; angegeben ist {1}.</translation>
  </message>
  <message>
   <location filename="core/space/domain.py" />
   <source>nothing</source>
   <translation>nichts</translation>
  </message>
  <message>
   <location filename="core/space/domain.py" />
   <source>bounds must be finite, and less than {1}; got {2}.</source>
   <translation>Die Ausdehnung muss endlich und kleiner als {1} sein; angegeben ist {2}.</translation>
  </message>
  <message>
   <location filename="core/space/domain.py" />
   <source>bounds must be (xmin, ymin, xmax, ymax), xmin &lt; xmax and ymin &lt; ymax; got {1}.</source>
   <translation>Die Ausdehnung muss (xmin, ymin, xmax, ymax) sein, xmin &lt; xmax und ymin &lt; ymax; angegeben ist {1}.</translation>
  </message>
  <message>
   <location filename="core/space/domain.py" />
   <source>a file names its CRS by the code of an authority or as WKT; this one does not: get the original file.</source>
   <translation>Eine Datei nennt ihr KBS mit dem Code einer Stelle oder als WKT; diese nicht: Besorgen Sie die Originaldatei.</translation>
  </message>
  <message>
   <location filename="core/space/domain.py" />
   <source>a unit of a CRS is of a size for maps; that of this file is not.</source>
   <translation>Die Einheit eines KBS hat eine Größe für Karten; die dieser Datei nicht.</translation>
  </message>
  <message>
   <location filename="core/space/domain.py" />
   <source>a coordinate reference system is needed; none was given: name the one that the coordinates are in, for example 'EPSG:5070'.</source>
   <translation>Ein Koordinatenbezugssystem wird gebraucht; angegeben ist keines: Nennen Sie das der Koordinaten, zum Beispiel 'EPSG:5070'.</translation>
  </message>
  <message>
   <location filename="core/space/domain.py" />
   <source>the coordinate reference system must have places on a map; {1} is {2}: name another.</source>
   <translation>Das Koordinatenbezugssystem muss Orte auf einer Karte haben; {1} ist {2}: Nennen Sie ein anderes.</translation>
  </message>
  <message>
   <location filename="core/space/domain.py" />
   <source>vertical</source>
   <translation>vertikal</translation>
  </message>
  <message>
   <location filename="core/space/domain.py" />
   <source>geocentric</source>
   <translation>geozentrisch</translation>
  </message>
  <message>
   <location filename="core/space/domain.py" />
   <source>the domain needs a projected CRS, so that cells have equal areas; {1} is geographic (degrees): choose a projected one for your region, such as EPSG:5070 for the US, EPSG:3035 for Europe or your UTM zone.</source>
   <translation>Das Gitter braucht ein projiziertes KBS, damit Zellen gleiche Flächen haben; {1} ist geographisch (Grad): Wählen Sie ein projiziertes für Ihre Gegend, etwa EPSG:5070 für die USA, EPSG:3035 für Europa oder Ihre UTM-Zone.</translation>
  </message>
  <message>
   <location filename="core/space/domain.py" />
   <source>resolution must be a positive number; got {1}.</source>
   <translation>Die Auflösung muss eine positive Zahl sein; angegeben ist {1}.</translation>
  </message>
  <message>
   <location filename="core/space/domain.py" />
   <source>a size to snap to must be a positive number; got {1}.</source>
   <translation>Die Größe zum Einrasten muss eine positive Zahl sein; angegeben ist {1}.</translation>
  </message>
  <message>
   <location filename="core/space/domain.py" />
   <source>a domain is snapped before it is said within what records can be; this one has `within` already: pass it to `snapped` instead.</source>
   <translation>Ein Rechteck rastet ein, bevor gesagt ist, wo darin Datensätze sein können; dieses hat schon `within`: Geben Sie es stattdessen bei `snapped` an.</translation>
  </message>
  <message>
   <location filename="core/space/domain.py" />
   <source>a support must be one of the domain's bounds, {1}; got {2}.</source>
   <translation>Die Orte, wo Datensätze sein können, müssen zur Ausdehnung {1} gehören; angegeben ist {2}.</translation>
  </message>
  <message>
   <location filename="core/space/domain.py" />
   <source>bounds must be four numbers (xmin, ymin, xmax, ymax); got {1}.</source>
   <translation>Die Ausdehnung muss aus vier Zahlen bestehen (xmin, ymin, xmax, ymax); angegeben ist {1}.</translation>
  </message>
  <message>
   <location filename="core/space/domain.py" />
   <source>looking up {1} needs pyproj, which is not installed: pass a `geodp.Crs` with its facts instead.</source>
   <translation>Um {1} nachzuschlagen, wird pyproj gebraucht, das nicht installiert ist: Geben Sie stattdessen ein `geodp.Crs` mit seinen Angaben an.</translation>
  </message>
  <message>
   <location filename="core/space/domain.py" />
   <source>the coordinate reference system must be one that PROJ knows; got {1}: use a code such as 'EPSG:5070'.</source>
   <translation>Das Koordinatenbezugssystem muss eines sein, das PROJ kennt; angegeben ist {1}: Nehmen Sie einen Code wie 'EPSG:5070'.</translation>
  </message>
  <message>
   <location filename="core/space/frame.py" />
   <source>halvings must be a whole number from 0 to {1}; got {2}.</source>
   <translation>Die Zahl der Halbierungen muss eine ganze Zahl von 0 bis {1} sein; angegeben ist {2}.</translation>
  </message>
  <message>
   <location filename="core/space/frame.py" />
   <source>cells of the finest lattice have no children.</source>
   <translation>Zellen des feinsten Gitters haben keine Kinder.</translation>
  </message>
  <message>
   <location filename="core/space/frame.py" />
   <source>root cells must be rows and columns, 1 to {1} cells together; got {2}.</source>
   <translation>Wurzelzellen müssen Zeilen und Spalten sein, zusammen 1 bis {1} Zellen; angegeben ist {2}.</translation>
  </message>
  <message>
   <location filename="core/space/grid.py" />
   <source>candidates come by `sizes` or by `cell_sizes`; both were given: choose one.</source>
   <translation>Mögliche Gitter kommen aus `sizes` oder aus `cell_sizes`; angegeben ist beides: Wählen Sie eines.</translation>
  </message>
  <message>
   <location filename="core/space/grid.py" />
   <source>at least one candidate grid is needed; none was given.</source>
   <translation>Mindestens ein mögliches Gitter wird gebraucht; angegeben ist keines.</translation>
  </message>
  <message>
   <location filename="core/space/grid.py" />
   <source>all candidate grids must share one domain; these have several.</source>
   <translation>Alle möglichen Gitter müssen ein Rechteck gemeinsam haben; diese haben mehrere.</translation>
  </message>
  <message>
   <location filename="core/space/grid.py" />
   <source>a grid's shape must be two whole numbers; got {1}.</source>
   <translation>Die Form eines Gitters muss aus zwei ganzen Zahlen bestehen; angegeben ist {1}.</translation>
  </message>
  <message>
   <location filename="core/space/grid.py" />
   <source>a grid needs at least one row and one column; got {1}.</source>
   <translation>Ein Gitter braucht mindestens eine Zeile und eine Spalte; angegeben ist {1}.</translation>
  </message>
  <message>
   <location filename="core/space/grid.py" />
   <source>a grid may have at most {1} cells and {2} along an axis; {3} by {4} are more: use larger cells.</source>
   <translation>Ein Gitter darf höchstens {1} Zellen haben und {2} entlang einer Achse; {3} mal {4} sind mehr: Nehmen Sie größere Zellen.</translation>
  </message>
  <message>
   <location filename="core/space/grid.py" />
   <source>a grid needs a shape (rows, columns) or a cell size; got neither.</source>
   <translation>Ein Gitter braucht eine Form (Zeilen, Spalten) oder eine Zellgröße; angegeben ist keines von beiden.</translation>
  </message>
  <message>
   <location filename="core/space/grid.py" />
   <source>cells must be wider than float64 can resolve at these bounds; {1} is too fine: use fewer cells.</source>
   <translation>Zellen müssen breiter sein, als float64 bei dieser Ausdehnung auflöst; {1} ist zu fein: Nehmen Sie weniger Zellen.</translation>
  </message>
  <message>
   <location filename="core/space/grid.py" />
   <source>cells have weights only where `within` is given; this domain is all.</source>
   <translation>Zellen haben nur dann Gewichte, wenn `within` angegeben ist; dieses Rechteck zählt ganz.</translation>
  </message>
  <message>
   <location filename="core/space/grid.py" />
   <source>candidates must be grids, as `candidate_grids(domain, sizes)` makes them; one is a {1}.</source>
   <translation>Möglich sind Gitter, wie `candidate_grids(domain, sizes)` sie macht; eines ist ein {1}.</translation>
  </message>
  <message>
   <location filename="core/space/grid.py" />
   <source>candidate grids must differ; {1} cuts the domain as an earlier one does: give each size once.</source>
   <translation>Mögliche Gitter müssen verschieden sein; {1} teilt das Rechteck wie ein früheres: Geben Sie jede Größe einmal an.</translation>
  </message>
  <message>
   <location filename="core/space/grid.py" />
   <source>a cell size must be greater than 0 and at most the shorter side of the domain, {1}; got {2}.</source>
   <translation>Eine Zellgröße muss größer als 0 und höchstens die kürzere Seite des Rechtecks sein, {1}; angegeben ist {2}.</translation>
  </message>
  <message>
   <location filename="core/space/grid.py" />
   <source>cells of {1} make a shape of {2}; got {3}.</source>
   <translation>Zellen von {1} ergeben die Form {2}; angegeben ist {3}.</translation>
  </message>
  <message>
   <location filename="core/space/levels.py" />
   <source>every unit needs a label on each level.</source>
   <translation>Jede Einheit braucht auf jeder Ebene eine Bezeichnung.</translation>
  </message>
  <message>
   <location filename="core/space/levels.py" />
   <source>levels need one unit at least; got none.</source>
   <translation>Ebenen brauchen mindestens eine Einheit; angegeben ist keine.</translation>
  </message>
  <message>
   <location filename="core/space/levels.py" />
   <source>labels of units must be lines of at most {1} printable characters, as a file can hold them; one is not: mend the layer.</source>
   <translation>Bezeichnungen von Einheiten müssen Zeilen von höchstens {1} druckbaren Zeichen sein, wie sie eine Datei aufnimmt; eine ist es nicht: Berichtigen Sie den Layer.</translation>
  </message>
  <message>
   <location filename="core/space/levels.py" />
   <source>every unit must be there once; {1} is there twice.</source>
   <translation>Jede Einheit darf nur einmal vorkommen; {1} kommt zweimal vor.</translation>
  </message>
  <message>
   <location filename="core/space/levels.py" />
   <source>units of one larger unit must stand together.</source>
   <translation>Einheiten einer größeren Einheit müssen beisammen stehen.</translation>
  </message>
  <message>
   <location filename="core/space/sizes.py" />
   <source>sizes must be whole numbers with commas between them, such as 30, 40, 50, or rows x columns such as 20x30; got {1}{2}.</source>
   <translation>Die Größen müssen ganze Zahlen mit Kommas dazwischen sein, etwa 30, 40, 50, oder Zeilen x Spalten wie 20x30; angegeben ist {1}{2}.</translation>
  </message>
  <message>
   <location filename="core/space/sizes.py" />
   <source>: lengths are cell sizes</source>
   <translation>: Längen sind Zellgrößen</translation>
  </message>
  <message>
   <location filename="core/space/sizes.py" />
   <source>cell sizes must be numbers with commas between them, such as 500, 1000, or lengths such as 500m, 5km, 1000ft, 0.5mi; got {1}.</source>
   <translation>Zellgrößen müssen Zahlen mit Kommas dazwischen sein, etwa 500, 1000, oder Längen wie 500m, 5km, 1000ft, 0.5mi; angegeben ist {1}.</translation>
  </message>
  <message>
   <location filename="core/space/sizes.py" />
   <source>a length must be one number, such as 100, or have a unit, such as 100m, 1km, 500ft, 0.5mi; got {1}.</source>
   <translation>Eine Länge muss eine einzige Zahl sein, etwa 100, oder eine Einheit haben, etwa 100m, 1km, 500ft, 0.5mi; angegeben ist {1}.</translation>
  </message>
  <message>
   <location filename="core/space/sizes.py" />
   <source>a length in {1} needs a projected CRS; {2} is geographic (degrees): choose a projected one, or give cell sizes in degrees, without a unit.</source>
   <translation>Eine Länge in {1} braucht ein projiziertes KBS; {2} ist geographisch (Grad): Wählen Sie ein projiziertes, oder geben Sie Zellgrößen in Grad an, ohne Einheit.</translation>
  </message>
  <message>
   <location filename="core/space/support.py" />
   <source>weights in `within` must be zero or more; one is {1}: mark it as no data, or set it to zero where no records can be.</source>
   <translation>Gewichte in `within` müssen null oder mehr sein; eines ist {1}: Kennzeichnen Sie es als fehlend, oder setzen Sie es auf null, wo keine Datensätze sein können.</translation>
  </message>
  <message>
   <location filename="core/space/support.py" />
   <source>negative</source>
   <translation>negativ</translation>
  </message>
  <message>
   <location filename="core/space/support.py" />
   <source>no finite number</source>
   <translation>keine endliche Zahl</translation>
  </message>
  <message>
   <location filename="core/space/support.py" />
   <source>weights of where records can be must be rows of whole numbers, at most {1} of them; got {2} of shape {3}.</source>
   <translation>Gewichte dessen, wo Datensätze sein können, müssen Zeilen ganzer Zahlen sein, höchstens {1}; angegeben ist {2} der Form {3}.</translation>
  </message>
  <message>
   <location filename="core/space/support.py" />
   <source>weights of where records can be must lie from 0 to {1}.</source>
   <translation>Gewichte dessen, wo Datensätze sein können, müssen von 0 bis {1} liegen.</translation>
  </message>
  <message>
   <location filename="core/space/support.py" />
   <source>`within` must leave a place for records inside the bounds; this one leaves none: check its CRS and the bounds.</source>
   <translation>`within` muss innerhalb der Ausdehnung einen Platz für Datensätze lassen; dieses lässt keinen: Prüfen Sie sein KBS und die Ausdehnung.</translation>
  </message>
  <message>
   <location filename="core/space/support.py" />
   <source>pixels must be wider than float64 can resolve at these bounds.</source>
   <translation>Pixel müssen breiter sein, als float64 bei dieser Ausdehnung auflöst.</translation>
  </message>
  <message>
   <location filename="core/space/support.py" />
   <source>weights of where records can be have {1} significant bits.</source>
   <translation>Gewichte dessen, wo Datensätze sein können, haben {1} gültige Bits.</translation>
  </message>
  <message>
   <location filename="core/space/tree.py" />
   <source>a tree must end with the first depth at which no node is split.</source>
   <translation>Ein Baum muss mit der ersten Tiefe enden, in der kein Knoten geteilt ist.</translation>
  </message>
  <message>
   <location filename="core/space/tree.py" />
   <source>a tree needs a flag for each of the {1} nodes at depth {2}, and none may be split at depth {3}; got {4}.</source>
   <translation>Ein Baum braucht für jeden der {1} Knoten in Tiefe {2} eine Angabe, und in Tiefe {3} darf keiner geteilt sein; angegeben ist {4}.</translation>
  </message>
  <message>
   <location filename="core/views/dots.py" />
   <source>a point must stand for a whole number of records from 1; got {1}.</source>
   <translation>Ein Punkt muss für eine ganze Zahl von Datensätzen ab 1 stehen; angegeben ist {1}.</translation>
  </message>
  <message>
   <location filename="core/views/dots.py" />
   <source>a layer has at most {1} points; this release needs about {2}: let each stand for more records.</source>
   <translation>Ein Layer hat höchstens {1} Punkte; diese Veröffentlichung braucht etwa {2}: Lassen Sie jeden für mehr Datensätze stehen.</translation>
  </message>
  <message>
   <location filename="core/views/means.py" />
   <source>a map of means needs a release with an amount; this one has counts alone: show the best guess, or make a release with `amount`.</source>
   <translation>Eine Karte von Mitteln braucht eine Veröffentlichung mit einem Betrag; diese hat nur Zahlen: Zeigen Sie die beste Schätzung, oder veröffentlichen Sie mit `amount`.</translation>
  </message>
  <message>
   <location filename="core/views/raster_cells.py" />
   <source>resolution must be a length above 0; got {1}.</source>
   <translation>Die Auflösung muss eine Länge über 0 sein; angegeben ist {1}.</translation>
  </message>
  <message>
   <location filename="core/kernel/kernel.py" />
   <source>discrete Laplace noise</source>
   <translation>diskretes Laplace-Rauschen</translation>
  </message>
  <message>
   <location filename="core/mechanisms/district_growth.py" />
   <source>discrete Laplace noise on unions of districts</source>
   <translation>diskretes Laplace-Rauschen auf Zusammenschlüssen von Bezirken</translation>
  </message>
  <message>
   <location filename="core/mechanisms/district_growth.py" />
   <source>discrete Laplace noise along every path</source>
   <translation>diskretes Laplace-Rauschen entlang jedes Pfades</translation>
  </message>
  <message>
   <location filename="core/mechanisms/districts.py" />
   <source>discrete Laplace noise on the counts of {1}</source>
   <translation>diskretes Laplace-Rauschen auf den Zahlen von {1}</translation>
  </message>
  <message>
   <location filename="core/mechanisms/growth.py" />
   <source>discrete Laplace noise on the root cells</source>
   <translation>diskretes Laplace-Rauschen auf den Wurzelzellen</translation>
  </message>
  <message>
   <location filename="core/mechanisms/selection.py" />
   <source>discrete Laplace noise on {1} × {2} coarse counts</source>
   <translation>diskretes Laplace-Rauschen auf {1} × {2} groben Zahlen</translation>
  </message>
  <message>
   <location filename="core/mechanisms/tuners.py" />
   <source>permute-and-flip on generalized exponential scores</source>
   <translation>Permute-and-flip auf verallgemeinerten exponentiellen Bewertungen</translation>
  </message>
  <message>
   <location filename="core/mechanisms/tuners.py" />
   <source>exponential mechanism on the paper's scores, repaired</source>
   <translation>Exponentialmechanismus auf den Bewertungen des Aufsatzes, berichtigt</translation>
  </message>
  <message>
   <location filename="core/releases/cell_words.py" />
   <source>{1} cells</source>
   <translation>{1} Zellen</translation>
  </message>
  <message>
   <location filename="core/releases/cell_words.py" />
   <source>{1} × {2} cells</source>
   <translation>{1} × {2} Zellen</translation>
  </message>
  <message>
   <location filename="core/releases/cell_words.py" />
   <source>{1} cells in {2} districts</source>
   <translation>{1} Zellen in {2} Bezirken</translation>
  </message>
  <message>
   <location filename="core/releases/cell_words.py" />
   <source>{1} cells of {2}</source>
   <translation>{1} Zellen von {2}</translation>
  </message>
  <message>
   <location filename="core/releases/cell_words.py" />
   <source>{1} districts</source>
   <translation>{1} Bezirke</translation>
  </message>
  <message>
   <location filename="core/releases/cell_words.py" />
   <source>{1} of unequal size</source>
   <translation>{1} von ungleicher Größe</translation>
  </message>
  <message>
   <location filename="core/releases/cell_words.py" />
   <source>{1} to {2}</source>
   <translation>{1} bis {2}</translation>
  </message>
  <message>
   <location filename="core/releases/cell_words.py" />
   <source>{1} to {2} {3}</source>
   <translation>{1} bis {2} {3}</translation>
  </message>
  <message>
   <location filename="core/releases/cell_words.py" />
   <source>square degrees</source>
   <translation>Quadratgrad</translation>
  </message>
  <message>
   <location filename="core/releases/cell_words.py" />
   <source>km²</source>
   <translation>km²</translation>
  </message>
  <message>
   <location filename="core/releases/cell_words.py" />
   <source>{1} of {2}: {3}{4}</source>
   <translation>{1} von {2}: {3}{4}</translation>
  </message>
  <message>
   <location filename="core/releases/cell_words.py" />
   <source>none of {1}</source>
   <translation>keiner von {1}</translation>
  </message>
  <message>
   <location filename="core/releases/cell_words.py" />
   <source>{1} rows × {2} columns</source>
   <translation>{1} Zeilen × {2} Spalten</translation>
  </message>
  <message>
   <location filename="core/releases/cell_words.py" />
   <source>{1} of {2} rows × {3} columns</source>
   <translation>{1} von {2} Zeilen × {3} Spalten</translation>
  </message>
  <message>
   <location filename="core/releases/describe.py" />
   <source>no: made with a seed, for tests</source>
   <translation>nein: mit einem Startwert gemacht, für Tests</translation>
  </message>
  <message>
   <location filename="core/releases/describe.py" />
   <source>yes</source>
   <translation>ja</translation>
  </message>
  <message>
   <location filename="core/releases/describe.py" />
   <source>one {1} more or less</source>
   <translation>{1}: eins mehr oder weniger</translation>
  </message>
  <message>
   <location filename="core/releases/describe.py" />
   <source>one {1} exchanged for another</source>
   <translation>{1}: eins gegen ein anderes getauscht</translation>
  </message>
  <message>
   <location filename="core/releases/describe.py" />
   <source>discrete Laplace of scale {1} on every count</source>
   <translation>diskretes Laplace-Rauschen der Skala {1} auf jeder Zahl</translation>
  </message>
  <message>
   <location filename="core/releases/describe.py" />
   <source>discrete Laplace of scales from {1} to {2} on the counts</source>
   <translation>diskretes Laplace-Rauschen der Skalen von {1} bis {2} auf den Zahlen</translation>
  </message>
  <message>
   <location filename="core/releases/describe.py" />
   <source>{1}, in sums of {2} of them</source>
   <translation>{1}, in Summen von {2} davon</translation>
  </message>
  <message>
   <location filename="core/releases/describe.py" />
   <source>{1} (from {2} to {3})</source>
   <translation>{1} (von {2} bis {3})</translation>
  </message>
  <message>
   <location filename="core/releases/describe.py" />
   <source>the exact sampler of geodp</source>
   <translation>dem exakten Verfahren von geodp</translation>
  </message>
  <message>
   <location filename="core/releases/describe.py" />
   <source>the sampler of OpenDP</source>
   <translation>dem Verfahren von OpenDP</translation>
  </message>
  <message>
   <location filename="core/releases/describe.py" />
   <source>Groups by {1}</source>
   <translation>Gruppen nach {1}</translation>
  </message>
  <message>
   <location filename="core/releases/describe.py" />
   <source>{1} of them</source>
   <translation>{1} davon</translation>
  </message>
  <message>
   <location filename="core/releases/describe.py" />
   <source>{1}, each with a standard error of {2}</source>
   <translation>{1}, jede mit einem Standardfehler von {2}</translation>
  </message>
  <message>
   <location filename="core/releases/describe.py" />
   <source>nothing: the cells are given</source>
   <translation>nichts: die Zellen sind gegeben</translation>
  </message>
  <message>
   <location filename="core/releases/describe.py" />
   <source>growth: spend a little, look, and go on where it pays</source>
   <translation>growth: wenig ausgeben, hinsehen, und weitermachen, wo es sich lohnt</translation>
  </message>
  <message>
   <location filename="core/releases/describe.py" />
   <source>influence: the least error to be expected over the regions</source>
   <translation>influence: der kleinste zu erwartende Fehler über die Gebiete</translation>
  </message>
  <message>
   <location filename="core/releases/describe.py" />
   <source>e2epriv: the scores of Fanaeepour and Rubinstein (2017), repaired</source>
   <translation>e2epriv: die Bewertungen von Fanaeepour und Rubinstein (2017), berichtigt</translation>
  </message>
  <message>
   <location filename="core/releases/describe.py" />
   <source>none: a single candidate</source>
   <translation>keine: eine einzige Möglichkeit</translation>
  </message>
  <message>
   <location filename="core/releases/describe.py" />
   <source>none: the cells are given</source>
   <translation>keine: die Zellen sind gegeben</translation>
  </message>
  <message>
   <location filename="core/releases/describe.py" />
   <source>ε for {1}</source>
   <translation>ε für {1}</translation>
  </message>
  <message>
   <location filename="core/releases/describe.py" />
   <source>the number of all records</source>
   <translation>die Zahl aller Datensätze</translation>
  </message>
  <message>
   <location filename="core/releases/describe.py" />
   <source>a first look at where records are</source>
   <translation>einen ersten Blick darauf, wo Datensätze sind</translation>
  </message>
  <message>
   <location filename="core/releases/describe.py" />
   <source>looking closer where it pays, and counting</source>
   <translation>genaueres Hinsehen, wo es sich lohnt, und Zählen</translation>
  </message>
  <message>
   <location filename="core/releases/describe.py" />
   <source>a coarse look at where records are</source>
   <translation>einen groben Blick darauf, wo Datensätze sind</translation>
  </message>
  <message>
   <location filename="core/releases/describe.py" />
   <source>choosing the size of the cells</source>
   <translation>die Wahl der Zellgröße</translation>
  </message>
  <message>
   <location filename="core/releases/describe.py" />
   <source>counting</source>
   <translation>das Zählen</translation>
  </message>
  <message>
   <location filename="core/releases/describe.py" />
   <source>{1} with a standard error of {2}{3}</source>
   <translation>{1} mit einem Standardfehler von {2}{3}</translation>
  </message>
  <message>
   <location filename="core/releases/describe.py" />
   <source>, counting {1}</source>
   <translation>; gezählt werden {1}</translation>
  </message>
  <message>
   <location filename="core/releases/describe.py" />
   <source>in {1} % of the extent, by a public layer</source>
   <translation>in {1} % der Ausdehnung, nach einem öffentlichen Layer</translation>
  </message>
  <message>
   <location filename="core/releases/describe.py" />
   <source>Group by {1}</source>
   <translation>Gruppe nach {1}</translation>
  </message>
  <message>
   <location filename="core/releases/describe.py" />
   <source>all together</source>
   <translation>alle zusammen</translation>
  </message>
  <message>
   <location filename="geodp_qgis/algorithms/base.py" />
   <source>'Cells'</source>
   <translation>„Zellen“</translation>
  </message>
  <message>
   <location filename="geodp_qgis/algorithms/base.py" />
   <source>'Candidate sizes'</source>
   <translation>„Mögliche Größen“</translation>
  </message>
  <message>
   <location filename="geodp_qgis/algorithms/base.py" />
   <source>'Sizes of cells'</source>
   <translation>„Größen der Zellen“</translation>
  </message>
  <message>
   <location filename="geodp_qgis/algorithms/base.py" />
   <source>'Regions that should come out well'</source>
   <translation>„Gebiete, auf die es ankommt“</translation>
  </message>
  <message>
   <location filename="geodp_qgis/algorithms/base.py" />
   <source>'Tuner'</source>
   <translation>„Wahlverfahren“</translation>
  </message>
  <message>
   <location filename="geodp_qgis/algorithms/base.py" />
   <source>'Share of ε for choosing the cell size'</source>
   <translation>„Anteil von ε für die Wahl der Zellgröße“</translation>
  </message>
  <message>
   <location filename="geodp_qgis/algorithms/base.py" />
   <source>'Smallest cells that make sense'</source>
   <translation>„Kleinste sinnvolle Zellen“</translation>
  </message>
  <message>
   <location filename="geodp_qgis/algorithms/base.py" />
   <source>'Its values'</source>
   <translation>„Seine Werte“</translation>
  </message>
  <message>
   <location filename="geodp_qgis/algorithms/base.py" />
   <source>'Limits'</source>
   <translation>„Grenzen“</translation>
  </message>
  <message>
   <location filename="geodp_qgis/algorithms/base.py" />
   <source>'Most records of each person to count'</source>
   <translation>„Höchstzahl gezählter Datensätze je Person“</translation>
  </message>
  <message>
   <location filename="geodp_qgis/algorithms/base.py" />
   <source>'Also add up, and average'</source>
   <translation>„Auch aufsummieren und mitteln“</translation>
  </message>
  <message>
   <location filename="geodp_qgis/algorithms/base.py" />
   <source>'Make one map per value of'</source>
   <translation>„Eine Karte machen je Wert von“</translation>
  </message>
  <message>
   <location filename="geodp_qgis/algorithms/base.py" />
   <source>'Name of a map for all other values'</source>
   <translation>„Name einer Karte für alle anderen Werte“</translation>
  </message>
  <message>
   <location filename="geodp_qgis/algorithms/base.py" />
   <source>'Where records can be'</source>
   <translation>„Wo Datensätze sein können“</translation>
  </message>
  <message>
   <location filename="geodp_qgis/algorithms/base.py" />
   <source>'Fix geometries'</source>
   <translation>„Geometrien reparieren“</translation>
  </message>
  <message>
   <location filename="geodp_qgis/algorithms/base.py" />
   <source>'Go on where inputs look like a mistake'</source>
   <translation>„Fortfahren, wo Eingaben nach einem Versehen aussehen“</translation>
  </message>
 </context>
</TS>
