<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="de" sourcelanguage="en">
 <context>
  <name>geodp</name>
  <message>
   <location filename="geodp_qgis/adapters.py" />
   <source>A coordinate reference system is needed; choose a projected one for your region.</source>
   <translation>Ein Koordinatenbezugssystem wird gebraucht; wählen Sie ein projiziertes für Ihre Gegend.</translation>
  </message>
  <message>
   <location filename="geodp_qgis/adapters.py" />
   <source>This QGIS does not know the release's coordinate system.</source>
   <translation>Dieses QGIS kennt das Koordinatensystem der Veröffentlichung nicht.</translation>
  </message>
  <message>
   <location filename="geodp_qgis/adapters.py" />
   <source>The extent must be a rectangle; this one is missing or has no area.</source>
   <translation>Die Ausdehnung muss ein Rechteck sein; dieses fehlt oder hat keine Fläche.</translation>
  </message>
  <message>
   <location filename="geodp_qgis/adapters.py" />
   <source>The extent must lie where its coordinate system is meant to be used; {} lies outside the area of {}: check the order of the numbers and the CRS.</source>
   <translation>Die Ausdehnung muss dort liegen, wo ihr Koordinatensystem gebraucht wird; {} liegt außerhalb des Gebiets von {}: Prüfen Sie die Reihenfolge der Zahlen und das KBS.</translation>
  </message>
  <message>
   <location filename="geodp_qgis/adapters.py" />
   <source>this CRS</source>
   <translation>dieses KBS</translation>
  </message>
  <message>
   <location filename="geodp_qgis/algorithms/about.py" />
   <source>About a private histogram</source>
   <translation>Über ein privates Histogramm</translation>
  </message>
  <message>
   <location filename="geodp_qgis/algorithms/about.py" />
   <source>Says what a released raster promises, what it cost and how noisy it is.</source>
   <translation>Sagt, was ein veröffentlichtes Raster verspricht, was es gekostet hat und wie verrauscht es ist.</translation>
  </message>
  <message>
   <location filename="geodp_qgis/algorithms/about.py" />
   <source>A page, to which the Results Viewer links under this name.</source>
   <translation>Eine Seite, zu der die Ergebnisanzeige unter diesem Namen führt.</translation>
  </message>
  <message>
   <location filename="geodp_qgis/algorithms/about.py" />
   <source>privacy,metadata,promise,epsilon,budget</source>
   <translation>Privatsphäre,Metadaten,Versprechen,Epsilon,Budget</translation>
  </message>
  <message>
   <location filename="geodp_qgis/algorithms/about.py" />
   <source>What the histogram promises</source>
   <translation>Was das Histogramm verspricht</translation>
  </message>
  <message>
   <location filename="geodp_qgis/algorithms/about.py" />
   <source>HTML files (*.html)</source>
   <translation>HTML-Dateien (*.html)</translation>
  </message>
  <message>
   <location filename="geodp_qgis/algorithms/about.py" />
   <source>Promise in one sentence</source>
   <translation>Versprechen in einem Satz</translation>
  </message>
  <message>
   <location filename="geodp_qgis/algorithms/about.py" />
   <source>ε that was spent</source>
   <translation>ε, das ausgegeben wurde</translation>
  </message>
  <message>
   <location filename="geodp_qgis/algorithms/about.py" />
   <source>About this private histogram</source>
   <translation>Über dieses private Histogramm</translation>
  </message>
  <message>
   <location filename="geodp_qgis/algorithms/about.py" />
   <source>ε added up again, from the counts</source>
   <translation>ε noch einmal zusammengezählt, aus den Zahlen</translation>
  </message>
  <message>
   <location filename="geodp_qgis/algorithms/about.py" />
   <source>Counts are signed: where few records lie, the noise makes some of them negative. Leave them so, since sums over many cells then come out right. For totals with error bars use 'Query a private histogram'.</source>
   <translation>Die Zahlen haben Vorzeichen: Wo wenige Datensätze liegen, macht das Rauschen manche negativ. Lassen Sie sie so, denn dann stimmen Summen über viele Zellen. Für Summen mit Fehlerangabe nehmen Sie „Ein privates Histogramm befragen“.</translation>
  </message>
  <message>
   <location filename="geodp_qgis/algorithms/accounts.py" />
   <source>Ledger (empty: in the QGIS profile)</source>
   <translation>Kassenbuch (leer: im QGIS-Profil)</translation>
  </message>
  <message>
   <location filename="geodp_qgis/algorithms/accounts.py" />
   <source>Most ε for a layer whose data have no name in the ledger (0: do not record it)</source>
   <translation>Größtes ε für einen Layer, dessen Daten keinen Namen im Kassenbuch haben (0: nicht verbuchen)</translation>
  </message>
  <message>
   <location filename="geodp_qgis/algorithms/accounts.py" />
   <source>The folder of the ledger must exist; there is no {}.</source>
   <translation>Der Ordner des Kassenbuchs muss vorhanden sein; es gibt kein {}.</translation>
  </message>
  <message>
   <location filename="geodp_qgis/algorithms/amounts.py" />
   <source>A field to add up needs both bounds, from public knowledge: type them in.</source>
   <translation>Ein Feld zum Aufsummieren braucht beide Schranken, aus öffentlichem Wissen: Geben Sie sie ein.</translation>
  </message>
  <message>
   <location filename="geodp_qgis/algorithms/amounts.py" />
   <source>A field of numbers, such as a damage or a delay: sums and means come beside the counts, for the same ε. Say below between which bounds it lies. Records without a number there are not counted.</source>
   <translation>Ein Feld mit Zahlen, etwa ein Schaden oder eine Verspätung: Summen und Mittel stehen neben den Zahlen, für dasselbe ε. Sagen Sie unten, zwischen welchen Schranken es liegt. Datensätze ohne eine Zahl darin werden nicht gezählt.</translation>
  </message>
  <message>
   <location filename="geodp_qgis/algorithms/amounts.py" />
   <source>Also add up, and average</source>
   <translation>Auch aufsummieren und mitteln</translation>
  </message>
  <message>
   <location filename="geodp_qgis/algorithms/amounts.py" />
   <source>Its lower bound (public)</source>
   <translation>Seine untere Schranke (öffentlich)</translation>
  </message>
  <message>
   <location filename="geodp_qgis/algorithms/amounts.py" />
   <source>Its upper bound (public)</source>
   <translation>Seine obere Schranke (öffentlich)</translation>
  </message>
  <message>
   <location filename="geodp_qgis/algorithms/amounts.py" />
   <source>What lies beyond counts as the bound. Never read it off the points; an upper bound of two to five times the mean that you expect is best.</source>
   <translation>Was darüber hinausgeht, zählt wie die Schranke. Lesen Sie sie nie von den Punkten ab; am besten ist eine obere Schranke vom Zwei- bis Fünffachen des Mittels, das Sie erwarten.</translation>
  </message>
  <message>
   <location filename="geodp_qgis/algorithms/amounts.py" />
   <source>Bounds are those of a field to add up: choose it in 'Also add up, and average'.</source>
   <translation>Schranken gehören zu einem Feld zum Aufsummieren: Wählen Sie es in „Auch aufsummieren und mitteln“.</translation>
  </message>
  <message>
   <location filename="geodp_qgis/algorithms/amounts.py" />
   <source>What is added up must be a field of numbers of the layer; '{}' is none.</source>
   <translation>Aufsummiert wird ein Feld des Layers mit Zahlen; „{}“ ist keines.</translation>
  </message>
  <message>
   <location filename="geodp_qgis/algorithms/base.py" />
   <source>Cancelled: no layer was written.</source>
   <translation>Abgebrochen: Es wurde kein Layer geschrieben.</translation>
  </message>
  <message>
   <location filename="geodp_qgis/algorithms/base.py" />
   <source>Publish</source>
   <translation>Veröffentlichen</translation>
  </message>
  <message>
   <location filename="geodp_qgis/algorithms/base.py" />
   <source>Use a release</source>
   <translation>Veröffentlichung nutzen</translation>
  </message>
  <message>
   <location filename="geodp_qgis/algorithms/base.py" />
   <source>geodp cannot run in this QGIS, which lacks a part: {}</source>
   <translation>geodp läuft in diesem QGIS nicht, weil ein Teil fehlt: {}</translation>
  </message>
  <message>
   <location filename="geodp_qgis/algorithms/candidate_grids.py" />
   <source>Candidate grids</source>
   <translation>Mögliche Gitter</translation>
  </message>
  <message>
   <location filename="geodp_qgis/algorithms/candidate_grids.py" />
   <source>Draws the grids that a private histogram would choose from; costs no budget.</source>
   <translation>Zeichnet die Gitter, unter denen ein privates Histogramm wählen würde; kostet kein Budget.</translation>
  </message>
  <message>
   <location filename="geodp_qgis/algorithms/candidate_grids.py" />
   <source>The cells of all candidates; the field 'candidate' says which they belong to.</source>
   <translation>Die Zellen aller möglichen Gitter; das Feld „candidate“ sagt, zu welchem sie gehören.</translation>
  </message>
  <message>
   <location filename="geodp_qgis/algorithms/candidate_grids.py" />
   <source>No points were read and no budget was spent.</source>
   <translation>Es wurden keine Punkte gelesen und kein Budget ausgegeben.</translation>
  </message>
  <message>
   <location filename="geodp_qgis/algorithms/candidate_grids.py" />
   <source>privacy,grid,cells,preview</source>
   <translation>Privatsphäre,Gitter,Zellen,Vorschau</translation>
  </message>
  <message>
   <location filename="geodp_qgis/algorithms/candidate_grids.py" />
   <source>Candidate: {}.</source>
   <translation>Möglich: {}.</translation>
  </message>
  <message>
   <location filename="geodp_qgis/algorithms/change.py" />
   <source>Change between two maps</source>
   <translation>Veränderung zwischen zwei Karten</translation>
  </message>
  <message>
   <location filename="geodp_qgis/algorithms/change.py" />
   <source>Subtracts an earlier private histogram from a later one, with error bars.</source>
   <translation>Zieht ein früheres privates Histogramm von einem späteren ab, mit Fehlerangabe.</translation>
  </message>
  <message>
   <location filename="geodp_qgis/algorithms/change.py" />
   <source>A GeoTIFF or GeoPackage of counts that geodp wrote.</source>
   <translation>Ein GeoTIFF oder GeoPackage mit Zahlen, das geodp geschrieben hat.</translation>
  </message>
  <message>
   <location filename="geodp_qgis/algorithms/change.py" />
   <source>Where it has several maps, such as 2024; empty: all of them added up.</source>
   <translation>Wo es mehrere Karten hat, etwa 2024; leer: alle zusammengezählt.</translation>
  </message>
  <message>
   <location filename="geodp_qgis/algorithms/change.py" />
   <source>Another one with the same extent and CRS; or the same, for two of its maps.</source>
   <translation>Ein anderes mit derselben Ausdehnung und demselben KBS; oder dasselbe, für zwei seiner Karten.</translation>
  </message>
  <message>
   <location filename="geodp_qgis/algorithms/change.py" />
   <source>Where it has several maps, such as 2025; empty: all of them added up.</source>
   <translation>Wo es mehrere Karten hat, etwa 2025; leer: alle zusammengezählt.</translation>
  </message>
  <message>
   <location filename="geodp_qgis/algorithms/change.py" />
   <source>A GeoTIFF with the change in band 1 and its standard error in band 2. It is no release. Of districts and hexagons, there is the change as cells instead.</source>
   <translation>Ein GeoTIFF mit der Veränderung in Kanal 1 und ihrem Standardfehler in Kanal 2. Es ist keine Veröffentlichung. Von Bezirken und Sechsecken gibt es stattdessen die Veränderung als Zellen.</translation>
  </message>
  <message>
   <location filename="geodp_qgis/algorithms/change.py" />
   <source>The same, one polygon per cell, in the fields difference, std_error and z_score (their ratio).</source>
   <translation>Dasselbe, ein Polygon je Zelle, in den Feldern difference, std_error und z_score (ihr Verhältnis).</translation>
  </message>
  <message>
   <location filename="geodp_qgis/algorithms/change.py" />
   <source>Asking costs no budget: only published counts were read.</source>
   <translation>Fragen kostet kein Budget: Nur veröffentlichte Zahlen wurden gelesen.</translation>
  </message>
  <message>
   <location filename="geodp_qgis/algorithms/change.py" />
   <source>Say where the change shall be written.</source>
   <translation>Sagen Sie, wohin die Veränderung geschrieben werden soll.</translation>
  </message>
  <message>
   <location filename="geodp_qgis/algorithms/change.py" />
   <source>privacy,difference,subtract,before,after,trend</source>
   <translation>Privatsphäre,Differenz,abziehen,vorher,nachher,Trend</translation>
  </message>
  <message>
   <location filename="geodp_qgis/algorithms/change.py" />
   <source>Earlier private histogram</source>
   <translation>Früheres privates Histogramm</translation>
  </message>
  <message>
   <location filename="geodp_qgis/algorithms/change.py" />
   <source>…of which the map named</source>
   <translation>…davon die Karte mit dem Namen</translation>
  </message>
  <message>
   <location filename="geodp_qgis/algorithms/change.py" />
   <source>Later private histogram</source>
   <translation>Späteres privates Histogramm</translation>
  </message>
  <message>
   <location filename="geodp_qgis/algorithms/change.py" />
   <source>Change</source>
   <translation>Veränderung</translation>
  </message>
  <message>
   <location filename="geodp_qgis/algorithms/change.py" />
   <source>Change as cells</source>
   <translation>Veränderung als Zellen</translation>
  </message>
  <message>
   <location filename="geodp_qgis/algorithms/change.py" />
   <source>'{}' names one of several maps, and that private histogram has but one.</source>
   <translation>„{}“ nennt eine von mehreren Karten, und dieses private Histogramm hat nur eine.</translation>
  </message>
  <message>
   <location filename="geodp_qgis/algorithms/declared.py" />
   <source>A field that records are told apart by must have a declared type; in this layer types are inferred from the records, and one record could change the values of all: export the layer to GeoPackage and use that.</source>
   <translation>Ein Feld, das Datensätze unterscheidet, muss einen festgelegten Typ haben; in diesem Layer werden Typen aus den Datensätzen erschlossen, und ein Datensatz könnte die Werte aller ändern: Exportieren Sie den Layer in ein GeoPackage und nehmen Sie dieses.</translation>
  </message>
  <message>
   <location filename="geodp_qgis/algorithms/declared.py" />
   <source>A filter needs fields of a declared type; in this layer types are inferred from the records, and one record could change which others are counted: export the layer to GeoPackage and filter that.</source>
   <translation>Ein Filter braucht Felder mit festgelegtem Typ; in diesem Layer werden Typen aus den Datensätzen erschlossen, und ein Datensatz könnte ändern, welche anderen gezählt werden: Exportieren Sie den Layer in ein GeoPackage und filtern Sie dieses.</translation>
  </message>
  <message>
   <location filename="geodp_qgis/algorithms/declared.py" />
   <source>A field that records are told apart by must be stored in the layer; '{}' is joined or computed: export the layer to GeoPackage and use that.</source>
   <translation>Ein Feld, das Datensätze unterscheidet, muss im Layer gespeichert sein; „{}“ ist verknüpft oder berechnet: Exportieren Sie den Layer in ein GeoPackage und nehmen Sie dieses.</translation>
  </message>
  <message>
   <location filename="geodp_qgis/algorithms/framing.py" />
   <source>The rectangle that is counted, known to everybody: a city, a country, a round box. Do not take it from the points: their extent tells where the outermost ones are.</source>
   <translation>Das Rechteck, in dem gezählt wird und das alle kennen: eine Stadt, ein Land, ein Rechteck mit runden Koordinaten. Nehmen Sie es nicht von den Punkten: Deren Ausdehnung verrät, wo die äußersten liegen.</translation>
  </message>
  <message>
   <location filename="geodp_qgis/algorithms/framing.py" />
   <source>A projected coordinate system, so that cells have equal areas; degrees are refused.</source>
   <translation>Ein projiziertes Koordinatensystem, damit Zellen gleiche Flächen haben; Grad werden abgelehnt.</translation>
  </message>
  <message>
   <location filename="geodp_qgis/algorithms/framing.py" />
   <source>Its sides become whole multiples of this size, so that cells of it have their corners where everybody's have them: 1000 in units of the CRS, or 1km, 500m. On EPSG:3035 such cells carry the identifiers of the official grid of Europe.</source>
   <translation>Ihre Seiten werden ganze Vielfache dieser Größe, sodass Zellen davon ihre Ecken haben, wo alle sie haben: 1000 in Einheiten des KBS, oder 1km, 500m. In EPSG:3035 tragen solche Zellen die Kennungen des amtlichen Gitters von Europa.</translation>
  </message>
  <message>
   <location filename="geodp_qgis/algorithms/framing.py" />
   <source>Polygons, such as land or a jurisdiction, known to everybody: outside them nothing is counted, and cells that they cut are read as that part alone. Never from the points.</source>
   <translation>Polygone, etwa Land oder ein Amtsbezirk, die alle kennen: Außerhalb wird nichts gezählt, und Zellen, die sie schneiden, gelten nur mit diesem Teil. Nie aus den Punkten.</translation>
  </message>
  <message>
   <location filename="geodp_qgis/algorithms/framing.py" />
   <source>Instead of polygons: a raster with one band, such as public population. Records are taken as spread in proportion to it, and nothing is counted where it is 0 or has no data. Never from the points.</source>
   <translation>Statt Polygonen: ein Raster mit einem Kanal, etwa öffentliche Bevölkerungszahlen. Datensätze gelten als im Verhältnis dazu verteilt, und wo es 0 oder ohne Daten ist, wird nichts gezählt. Nie aus den Punkten.</translation>
  </message>
  <message>
   <location filename="geodp_qgis/algorithms/framing.py" />
   <source>Numbers of cells per side to choose from, such as 30, 40, 50, or rows x columns such as 20x30. Empty means a ladder of near-square cells: as many as 10, 14, 20, 28, 40, 57, 80, 113, 160, 226 and 320 per side make of a square.</source>
   <translation>Anzahlen von Zellen je Seite, unter denen gewählt wird, etwa 30, 40, 50, oder Zeilen x Spalten wie 20x30. Leer bedeutet eine Leiter fast quadratischer Zellen: so viele, wie 10, 14, 20, 28, 40, 57, 80, 113, 160, 226 und 320 je Seite aus einem Quadrat machen.</translation>
  </message>
  <message>
   <location filename="geodp_qgis/algorithms/framing.py" />
   <source>Sides of square cells to choose from, such as 500, 1000, 2000 in units of the CRS, or 500m, 1km, 2km, instead of the above.</source>
   <translation>Seiten quadratischer Zellen, unter denen gewählt wird, etwa 500, 1000, 2000 in Einheiten des KBS oder 500m, 1km, 2km, anstelle des Obigen.</translation>
  </message>
  <message>
   <location filename="geodp_qgis/algorithms/framing.py" />
   <source>A GeoTIFF or GeoPackage of counts that geodp wrote, from QGIS, Python or the command line.</source>
   <translation>Ein GeoTIFF oder GeoPackage mit Zahlen, das geodp geschrieben hat, aus QGIS, Python oder von der Befehlszeile.</translation>
  </message>
  <message>
   <location filename="geodp_qgis/algorithms/framing.py" />
   <source>Public extent</source>
   <translation>Öffentliche Ausdehnung</translation>
  </message>
  <message>
   <location filename="geodp_qgis/algorithms/framing.py" />
   <source>CRS of the grid (projected)</source>
   <translation>KBS des Gitters (projiziert)</translation>
  </message>
  <message>
   <location filename="geodp_qgis/algorithms/framing.py" />
   <source>Move the extent outwards to multiples of a size, such as 1km</source>
   <translation>Die Ausdehnung nach außen auf Vielfache einer Größe schieben, etwa 1km</translation>
  </message>
  <message>
   <location filename="geodp_qgis/algorithms/framing.py" />
   <source>Where records can be (public)</source>
   <translation>Wo Datensätze sein können (öffentlich)</translation>
  </message>
  <message>
   <location filename="geodp_qgis/algorithms/framing.py" />
   <source>Where records can be, as a raster of weights (public)</source>
   <translation>Wo Datensätze sein können, als Raster von Gewichten (öffentlich)</translation>
  </message>
  <message>
   <location filename="geodp_qgis/algorithms/framing.py" />
   <source>Candidate sizes: cells per side</source>
   <translation>Mögliche Größen: Zellen je Seite</translation>
  </message>
  <message>
   <location filename="geodp_qgis/algorithms/framing.py" />
   <source>…or sizes of cells, such as 5km</source>
   <translation>…oder Größen der Zellen, etwa 5km</translation>
  </message>
  <message>
   <location filename="geodp_qgis/algorithms/framing.py" />
   <source>Private histogram</source>
   <translation>Privates Histogramm</translation>
  </message>
  <message>
   <location filename="geodp_qgis/algorithms/framing.py" />
   <source>Say where records can be by polygons or by a raster, not both: empty one of them.</source>
   <translation>Sagen Sie durch Polygone oder durch ein Raster, wo Datensätze sein können, nicht beides: Leeren Sie eines davon.</translation>
  </message>
  <message>
   <location filename="geodp_qgis/algorithms/framing.py" />
   <source>'Where records can be' must leave a place for records in the extent; this layer leaves none: check its CRS and the extent.</source>
   <translation>„Wo Datensätze sein können“ muss in der Ausdehnung Platz für Datensätze lassen; dieser Layer lässt keinen: Prüfen Sie sein KBS und die Ausdehnung.</translation>
  </message>
  <message>
   <location filename="geodp_qgis/algorithms/framing.py" />
   <source>Give candidate sizes or cell sizes, not both: empty one of the two.</source>
   <translation>Geben Sie Anzahlen oder Größen von Zellen an, nicht beides: Leeren Sie eines der beiden.</translation>
  </message>
  <message>
   <location filename="geodp_qgis/algorithms/framing.py" />
   <source>{} × {} cells of {:.6g} × {:.6g} {}</source>
   <translation>{} × {} Zellen von {:.6g} × {:.6g} {}</translation>
  </message>
  <message>
   <location filename="geodp_qgis/algorithms/framing.py" />
   <source>The layer of regions cannot be opened.</source>
   <translation>Der Layer der Gebiete lässt sich nicht öffnen.</translation>
  </message>
  <message>
   <location filename="geodp_qgis/algorithms/framing.py" />
   <source>The regions need a CRS; this layer has none: set it first.</source>
   <translation>Die Gebiete brauchen ein KBS; dieser Layer hat keines: Legen Sie es erst fest.</translation>
  </message>
  <message>
   <location filename="geodp_qgis/algorithms/framing.py" />
   <source>Regions must be polygons; this layer holds {}.</source>
   <translation>Gebiete müssen Polygone sein; dieser Layer enthält {}.</translation>
  </message>
  <message>
   <location filename="geodp_qgis/algorithms/groups.py" />
   <source>A field that divides the records: kind, hour, year. All maps together cost ε once, because each record is in one of them. Say below which values.</source>
   <translation>Ein Feld, das die Datensätze aufteilt: Art, Stunde, Jahr. Alle Karten zusammen kosten ε nur einmal, weil jeder Datensatz in einer von ihnen ist. Sagen Sie darunter, welche Werte.</translation>
  </message>
  <message>
   <location filename="geodp_qgis/algorithms/groups.py" />
   <source>Values of the field, with commas, each of which gets a map. Type what everybody knows; the list is never read off the points, because it would tell what they hold. Look into the attribute table first whether values are written so, capital letters too: a map of values that no record has is noise, and ε is spent on it.</source>
   <translation>Werte des Feldes, mit Kommas, von denen jeder eine Karte bekommt. Tippen Sie, was alle wissen; die Liste wird nie aus den Punkten gelesen, weil sie verriete, was darin steht. Sehen Sie zuerst in der Attributtabelle nach, ob die Werte so geschrieben sind, auch groß und klein: eine Karte von Werten, die kein Datensatz hat, ist Rauschen, und ε ist dafür ausgegeben.</translation>
  </message>
  <message>
   <location filename="geodp_qgis/algorithms/groups.py" />
   <source>Instead: limits between numbers, between dates and times such as 2024-01-01 (ISO, in UTC) or between times of day such as 06:00. Or a word: hourly, weekday, monthly 2024-01 to 2024-12, yearly 2020 to 2024. With dates or times, QGIS's temporal controller plays the maps; times of day are those of 1970-01-01.</source>
   <translation>Stattdessen: Grenzen zwischen Zahlen, zwischen Daten und Zeiten wie 2024-01-01 (ISO, in UTC) oder zwischen Uhrzeiten wie 06:00. Oder ein Wort: hourly (stündlich), weekday (Wochentage), monthly 2024-01 to 2024-12 (monatlich), yearly 2020 to 2024 (jährlich). Mit Daten oder Zeiten spielt die Zeitsteuerung von QGIS die Karten ab; Uhrzeiten sind die des 1970-01-01.</translation>
  </message>
  <message>
   <location filename="geodp_qgis/algorithms/groups.py" />
   <source>Empty: records with other values are not counted.</source>
   <translation>Leer: Datensätze mit anderen Werten werden nicht gezählt.</translation>
  </message>
  <message>
   <location filename="geodp_qgis/algorithms/groups.py" />
   <source>A second field, crossed with the first: theft in 2024, theft in 2025, and so on. Then write before each list whose it is: kind=theft, assault as values and time=2024-01-01, 2025-01-01 as limits, or kind=theft, assault; year=2024, 2025 in one box. All maps together still cost ε once.</source>
   <translation>Ein zweites Feld, mit dem ersten gekreuzt: Diebstahl 2024, Diebstahl 2025 und so weiter. Dann schreiben Sie vor jede Liste, wessen sie ist: kind=theft, assault als Werte und time=2024-01-01, 2025-01-01 als Grenzen, oder kind=theft, assault; year=2024, 2025 in einem Feld. Alle Karten zusammen kosten ε weiterhin nur einmal.</translation>
  </message>
  <message>
   <location filename="geodp_qgis/algorithms/groups.py" />
   <source>Make one map per value of</source>
   <translation>Eine Karte machen je Wert von</translation>
  </message>
  <message>
   <location filename="geodp_qgis/algorithms/groups.py" />
   <source>Its values, a public list: theft, assault</source>
   <translation>Seine Werte, eine öffentliche Liste: Diebstahl, Überfall</translation>
  </message>
  <message>
   <location filename="geodp_qgis/algorithms/groups.py" />
   <source>…or limits between them: 6, 12, 18</source>
   <translation>…oder Grenzen dazwischen: 6, 12, 18</translation>
  </message>
  <message>
   <location filename="geodp_qgis/algorithms/groups.py" />
   <source>Name of a map for all other values</source>
   <translation>Name einer Karte für alle anderen Werte</translation>
  </message>
  <message>
   <location filename="geodp_qgis/algorithms/groups.py" />
   <source>Make one map per value of that field and of</source>
   <translation>Eine Karte machen je Wert jenes Feldes und von</translation>
  </message>
  <message>
   <location filename="geodp_qgis/algorithms/groups.py" />
   <source>A second field is crossed with a first: choose it in 'Make one map per value of'.</source>
   <translation>Ein zweites Feld wird mit einem ersten gekreuzt: Wählen Sie es in „Eine Karte machen je Wert von“.</translation>
  </message>
  <message>
   <location filename="geodp_qgis/algorithms/groups.py" />
   <source>The field that divides records must be one of the layer's; there is no '{}'.</source>
   <translation>Das Feld, das Datensätze aufteilt, muss eines des Layers sein; „{}“ gibt es nicht.</translation>
  </message>
  <message>
   <location filename="geodp_qgis/algorithms/ledger.py" />
   <source>Ledger</source>
   <translation>Kassenbuch</translation>
  </message>
  <message>
   <location filename="geodp_qgis/algorithms/ledger.py" />
   <source>Shows how much ε was spent on which data, and how much is left.</source>
   <translation>Zeigt, wie viel ε für welche Daten ausgegeben wurde und wie viel übrig ist.</translation>
  </message>
  <message>
   <location filename="geodp_qgis/algorithms/ledger.py" />
   <source>When</source>
   <translation>Wann</translation>
  </message>
  <message>
   <location filename="geodp_qgis/algorithms/ledger.py" />
   <source>Protected</source>
   <translation>Geschützt</translation>
  </message>
  <message>
   <location filename="geodp_qgis/algorithms/ledger.py" />
   <source>What for</source>
   <translation>Wofür</translation>
  </message>
  <message>
   <location filename="geodp_qgis/algorithms/ledger.py" />
   <source>Note</source>
   <translation>Notiz</translation>
  </message>
  <message>
   <location filename="geodp_qgis/algorithms/ledger.py" />
   <source>ε = {:g} of {:g} is spent, {:g} is left.</source>
   <translation>ε = {:g} von {:g} ist ausgegeben, {:g} ist übrig.</translation>
  </message>
  <message>
   <location filename="geodp_qgis/algorithms/ledger.py" />
   <source>privacy,budget,epsilon,account,spend,cap</source>
   <translation>Privatsphäre,Budget,Epsilon,Konto,Ausgabe,Obergrenze</translation>
  </message>
  <message>
   <location filename="geodp_qgis/algorithms/ledger.py" />
   <source>What was spent on which data</source>
   <translation>Was für welche Daten ausgegeben wurde</translation>
  </message>
  <message>
   <location filename="geodp_qgis/algorithms/ledger.py" />
   <source>Number of datasets</source>
   <translation>Anzahl der Datenbestände</translation>
  </message>
  <message>
   <location filename="geodp_qgis/algorithms/ledger.py" />
   <source>Ledger of private releases</source>
   <translation>Kassenbuch privater Veröffentlichungen</translation>
  </message>
  <message>
   <location filename="geodp_qgis/algorithms/ledger.py" />
   <source>Spends are recorded before the noise is drawn and are never given back, so a run that failed afterwards is counted as well.</source>
   <translation>Ausgaben werden verbucht, bevor das Rauschen gezogen wird, und nie zurückgegeben; so zählt auch ein Lauf, der danach scheiterte.</translation>
  </message>
  <message>
   <location filename="geodp_qgis/algorithms/ledger.py" />
   <source>Protected: {}.</source>
   <translation>Geschützt: {}.</translation>
  </message>
  <message>
   <location filename="geodp_qgis/algorithms/ledger.py" />
   <source>Together the spends are ({:g}, 10⁻⁶)-differentially private, if no ε was chosen by what an earlier map showed. This is for information: the cap counts the plain sum.</source>
   <translation>Zusammen sind die Ausgaben ({:g}, 10⁻⁶)-differenziell privat, wenn kein ε danach gewählt wurde, was eine frühere Karte zeigte. Das dient der Auskunft: Die Obergrenze zählt die einfache Summe.</translation>
  </message>
  <message>
   <location filename="geodp_qgis/algorithms/ledger.py" />
   <source>There is no ledger {} yet: it is made by the first private histogram that names its data and their cap.</source>
   <translation>Es gibt noch kein Kassenbuch {}: Es entsteht mit dem ersten privaten Histogramm, das seine Daten und deren Obergrenze nennt.</translation>
  </message>
  <message>
   <location filename="geodp_qgis/algorithms/people.py" />
   <source>For data where one person can have several records. With it, people are protected, each with all their records, and counted: each person is one, spread over the places of their records. Records that name nobody are left out. Without it, records are protected, not people: somebody with ten records is protected ten times less.</source>
   <translation>Für Daten, in denen eine Person mehrere Datensätze haben kann. Mit dem Feld sind Personen geschützt, jede mit allen ihren Datensätzen, und sie werden gezählt: jede Person ist eins, verteilt auf die Orte ihrer Datensätze. Datensätze, die niemanden nennen, bleiben weg. Ohne das Feld sind Datensätze geschützt, nicht Personen: jemand mit zehn Datensätzen ist zehnmal weniger geschützt.</translation>
  </message>
  <message>
   <location filename="geodp_qgis/algorithms/people.py" />
   <source>Leave it empty to count people. With it records are counted, those of each person as at most this many; the noise grows with this number. Choose it without looking at the layer. For MultiPoint layers without a person field: the most points of each feature, which is then protected whole.</source>
   <translation>Leer lassen, um Personen zu zählen. Mit einer Zahl werden Datensätze gezählt, die jeder Person als höchstens so viele; das Rauschen wächst mit dieser Zahl. Wählen Sie sie, ohne in den Layer zu schauen. Für MultiPoint-Layer ohne Personenfeld: die meisten Punkte jedes Objekts, das dann als Ganzes geschützt ist.</translation>
  </message>
  <message>
   <location filename="geodp_qgis/algorithms/people.py" />
   <source>Field that says whose record it is</source>
   <translation>Feld, das sagt, wessen Datensatz es ist</translation>
  </message>
  <message>
   <location filename="geodp_qgis/algorithms/people.py" />
   <source>Most records of each person to count</source>
   <translation>Höchstzahl gezählter Datensätze je Person</translation>
  </message>
  <message>
   <location filename="geodp_qgis/algorithms/people.py" />
   <source>Records of each person must be at least 1; got {}.</source>
   <translation>Je Person muss mindestens 1 Datensatz zählen; angegeben ist {}.</translation>
  </message>
  <message>
   <location filename="geodp_qgis/algorithms/people.py" />
   <source>The field for persons must be one of the layer's; there is no '{}'.</source>
   <translation>Das Feld für Personen muss eines des Layers sein; es gibt kein „{}“.</translation>
  </message>
  <message>
   <location filename="geodp_qgis/algorithms/people.py" />
   <source>The field for persons must hold text or numbers; '{}' holds {}.</source>
   <translation>Das Feld für Personen muss Text oder Zahlen enthalten; „{}“ enthält {}.</translation>
  </message>
  <message>
   <location filename="geodp_qgis/algorithms/plan.py" />
   <source>Plan a private histogram</source>
   <translation>Ein privates Histogramm planen</translation>
  </message>
  <message>
   <location filename="geodp_qgis/algorithms/plan.py" />
   <source>Says what error to expect, before anything is spent. Reads no points.</source>
   <translation>Sagt, welcher Fehler zu erwarten ist, bevor etwas ausgegeben wird. Liest keine Punkte.</translation>
  </message>
  <message>
   <location filename="geodp_qgis/algorithms/plan.py" />
   <source>Polygons, public. Without them: 600 boxes from 1 % to 64 % of the area.</source>
   <translation>Öffentliche Polygone. Ohne sie: 600 Rechtecke von 1 % bis 64 % der Fläche.</translation>
  </message>
  <message>
   <location filename="geodp_qgis/algorithms/plan.py" />
   <source>Values of ε, separated by commas.</source>
   <translation>Werte von ε, durch Kommas getrennt.</translation>
  </message>
  <message>
   <location filename="geodp_qgis/algorithms/plan.py" />
   <source>A public guess of how many there will be, never a figure from the points. With it the whole error is foreseen, and which cells would suit; without it nothing is known of cells that are fine where records crowd.</source>
   <translation>Eine öffentliche Schätzung, wie viele es sein werden, nie eine Zahl aus den Punkten. Damit wird der ganze Fehler vorhergesagt, und welche Zellen passen würden; ohne sie ist über Zellen, die fein sind, wo sich Datensätze drängen, nichts bekannt.</translation>
  </message>
  <message>
   <location filename="geodp_qgis/algorithms/plan.py" />
   <source>Records to expect in each region, for example in proportion to its population.</source>
   <translation>Zu erwartende Datensätze in jedem Gebiet, zum Beispiel im Verhältnis zu seiner Einwohnerzahl.</translation>
  </message>
  <message>
   <location filename="geodp_qgis/algorithms/plan.py" />
   <source>If people shall be protected: the noise grows with this number.</source>
   <translation>Falls Personen geschützt werden sollen: Das Rauschen wächst mit dieser Zahl.</translation>
  </message>
  <message>
   <location filename="geodp_qgis/algorithms/plan.py" />
   <source>reading the regions</source>
   <translation>Gebiete werden gelesen</translation>
  </message>
  <message>
   <location filename="geodp_qgis/algorithms/plan.py" />
   <source>privacy,forecast,error,epsilon,budget,accuracy</source>
   <translation>Privatsphäre,Vorhersage,Fehler,Epsilon,Budget,Genauigkeit</translation>
  </message>
  <message>
   <location filename="geodp_qgis/algorithms/plan.py" />
   <source>Regions that will be asked about</source>
   <translation>Gebiete, nach denen gefragt werden wird</translation>
  </message>
  <message>
   <location filename="geodp_qgis/algorithms/plan.py" />
   <source>Budgets to compare</source>
   <translation>Budgets zum Vergleich</translation>
  </message>
  <message>
   <location filename="geodp_qgis/algorithms/plan.py" />
   <source>Records to expect in all, a guess</source>
   <translation>Insgesamt zu erwartende Datensätze, eine Schätzung</translation>
  </message>
  <message>
   <location filename="geodp_qgis/algorithms/plan.py" />
   <source>…or a field of the regions with such guesses</source>
   <translation>…oder ein Feld der Gebiete mit solchen Schätzungen</translation>
  </message>
  <message>
   <location filename="geodp_qgis/algorithms/plan.py" />
   <source>Errors to expect</source>
   <translation>Zu erwartende Fehler</translation>
  </message>
  <message>
   <location filename="geodp_qgis/algorithms/plan.py" />
   <source>Give the records to expect in all or a field of them, not both.</source>
   <translation>Geben Sie die insgesamt zu erwartenden Datensätze oder ein Feld davon an, nicht beides.</translation>
  </message>
  <message>
   <location filename="geodp_qgis/algorithms/plan.py" />
   <source>The field of guesses must be one of the regions'; there is no '{}'.</source>
   <translation>Das Feld der Schätzungen muss eines der Gebiete sein; es gibt kein „{}“.</translation>
  </message>
  <message>
   <location filename="geodp_qgis/algorithms/private_districts.py" />
   <source>Private counts for districts</source>
   <translation>Private Zahlen für Bezirke</translation>
  </message>
  <message>
   <location filename="geodp_qgis/algorithms/private_districts.py" />
   <source>Counts points in public polygons and adds noise that protects each one.</source>
   <translation>Zählt Punkte in öffentlichen Polygonen und fügt Rauschen hinzu, das jeden schützt.</translation>
  </message>
  <message>
   <location filename="geodp_qgis/algorithms/private_districts.py" />
   <source>Private counts of districts</source>
   <translation>Private Zahlen der Bezirke</translation>
  </message>
  <message>
   <location filename="geodp_qgis/algorithms/private_districts.py" />
   <source>The districts with 'count', its standard error and the limits of an interval that holds the true count 19 times of 20. A GeoPackage keeps style and promise, and opens as a release again.</source>
   <translation>Die Bezirke mit „count“, dem Standardfehler und den Grenzen eines Intervalls, das die wahre Zahl in 19 von 20 Fällen enthält. Ein GeoPackage behält Stil und Versprechen und öffnet sich wieder als Veröffentlichung.</translation>
  </message>
  <message>
   <location filename="geodp_qgis/algorithms/private_districts.py" />
   <source>ε above 10 and districts of a few metres are refused. Tick it if they are meant.</source>
   <translation>ε über 10 und Bezirke von wenigen Metern werden abgelehnt. Ankreuzen, wenn sie gemeint sind.</translation>
  </message>
  <message>
   <location filename="geodp_qgis/algorithms/private_districts.py" />
   <source>Points in no district are not counted; how many there are is private and is not told.</source>
   <translation>Punkte in keinem Bezirk werden nicht gezählt; wie viele es sind, ist privat und wird nicht gesagt.</translation>
  </message>
  <message>
   <location filename="geodp_qgis/algorithms/private_districts.py" />
   <source>Polygons that do not overlap, known to everybody, in any CRS: each gets one count. Points in none of them are not counted.</source>
   <translation>Polygone, die sich nicht überlappen und die jeder kennt, in einem beliebigen KBS: Jedes bekommt eine Zahl. Punkte in keinem von ihnen werden nicht gezählt.</translation>
  </message>
  <message>
   <location filename="geodp_qgis/algorithms/private_districts.py" />
   <source>Empty: the first field with another text in every district.</source>
   <translation>Leer: das erste Feld, das in jedem Bezirk einen anderen Text hat.</translation>
  </message>
  <message>
   <location filename="geodp_qgis/algorithms/private_districts.py" />
   <source>For districts in larger units, such as state and county, in this order: large units get counts of their own where that pays, and counts of all levels agree. The last field names the districts, and 'Field that names the districts' stays empty.</source>
   <translation>Für Bezirke in größeren Einheiten, etwa Land und Kreis, in dieser Reihenfolge: Große Einheiten bekommen eigene Zahlen, wo sich das lohnt, und die Zahlen aller Ebenen stimmen überein. Das letzte Feld benennt die Bezirke, und „Feld, das die Bezirke benennt“ bleibt leer.</translation>
  </message>
  <message>
   <location filename="geodp_qgis/algorithms/private_districts.py" />
   <source>reading the districts</source>
   <translation>Bezirke werden gelesen</translation>
  </message>
  <message>
   <location filename="geodp_qgis/algorithms/private_districts.py" />
   <source>privacy,differential privacy,dp,anonymize,districts,polygons,count,choropleth</source>
   <translation>Privatsphäre,Differential Privacy,DP,anonymisieren,Bezirke,Polygone,Anzahl,Choroplethe</translation>
  </message>
  <message>
   <location filename="geodp_qgis/algorithms/private_districts.py" />
   <source>Districts (public)</source>
   <translation>Bezirke (öffentlich)</translation>
  </message>
  <message>
   <location filename="geodp_qgis/algorithms/private_districts.py" />
   <source>Field that names the districts</source>
   <translation>Feld, das die Bezirke benennt</translation>
  </message>
  <message>
   <location filename="geodp_qgis/algorithms/private_districts.py" />
   <source>Fields of larger units, from the largest down to the districts</source>
   <translation>Felder größerer Einheiten, von der größten bis zu den Bezirken</translation>
  </message>
  <message>
   <location filename="geodp_qgis/algorithms/private_districts.py" />
   <source>Levels end with the districts: empty 'Field that names the districts'.</source>
   <translation>Ebenen enden mit den Bezirken: „Feld, das die Bezirke benennt“ leeren.</translation>
  </message>
  <message>
   <location filename="geodp_qgis/algorithms/private_hexagons.py" />
   <source>Private counts in hexagons</source>
   <translation>Private Zahlen in Sechsecken</translation>
  </message>
  <message>
   <location filename="geodp_qgis/algorithms/private_hexagons.py" />
   <source>Counts points in hexagons of one size and adds noise that protects each one.</source>
   <translation>Zählt Punkte in Sechsecken einer Größe und fügt Rauschen hinzu, das jeden einzelnen schützt.</translation>
  </message>
  <message>
   <location filename="geodp_qgis/algorithms/private_hexagons.py" />
   <source>Private counts of hexagons</source>
   <translation>Private Zahlen der Sechsecke</translation>
  </message>
  <message>
   <location filename="geodp_qgis/algorithms/private_hexagons.py" />
   <source>The hexagons with 'count' and its standard error. A GeoPackage keeps style and promise, and opens as a release again.</source>
   <translation>Die Sechsecke mit „count“ und seinem Standardfehler. Ein GeoPackage behält Stil und Versprechen und lässt sich wieder als Veröffentlichung öffnen.</translation>
  </message>
  <message>
   <location filename="geodp_qgis/algorithms/private_hexagons.py" />
   <source>An extent of degrees in a CRS of metres, one of a few metres, ε above 10 and cells that drown in noise are refused, because what is spent on them is lost. Tick it if they are meant.</source>
   <translation>Eine Ausdehnung in Grad bei einem KBS in Metern, eine von wenigen Metern, ε über 10 und Zellen, die im Rauschen untergehen, werden abgelehnt, weil verloren ist, was dafür ausgegeben wird. Ankreuzen, wenn sie so gemeint sind.</translation>
  </message>
  <message>
   <location filename="geodp_qgis/algorithms/private_hexagons.py" />
   <source>Points outside the extent are not counted; how many there are is private and is not told. A map of nothing but noise may mean a wrong extent or CRS.</source>
   <translation>Punkte außerhalb der Ausdehnung werden nicht gezählt; wie viele es sind, ist privat und wird nicht gesagt. Eine Karte aus nichts als Rauschen kann eine falsche Ausdehnung oder ein falsches KBS bedeuten.</translation>
  </message>
  <message>
   <location filename="geodp_qgis/algorithms/private_hexagons.py" />
   <source>A number in units of the CRS, or a length such as 500m or 5km. A hexagon has the area of about 2.6 squares of that side.</source>
   <translation>Eine Zahl in Einheiten des KBS oder eine Länge wie 500m oder 5km. Ein Sechseck hat die Fläche von etwa 2,6 Quadraten dieser Seite.</translation>
  </message>
  <message>
   <location filename="geodp_qgis/algorithms/private_hexagons.py" />
   <source>privacy,differential privacy,dp,anonymize,hexagons,hexbin,honeycomb,count</source>
   <translation>Datenschutz,Differential Privacy,dp,anonymisieren,Sechsecke,Hexagone,Waben,zählen</translation>
  </message>
  <message>
   <location filename="geodp_qgis/algorithms/private_hexagons.py" />
   <source>Side of a hexagon, such as 5km</source>
   <translation>Seite eines Sechsecks, etwa 5km</translation>
  </message>
  <message>
   <location filename="geodp_qgis/algorithms/private_histogram.py" />
   <source>Counts points on a privately chosen grid and adds noise that protects each one.</source>
   <translation>Zählt Punkte auf einem privat gewählten Gitter und fügt Rauschen hinzu, das jeden einzelnen schützt.</translation>
  </message>
  <message>
   <location filename="geodp_qgis/algorithms/private_histogram.py" />
   <source>Cells that are fine where records crowd and coarse where there are few are several times as accurate where records are uneven, as people are. One grid is easy to read and can be chosen for your regions: its regions, sizes and tuner below are for it alone.</source>
   <translation>Zellen, die fein sind, wo sich Datensätze drängen, und grob, wo es wenige gibt, sind um ein Mehrfaches genauer, wo Datensätze ungleich verteilt sind, wie Menschen es sind. Ein Gitter ist leicht zu lesen und kann für Ihre Gebiete gewählt werden: Gebiete, Größen und Wahlverfahren weiter unten gelten nur für ein Gitter.</translation>
  </message>
  <message>
   <location filename="geodp_qgis/algorithms/private_histogram.py" />
   <source>Polygons whose counts matter, such as districts: the cell size is chosen for them. Without it: 600 boxes from 1 % to 64 % of the area.</source>
   <translation>Polygone, auf deren Zahlen es ankommt, etwa Bezirke: Für sie wird die Zellgröße gewählt. Ohne sie: 600 Rechtecke von 1 % bis 64 % der Fläche.</translation>
  </message>
  <message>
   <location filename="geodp_qgis/algorithms/private_histogram.py" />
   <source>For cells that are fine where records crowd: no side is shorter. A number in units of the CRS, or a length such as 100m. Empty: they may be halved eleven times.</source>
   <translation>Für Zellen, die fein sind, wo sich Datensätze drängen: Keine Seite ist kürzer. Eine Zahl in Einheiten des KBS oder eine Länge wie 100m. Leer: Sie können elfmal halbiert werden.</translation>
  </message>
  <message>
   <location filename="geodp_qgis/algorithms/private_histogram.py" />
   <source>How the cell size is chosen: geodp's own bound, or that of the E2EPriv paper.</source>
   <translation>Wie die Zellgröße gewählt wird: nach der eigenen Schranke von geodp oder nach der des E2EPriv-Aufsatzes.</translation>
  </message>
  <message>
   <location filename="geodp_qgis/algorithms/private_histogram.py" />
   <source>Between 0 and 1. Not set: 0.1, or 0.2 for e2epriv. The rest goes to the counts.</source>
   <translation>Zwischen 0 und 1. Nicht gesetzt: 0,1, oder 0,2 bei e2epriv. Der Rest geht an die Zahlen.</translation>
  </message>
  <message>
   <location filename="geodp_qgis/algorithms/private_histogram.py" />
   <source>A GeoTIFF of signed counts that carries its own promise: see 'About …'.</source>
   <translation>Ein GeoTIFF mit Zahlen mit Vorzeichen, das sein Versprechen in sich trägt: siehe „Über …“.</translation>
  </message>
  <message>
   <location filename="geodp_qgis/algorithms/private_histogram.py" />
   <source>The same counts, one polygon per cell, in the field 'count', or with several maps in count_theft and so on. A GeoPackage keeps style and promise, and opens as a release again.</source>
   <translation>Dieselben Zahlen, ein Polygon je Zelle, im Feld „count“, oder bei mehreren Karten in count_theft und so weiter. Ein GeoPackage behält Stil und Versprechen und öffnet sich wieder als Veröffentlichung.</translation>
  </message>
  <message>
   <location filename="geodp_qgis/algorithms/private_histogram.py" />
   <source>privacy,differential privacy,dp,anonymize,grid,density,heatmap,count</source>
   <translation>Privatsphäre,Differential Privacy,dp,anonymisieren,Gitter,Dichte,Heatmap,zählen</translation>
  </message>
  <message>
   <location filename="geodp_qgis/algorithms/private_histogram.py" />
   <source>Cells</source>
   <translation>Zellen</translation>
  </message>
  <message>
   <location filename="geodp_qgis/algorithms/private_histogram.py" />
   <source>Regions that should come out well (public)</source>
   <translation>Gebiete, auf die es ankommt (öffentlich)</translation>
  </message>
  <message>
   <location filename="geodp_qgis/algorithms/private_histogram.py" />
   <source>Smallest cells that make sense, such as 100m</source>
   <translation>Kleinste sinnvolle Zellen, etwa 100m</translation>
  </message>
  <message>
   <location filename="geodp_qgis/algorithms/private_histogram.py" />
   <source>Tuner</source>
   <translation>Wahlverfahren</translation>
  </message>
  <message>
   <location filename="geodp_qgis/algorithms/private_histogram.py" />
   <source>Share of ε for choosing the cell size</source>
   <translation>Anteil von ε für die Wahl der Zellgröße</translation>
  </message>
  <message>
   <location filename="geodp_qgis/algorithms/private_histogram.py" />
   <source>Private counts</source>
   <translation>Private Zahlen</translation>
  </message>
  <message>
   <location filename="geodp_qgis/algorithms/private_histogram.py" />
   <source>Private counts as cells</source>
   <translation>Private Zahlen als Zellen</translation>
  </message>
  <message>
   <location filename="geodp_qgis/algorithms/private_histogram.py" />
   <source>Rows of the raster</source>
   <translation>Zeilen des Rasters</translation>
  </message>
  <message>
   <location filename="geodp_qgis/algorithms/private_histogram.py" />
   <source>Columns of the raster</source>
   <translation>Spalten des Rasters</translation>
  </message>
  <message>
   <location filename="geodp_qgis/algorithms/private_histogram.py" />
   <source>writing</source>
   <translation>wird geschrieben</translation>
  </message>
  <message>
   <location filename="geodp_qgis/algorithms/private_histogram.py" />
   <source>One regular grid, its size chosen privately</source>
   <translation>Ein regelmäßiges Gitter, Größe privat gewählt</translation>
  </message>
  <message>
   <location filename="geodp_qgis/algorithms/private_histogram.py" />
   <source>Fine where records crowd</source>
   <translation>Fein, wo viele liegen</translation>
  </message>
  <message>
   <location filename="geodp_qgis/algorithms/private_histogram.py" />
   <source>There is no layer of cells: {}</source>
   <translation>Es gibt keinen Layer der Zellen: {}</translation>
  </message>
  <message>
   <location filename="geodp_qgis/algorithms/private_histogram.py" />
   <source>The raster cannot be written there; ε is spent, and the release is kept in {}: copy it to where it shall be.</source>
   <translation>Das Raster lässt sich dort nicht schreiben; ε ist ausgegeben, und die Veröffentlichung liegt in {}: Kopieren Sie sie dorthin, wo sie sein soll.</translation>
  </message>
  <message>
   <location filename="geodp_qgis/algorithms/private_points.py" />
   <source>every record of the layer</source>
   <translation>jeder Datensatz des Layers</translation>
  </message>
  <message>
   <location filename="geodp_qgis/algorithms/private_points.py" />
   <source>A layer that is a query must choose rows of one layer, each by itself; this query does more (a limit, an order, groups, joins, sub-queries or functions of several records), so that one record could decide about others: use the layer itself, with a filter.</source>
   <translation>Ein Layer, der eine Abfrage ist, muss Zeilen eines einzigen Layers auswählen, jede für sich; diese Abfrage tut mehr (eine Begrenzung, eine Reihenfolge, Gruppen, Verknüpfungen, Unterabfragen oder Funktionen mehrerer Datensätze), sodass ein Datensatz über andere entscheiden könnte: Nehmen Sie den Layer selbst, mit einem Filter.</translation>
  </message>
  <message>
   <location filename="geodp_qgis/algorithms/private_points.py" />
   <source>The points need a CRS; this layer has none: set it first.</source>
   <translation>Die Punkte brauchen ein KBS; dieser Layer hat keines: Legen Sie es erst fest.</translation>
  </message>
  <message>
   <location filename="geodp_qgis/algorithms/private_points.py" />
   <source>This layer is of type MultiPoint, where one feature may hold many points: say how many may count at most, or use 'Multipart to singleparts'.</source>
   <translation>Dieser Layer ist vom Typ MultiPoint, wo ein Objekt viele Punkte haben kann: Sagen Sie, wie viele höchstens zählen, oder nehmen Sie „Mehr- zu einteilig“.</translation>
  </message>
  <message>
   <location filename="geodp_qgis/algorithms/private_points.py" />
   <source>The extent is that of the points, at least in part, or what the map shows after zooming to them, and would publish where the outermost records lie. Use a rectangle that is known without the points, such as a round box around the city, or tick the box that says that this extent is public.</source>
   <translation>Die Ausdehnung ist die der Punkte, wenigstens zum Teil, oder das, was die Karte nach dem Zoomen auf sie zeigt, und würde veröffentlichen, wo die äußersten Datensätze liegen. Nehmen Sie ein Rechteck, das ohne die Punkte bekannt ist, etwa eines mit runden Koordinaten um die Stadt, oder setzen Sie das Häkchen, das sagt, dass diese Ausdehnung öffentlich ist.</translation>
  </message>
  <message>
   <location filename="geodp_qgis/algorithms/private_points.py" />
   <source>every person, told apart by the field '{}', with all their records; each counts as one, spread over the places of their records; records without a person are not counted</source>
   <translation>jede Person, unterschieden durch das Feld „{}“, mit allen ihren Datensätzen; jede zählt als eins, verteilt auf die Orte ihrer Datensätze; Datensätze ohne Person werden nicht gezählt</translation>
  </message>
  <message>
   <location filename="geodp_qgis/algorithms/private_points.py" />
   <source>every person, told apart by the field '{}', with all their records; each counts as at most {} records; records without a person are not counted</source>
   <translation>jede Person, unterschieden durch das Feld „{}“, mit allen ihren Datensätzen; jede zählt als höchstens {} Datensätze; Datensätze ohne Person werden nicht gezählt</translation>
  </message>
  <message>
   <location filename="geodp_qgis/algorithms/private_points.py" />
   <source>selected features only</source>
   <translation>nur gewählte Objekte</translation>
  </message>
  <message>
   <location filename="geodp_qgis/algorithms/private_points.py" />
   <source>the filter of this run applies</source>
   <translation>der Filter dieses Laufs gilt</translation>
  </message>
  <message>
   <location filename="geodp_qgis/algorithms/private_points.py" />
   <source>the layer's filter applies</source>
   <translation>der Filter des Layers gilt</translation>
  </message>
  <message>
   <location filename="geodp_qgis/algorithms/private_points.py" />
   <source>Private points must be counted together; iterating over the layer would write one result for each record, and so tell how many there are: switch it off.</source>
   <translation>Private Punkte müssen zusammen gezählt werden; über den Layer zu iterieren schriebe für jeden Datensatz ein Ergebnis und verriete so, wie viele es sind: Schalten Sie es aus.</translation>
  </message>
  <message>
   <location filename="geodp_qgis/algorithms/private_points.py" />
   <source>All points of the layer must be read; a limit on the features processed would let one record decide whether another is counted, and so cost more than ε: remove the limit.</source>
   <translation>Alle Punkte des Layers müssen gelesen werden; eine Begrenzung der verarbeiteten Objekte ließe einen Datensatz darüber entscheiden, ob ein anderer gezählt wird, und kostete so mehr als ε: Entfernen Sie die Begrenzung.</translation>
  </message>
  <message>
   <location filename="geodp_qgis/algorithms/private_points.py" />
   <source>The points must be a layer, or the name of one.</source>
   <translation>Die Punkte müssen ein Layer sein oder der Name eines Layers.</translation>
  </message>
  <message>
   <location filename="geodp_qgis/algorithms/private_points.py" />
   <source>; {}: what this leaves out is not counted, and the rule by which it was chosen is not protected</source>
   <translation>; {}: Was dadurch wegbleibt, wird nicht gezählt, und die Regel, nach der gewählt wurde, ist nicht geschützt</translation>
  </message>
  <message>
   <location filename="geodp_qgis/algorithms/private_points.py" />
   <source>A point layer is needed; this one holds {}: take centroids or points on the surface first.</source>
   <translation>Ein Punktlayer wird gebraucht; dieser enthält {}: Nehmen Sie erst Schwerpunkte oder Punkte auf der Oberfläche.</translation>
  </message>
  <message>
   <location filename="geodp_qgis/algorithms/private_points.py" />
   <source>A limit of {} records needs the field that says whose record it is: choose that field, or leave the limit empty.</source>
   <translation>Eine Höchstzahl von {} Datensätzen braucht das Feld, das sagt, wessen Datensatz es ist: Wählen Sie das Feld, oder lassen Sie die Höchstzahl leer.</translation>
  </message>
  <message>
   <location filename="geodp_qgis/algorithms/private_points.py" />
   <source>One run makes one release; iterating over '{}' would make one for each feature and spend ε every time: switch it off.</source>
   <translation>Ein Lauf macht eine Veröffentlichung; über „{}“ zu iterieren machte für jedes Objekt eine und gäbe jedes Mal ε aus: Schalten Sie es aus.</translation>
  </message>
  <message>
   <location filename="geodp_qgis/algorithms/private_points.py" />
   <source>A filter of the points must judge each record by itself; with '{}' one record decides whether others are counted: use the record's own fields alone.</source>
   <translation>Ein Filter der Punkte muss jeden Datensatz für sich beurteilen; mit „{}“ entscheidet ein Datensatz, ob andere gezählt werden: Verwenden Sie nur die eigenen Felder des Datensatzes.</translation>
  </message>
  <message>
   <location filename="geodp_qgis/algorithms/private_points.py" />
   <source>every feature of the layer, with at most {} points each</source>
   <translation>jedes Objekt des Layers mit höchstens {} Punkten</translation>
  </message>
  <message>
   <location filename="geodp_qgis/algorithms/private_polygons.py" />
   <source>The output layer cannot be created.</source>
   <translation>Der Ausgabelayer lässt sich nicht anlegen.</translation>
  </message>
  <message>
   <location filename="geodp_qgis/algorithms/private_polygons.py" />
   <source>The layer cannot be written there ({}); ε is spent, and the release is kept in {}: copy it to where it shall be.</source>
   <translation>Der Layer kann dort nicht geschrieben werden ({}); ε ist ausgegeben, und die Veröffentlichung liegt in {}: Kopieren Sie sie dorthin, wo sie sein soll.</translation>
  </message>
  <message>
   <location filename="geodp_qgis/algorithms/publishing.py" />
   <source>Title</source>
   <translation>Titel</translation>
  </message>
  <message>
   <location filename="geodp_qgis/algorithms/publishing.py" />
   <source>Title of the map, for its files and pages.</source>
   <translation>Titel der Karte, für ihre Dateien und Seiten.</translation>
  </message>
  <message>
   <location filename="geodp_qgis/algorithms/publishing.py" />
   <source>What it shows</source>
   <translation>Was sie zeigt</translation>
  </message>
  <message>
   <location filename="geodp_qgis/algorithms/publishing.py" />
   <source>What it shows, in a sentence.</source>
   <translation>Was sie zeigt, in einem Satz.</translation>
  </message>
  <message>
   <location filename="geodp_qgis/algorithms/publishing.py" />
   <source>Source</source>
   <translation>Quelle</translation>
  </message>
  <message>
   <location filename="geodp_qgis/algorithms/publishing.py" />
   <source>Where the records are from.</source>
   <translation>Woher die Datensätze sind.</translation>
  </message>
  <message>
   <location filename="geodp_qgis/algorithms/publishing.py" />
   <source>Publisher</source>
   <translation>Herausgeber</translation>
  </message>
  <message>
   <location filename="geodp_qgis/algorithms/publishing.py" />
   <source>Who publishes it.</source>
   <translation>Wer sie veröffentlicht.</translation>
  </message>
  <message>
   <location filename="geodp_qgis/algorithms/publishing.py" />
   <source>Licence</source>
   <translation>Lizenz</translation>
  </message>
  <message>
   <location filename="geodp_qgis/algorithms/publishing.py" />
   <source>Under which licence.</source>
   <translation>Unter welcher Lizenz.</translation>
  </message>
  <message>
   <location filename="geodp_qgis/algorithms/publishing.py" />
   <source>Date</source>
   <translation>Datum</translation>
  </message>
  <message>
   <location filename="geodp_qgis/algorithms/publishing.py" />
   <source>Date or period, as it shall be shown.</source>
   <translation>Datum oder Zeitraum, wie er gezeigt werden soll.</translation>
  </message>
  <message>
   <location filename="geodp_qgis/algorithms/query.py" />
   <source>Query a private histogram</source>
   <translation>Ein privates Histogramm befragen</translation>
  </message>
  <message>
   <location filename="geodp_qgis/algorithms/query.py" />
   <source>Estimates the number of records in polygons from a release, with error bars.</source>
   <translation>Schätzt aus einer Veröffentlichung, wie viele Datensätze in Polygonen liegen, mit Fehlerangabe.</translation>
  </message>
  <message>
   <location filename="geodp_qgis/algorithms/query.py" />
   <source>Polygons in any CRS. Outside the release's extent they have no answer.</source>
   <translation>Polygone in beliebigem KBS. Außerhalb der Ausdehnung der Veröffentlichung haben sie keine Antwort.</translation>
  </message>
  <message>
   <location filename="geodp_qgis/algorithms/query.py" />
   <source>Adds the fields density, density_low and density_high.</source>
   <translation>Fügt die Felder density, density_low und density_high hinzu.</translation>
  </message>
  <message>
   <location filename="geodp_qgis/algorithms/query.py" />
   <source>Otherwise a broken polygon is named, and nothing is answered.</source>
   <translation>Sonst wird ein kaputtes Polygon genannt und nichts beantwortet.</translation>
  </message>
  <message>
   <location filename="geodp_qgis/algorithms/query.py" />
   <source>Between 0 and 1.</source>
   <translation>Zwischen 0 und 1.</translation>
  </message>
  <message>
   <location filename="geodp_qgis/algorithms/query.py" />
   <source>The regions with the fields estimate, std_error, noise_error, ci_low and ci_high (95 of 100 cases), border_share, covered and reliable.</source>
   <translation>Die Gebiete mit den Feldern estimate, std_error, noise_error, ci_low und ci_high (95 von 100 Fällen), border_share, covered und reliable.</translation>
  </message>
  <message>
   <location filename="geodp_qgis/algorithms/query.py" />
   <source>The intervals hold the whole error: the noise, which is known, and that of taking records as evenly spread inside a cell, which is estimated from how uneven the cells are. Where border_share is near 1, the answer rests on that.</source>
   <translation>Die Intervalle enthalten den ganzen Fehler: das Rauschen, das bekannt ist, und den daraus, dass Datensätze in einer Zelle als gleichmäßig verteilt gelten; dieser wird daraus geschätzt, wie ungleich die Zellen sind. Wo border_share nahe 1 ist, beruht die Antwort darauf.</translation>
  </message>
  <message>
   <location filename="geodp_qgis/algorithms/query.py" />
   <source>privacy,zonal statistics,estimate,confidence interval,sum,count</source>
   <translation>Privatsphäre,Zonenstatistik,Schätzung,Konfidenzintervall,Summe,Anzahl</translation>
  </message>
  <message>
   <location filename="geodp_qgis/algorithms/query.py" />
   <source>Regions</source>
   <translation>Gebiete</translation>
  </message>
  <message>
   <location filename="geodp_qgis/algorithms/query.py" />
   <source>Also estimate records per km²</source>
   <translation>Auch Datensätze je km² schätzen</translation>
  </message>
  <message>
   <location filename="geodp_qgis/algorithms/query.py" />
   <source>Answer the others where polygons are broken</source>
   <translation>Die anderen beantworten, wo Polygone kaputt sind</translation>
  </message>
  <message>
   <location filename="geodp_qgis/algorithms/query.py" />
   <source>How often the intervals hold the true count</source>
   <translation>Wie oft die Intervalle die wahre Zahl enthalten</translation>
  </message>
  <message>
   <location filename="geodp_qgis/algorithms/query.py" />
   <source>Answers</source>
   <translation>Antworten</translation>
  </message>
  <message>
   <location filename="geodp_qgis/algorithms/query.py" />
   <source>Intervals need a level between 0 and 1; got {:g}.</source>
   <translation>Intervalle brauchen ein Niveau zwischen 0 und 1; angegeben ist {:g}.</translation>
  </message>
  <message>
   <location filename="geodp_qgis/algorithms/query.py" />
   <source>Asked of the map '{}' alone, which this layer of a group shows.</source>
   <translation>Gefragt wurde nur die Karte „{}“, die dieser Layer einer Gruppe zeigt.</translation>
  </message>
  <message>
   <location filename="geodp_qgis/algorithms/query.py" />
   <source>Outside the extent of the release, without an answer: {}.</source>
   <translation>Außerhalb der Ausdehnung der Veröffentlichung, ohne Antwort: {}.</translation>
  </message>
  <message>
   <location filename="geodp_qgis/algorithms/query.py" />
   <source>Not valid, without an answer: {}.</source>
   <translation>Nicht gültig, ohne Antwort: {}.</translation>
  </message>
  <message>
   <location filename="geodp_qgis/algorithms/rates.py" />
   <source>A population of each polygon, known to everybody: adds the fields rate, rate_low and rate_high. Never a number that was counted from the points.</source>
   <translation>Eine Bevölkerung jedes Polygons, die allen bekannt ist: fügt die Felder rate, rate_low und rate_high hinzu. Nie eine Zahl, die aus den Punkten gezählt wurde.</translation>
  </message>
  <message>
   <location filename="geodp_qgis/algorithms/rates.py" />
   <source>1000 gives records per 1000 of them.</source>
   <translation>1000 gibt Datensätze je 1000 davon an.</translation>
  </message>
  <message>
   <location filename="geodp_qgis/algorithms/rates.py" />
   <source>0.5: grey where half of the interval is more than half of the number. Numbers stay as they are, and nothing is left out of sums.</source>
   <translation>0,5: grau, wo die Hälfte des Intervalls mehr als die Hälfte der Zahl ist. Zahlen bleiben, wie sie sind, und nichts fehlt in Summen.</translation>
  </message>
  <message>
   <location filename="geodp_qgis/algorithms/rates.py" />
   <source>Also give rates per (a field of public numbers)</source>
   <translation>Auch Raten angeben je (ein Feld öffentlicher Zahlen)</translation>
  </message>
  <message>
   <location filename="geodp_qgis/algorithms/rates.py" />
   <source>Of how many the rates are</source>
   <translation>Auf wie viele sich Raten beziehen</translation>
  </message>
  <message>
   <location filename="geodp_qgis/algorithms/rates.py" />
   <source>'Of how many the rates are' must be a positive number, such as 1000.</source>
   <translation>„Auf wie viele sich Raten beziehen“ muss eine positive Zahl sein, etwa 1000.</translation>
  </message>
  <message>
   <location filename="geodp_qgis/algorithms/rates.py" />
   <source>Grey where the error is above this part of it</source>
   <translation>Grau, wo der Fehler größer ist als dieser Teil davon</translation>
  </message>
  <message>
   <location filename="geodp_qgis/algorithms/rates.py" />
   <source>'Grey where the error is above' must be a positive number, such as 0.5.</source>
   <translation>„Grau, wo der Fehler größer ist“ muss eine positive Zahl sein, etwa 0,5.</translation>
  </message>
  <message>
   <location filename="geodp_qgis/algorithms/rates.py" />
   <source>'Of how many the rates are' needs the field to divide by: choose it in 'Also give rates per'.</source>
   <translation>„Auf wie viele sich Raten beziehen“ braucht das Feld, durch das geteilt wird: Wählen Sie es in „Auch Raten angeben je“.</translation>
  </message>
  <message>
   <location filename="geodp_qgis/algorithms/rates.py" />
   <source>Rates need a field of numbers of the public polygons; '{}' is none.</source>
   <translation>Raten brauchen ein Feld mit Zahlen der öffentlichen Polygone; „{}“ ist keines.</translation>
  </message>
  <message>
   <location filename="geodp_qgis/algorithms/releasing.py" />
   <source>Cancelled: nothing was released, no layer was written, no budget is spent.</source>
   <translation>Abgebrochen: Nichts wurde veröffentlicht, kein Layer geschrieben, kein Budget ausgegeben.</translation>
  </message>
  <message>
   <location filename="geodp_qgis/algorithms/releasing.py" />
   <source>What is protected?</source>
   <translation>Was wird geschützt?</translation>
  </message>
  <message>
   <location filename="geodp_qgis/algorithms/releasing.py" />
   <source>Which area is public?</source>
   <translation>Welcher Bereich ist öffentlich?</translation>
  </message>
  <message>
   <location filename="geodp_qgis/algorithms/releasing.py" />
   <source>How private?</source>
   <translation>Wie privat?</translation>
  </message>
  <message>
   <location filename="geodp_qgis/algorithms/releasing.py" />
   <source>What do you want to answer?</source>
   <translation>Was wollen Sie beantworten?</translation>
  </message>
  <message>
   <location filename="geodp_qgis/algorithms/releasing.py" />
   <source>Results</source>
   <translation>Ergebnisse</translation>
  </message>
  <message>
   <location filename="geodp_qgis/algorithms/releasing.py" />
   <source>The layer to protect, one point per record. Nothing but the result leaves it.</source>
   <translation>Der Layer, der geschützt werden soll, ein Punkt je Datensatz. Nichts als das Ergebnis verlässt ihn.</translation>
  </message>
  <message>
   <location filename="geodp_qgis/algorithms/releasing.py" />
   <source>How much may be learnt about any one record, or person. Smaller is more private and noisier: 0.1 is strict, 1 is common. Budgets of several releases of one layer add up.</source>
   <translation>Wie viel über irgendeinen Datensatz oder irgendeine Person zu erfahren sein darf. Kleiner ist privater und verrauschter: 0,1 ist streng, 1 ist üblich. Budgets mehrerer Veröffentlichungen eines Layers addieren sich.</translation>
  </message>
  <message>
   <location filename="geodp_qgis/algorithms/releasing.py" />
   <source>Needed only when the extent equals that of the points. Tick it if the rectangle was known before the points were, for example the frame of a survey.</source>
   <translation>Nur nötig, wenn die Ausdehnung der der Punkte gleicht. Setzen Sie das Häkchen, wenn das Rechteck vor den Punkten bekannt war, zum Beispiel als Rahmen einer Erhebung.</translation>
  </message>
  <message>
   <location filename="geodp_qgis/algorithms/releasing.py" />
   <source>For tests alone: a seeded result can be undone and is NOT private.</source>
   <translation>Nur für Tests: Ein Ergebnis mit Startwert lässt sich zurückrechnen und ist NICHT privat.</translation>
  </message>
  <message>
   <location filename="geodp_qgis/algorithms/releasing.py" />
   <source>A page that explains the map to whoever receives it: see 'Report page'.</source>
   <translation>Eine Seite, die die Karte allen erklärt, die sie erhalten: siehe „Berichtsseite“.</translation>
  </message>
  <message>
   <location filename="geodp_qgis/algorithms/releasing.py" />
   <source>Cancelled: no layer was written. The spend was recorded before and stays.</source>
   <translation>Abgebrochen: Es wurde kein Layer geschrieben. Die Ausgabe war schon verbucht und bleibt.</translation>
  </message>
  <message>
   <location filename="geodp_qgis/algorithms/releasing.py" />
   <source>The seed must be a whole number; got {}.</source>
   <translation>Der Startwert muss eine ganze Zahl sein; angegeben ist {}.</translation>
  </message>
  <message>
   <location filename="geodp_qgis/algorithms/releasing.py" />
   <source>Points (private)</source>
   <translation>Punkte (privat)</translation>
  </message>
  <message>
   <location filename="geodp_qgis/algorithms/releasing.py" />
   <source>Privacy budget ε</source>
   <translation>Datenschutzbudget ε</translation>
  </message>
  <message>
   <location filename="geodp_qgis/algorithms/releasing.py" />
   <source>The extent is public although it equals the layer's</source>
   <translation>Ausdehnung ist öffentlich, obwohl gleich dem Layer</translation>
  </message>
  <message>
   <location filename="geodp_qgis/algorithms/releasing.py" />
   <source>Go on where inputs look like a mistake</source>
   <translation>Fortfahren, wo Eingaben nach einem Versehen aussehen</translation>
  </message>
  <message>
   <location filename="geodp_qgis/algorithms/releasing.py" />
   <source>Seed (NOT private)</source>
   <translation>Startwert (NICHT privat)</translation>
  </message>
  <message>
   <location filename="geodp_qgis/algorithms/releasing.py" />
   <source>Report page</source>
   <translation>Berichtsseite</translation>
  </message>
  <message>
   <location filename="geodp_qgis/algorithms/releasing.py" />
   <source>A point layer is needed; this one cannot be opened.</source>
   <translation>Ein Punktlayer wird gebraucht; dieser lässt sich nicht öffnen.</translation>
  </message>
  <message>
   <location filename="geodp_qgis/algorithms/releasing.py" />
   <source>There is no report page: {}</source>
   <translation>Es gibt keine Berichtsseite: {}</translation>
  </message>
  <message>
   <location filename="geodp_qgis/algorithms/report.py" />
   <source>Explains a private histogram on one page, for whoever receives the map.</source>
   <translation>Erklärt ein privates Histogramm auf einer Seite, für alle, die die Karte erhalten.</translation>
  </message>
  <message>
   <location filename="geodp_qgis/algorithms/report.py" />
   <source>drawing</source>
   <translation>zeichnet</translation>
  </message>
  <message>
   <location filename="geodp_qgis/algorithms/report.py" />
   <source>Polygons in any CRS. The page lists and draws how many records are in each.</source>
   <translation>Polygone in beliebigem KBS. Die Seite listet auf und zeichnet, wie viele Datensätze in jedem liegen.</translation>
  </message>
  <message>
   <location filename="geodp_qgis/algorithms/report.py" />
   <source>A page that stands alone, to which the Results Viewer links under this name.</source>
   <translation>Eine Seite, die für sich allein steht; die Ergebnisanzeige führt unter diesem Namen zu ihr.</translation>
  </message>
  <message>
   <location filename="geodp_qgis/algorithms/report.py" />
   <source>privacy,page,html,publish,share,explain,print</source>
   <translation>Datenschutz,Seite,HTML,veröffentlichen,teilen,erklären,drucken</translation>
  </message>
  <message>
   <location filename="geodp_qgis/algorithms/report.py" />
   <source>Regions to list (public)</source>
   <translation>Gebiete für die Liste (öffentlich)</translation>
  </message>
  <message>
   <location filename="geodp_qgis/algorithms/spending.py" />
   <source>Under it, ε is recorded in a ledger before the noise is drawn, and a run that would pass the cap of these data is refused. Use one name for all layers about the same people. What is protected under a name (a record, or a person with at most a given number of records, told by one field) is set by its first run. Empty: the layer has an account of its own, with the cap of Processing's options.</source>
   <translation>Unter ihm wird ε in einem Kassenbuch verbucht, bevor das Rauschen gezogen wird, und ein Lauf, der die Obergrenze dieser Daten überschritte, wird abgelehnt. Nehmen Sie einen Namen für alle Layer über dieselben Menschen. Was unter einem Namen geschützt ist (ein Datensatz, oder eine Person mit höchstens einer gegebenen Zahl von Datensätzen, erkannt an einem Feld), legt der erste Lauf fest. Leer: Der Layer hat ein eigenes Konto, mit der Obergrenze aus den Optionen der Verarbeitung.</translation>
  </message>
  <message>
   <location filename="geodp_qgis/algorithms/spending.py" />
   <source>Needed once, to enter a new name into the ledger; a layer without one has the cap of Processing's options. A cap is never changed.</source>
   <translation>Einmal nötig, um einen neuen Namen ins Kassenbuch einzutragen; ein Layer ohne Namen hat die Obergrenze aus den Optionen der Verarbeitung. Eine Obergrenze wird nie geändert.</translation>
  </message>
  <message>
   <location filename="geodp_qgis/algorithms/spending.py" />
   <source>A file that geodp keeps, also from Python and from the command line.</source>
   <translation>Eine Datei, die geodp führt, auch aus Python und von der Befehlszeile.</translation>
  </message>
  <message>
   <location filename="geodp_qgis/algorithms/spending.py" />
   <source>one person, spread over their records</source>
   <translation>eine Person, verteilt auf ihre Datensätze</translation>
  </message>
  <message>
   <location filename="geodp_qgis/algorithms/spending.py" />
   <source>Name of these data in the ledger</source>
   <translation>Name dieser Daten im Kassenbuch</translation>
  </message>
  <message>
   <location filename="geodp_qgis/algorithms/spending.py" />
   <source>Most ε ever to be spent on it, when it is new</source>
   <translation>Obergrenze aller Ausgaben von ε, wenn er neu ist</translation>
  </message>
  <message>
   <location filename="geodp_qgis/algorithms/spending.py" />
   <source>Ledger (empty: the one in the QGIS profile)</source>
   <translation>Kassenbuch (leer: das im QGIS-Profil)</translation>
  </message>
  <message>
   <location filename="geodp_qgis/algorithms/spending.py" />
   <source>On '{}', ε = {:g} was spent before, the last time on {}. This run makes another release and adds {:g}: {:g} of {:g} in all.</source>
   <translation>Für „{}“ wurde schon ε = {:g} ausgegeben, zuletzt am {}. Dieser Lauf macht eine weitere Veröffentlichung und fügt {:g} hinzu: zusammen {:g} von {:g}.</translation>
  </message>
  <message>
   <location filename="geodp_qgis/algorithms/spending.py" />
   <source>Ledgers (*.sqlite *.geodp);;All files (*)</source>
   <translation>Kassenbücher (*.sqlite *.geodp);;Alle Dateien (*)</translation>
  </message>
  <message>
   <location filename="geodp_qgis/algorithms/spending.py" />
   <source>On '{}', ε = {:g} was spent before. These {} runs make as many releases and add {:g}: {:g} of {:g} in all.</source>
   <translation>Für „{}“ wurde schon ε = {:g} ausgegeben. Diese {} Läufe machen ebenso viele Veröffentlichungen und fügen {:g} hinzu: zusammen {:g} von {:g}.</translation>
  </message>
  <message>
   <location filename="geodp_qgis/algorithms/spending.py" />
   <source>Ledger: ε = {:g} of {:g} is spent on '{}', {:g} is left.</source>
   <translation>Kassenbuch: ε = {:g} von {:g} ist für „{}“ ausgegeben, {:g} ist übrig.</translation>
  </message>
  <message>
   <location filename="geodp_qgis/algorithms/spending.py" />
   <source>{}, by the field '{}'</source>
   <translation>{}, nach dem Feld „{}“</translation>
  </message>
  <message>
   <location filename="geodp_qgis/algorithms/spending.py" />
   <source>{}, replaced by another</source>
   <translation>{}, durch anderes ersetzt</translation>
  </message>
  <message>
   <location filename="geodp_qgis/algorithms/spending.py" />
   <source>ε = {:g} would pass the cap of '{}': {:g} is left. Nothing was read or spent.</source>
   <translation>ε = {:g} würde die Obergrenze von „{}“ überschreiten: {:g} ist übrig. Nichts wurde gelesen oder ausgegeben.</translation>
  </message>
  <message>
   <location filename="geodp_qgis/algorithms/spending.py" />
   <source>It is the cap of layers without a name in the ledger: if more may be spent, give these data a name and a cap under Advanced.</source>
   <translation>Es ist die Obergrenze von Layern ohne Namen im Kassenbuch: Darf mehr ausgegeben werden, geben Sie diesen Daten unter „Fortgeschrittene Parameter“ einen Namen und eine Obergrenze.</translation>
  </message>
  <message>
   <location filename="geodp_qgis/algorithms/spending.py" />
   <source>one record</source>
   <translation>ein Datensatz</translation>
  </message>
  <message>
   <location filename="geodp_qgis/algorithms/spending.py" />
   <source>Chosen cells: {}, {}.</source>
   <translation>Gewählte Zellen: {}, {}.</translation>
  </message>
  <message>
   <location filename="geodp_qgis/algorithms/spending.py" />
   <source>A cap is never changed: that of '{}' is {:g}. Leave the cap empty, or give other data another name.</source>
   <translation>Eine Obergrenze wird nie geändert: Die von „{}“ ist {:g}. Lassen Sie sie leer, oder geben Sie anderen Daten einen anderen Namen.</translation>
  </message>
  <message>
   <location filename="geodp_qgis/algorithms/spending.py" />
   <source>Under the name '{}', ε is counted for {}; this run would spend it for {}, and the two cannot be added. Protect the same as before, or give another name. Nothing was read or spent.</source>
   <translation>Unter dem Namen „{}“ ist die geschützte Einheit: {}. In diesem Lauf wäre sie: {}. Beides lässt sich nicht addieren. Schützen Sie dasselbe wie zuvor, oder nehmen Sie einen anderen Namen. Nichts wurde gelesen oder ausgegeben.</translation>
  </message>
  <message>
   <location filename="geodp_qgis/algorithms/spending.py" />
   <source>The ledger has no data named '{}': check the name, or, if they are new, say under Advanced how much ε may ever be spent on them.</source>
   <translation>Das Kassenbuch hat keine Daten namens „{}“: Prüfen Sie den Namen, oder sagen Sie, wenn sie neu sind, unter „Fortgeschrittene Parameter“, wie viel ε je für sie ausgegeben werden darf.</translation>
  </message>
  <message>
   <location filename="geodp_qgis/algorithms/spending.py" />
   <source>one feature, at most {} points</source>
   <translation>ein Objekt, höchstens {} Punkte</translation>
  </message>
  <message>
   <location filename="geodp_qgis/algorithms/spending.py" />
   <source>one feature, at most 1 point</source>
   <translation>ein Objekt, höchstens 1 Punkt</translation>
  </message>
  <message>
   <location filename="geodp_qgis/algorithms/spending.py" />
   <source>one person, at most {} records</source>
   <translation>eine Person, höchstens {} Datensätze</translation>
  </message>
  <message>
   <location filename="geodp_qgis/algorithms/spending.py" />
   <source>one person, at most 1 record</source>
   <translation>eine Person, höchstens 1 Datensatz</translation>
  </message>
  <message>
   <location filename="geodp_qgis/algorithms/spending.py" />
   <source>Spent in all: ε = {}.</source>
   <translation>Insgesamt ausgegeben: ε = {}.</translation>
  </message>
  <message>
   <location filename="geodp_qgis/algorithms/style.py" />
   <source>Style a private histogram</source>
   <translation>Ein privates Histogramm einfärben</translation>
  </message>
  <message>
   <location filename="geodp_qgis/algorithms/style.py" />
   <source>Gives a layer that geodp made elsewhere its colours and its promise.</source>
   <translation>Gibt einem Layer, den geodp anderswo gemacht hat, seine Farben und sein Versprechen.</translation>
  </message>
  <message>
   <location filename="geodp_qgis/algorithms/style.py" />
   <source>A GeoTIFF or GeoPackage of counts in this project, from wherever.</source>
   <translation>Ein GeoTIFF oder GeoPackage mit Zahlen in diesem Projekt, woher auch immer.</translation>
  </message>
  <message>
   <location filename="geodp_qgis/algorithms/style.py" />
   <source>privacy,colours,legend,symbology,promise</source>
   <translation>Privatsphäre,Farben,Legende,Symbole,Versprechen</translation>
  </message>
  <message>
   <location filename="geodp_qgis/algorithms/view.py" />
   <source>Density or clamped counts</source>
   <translation>Dichte oder gekappte Zahlen</translation>
  </message>
  <message>
   <location filename="geodp_qgis/algorithms/view.py" />
   <source>Turns a private histogram into records per km², or counts without negatives, to look at.</source>
   <translation>Macht aus einem privaten Histogramm Datensätze je km², oder Zahlen ohne negative, zum Anschauen.</translation>
  </message>
  <message>
   <location filename="geodp_qgis/algorithms/view.py" />
   <source>Density compares cells of unequal size. Clamped counts are for pictures alone: their sums are too high.</source>
   <translation>Dichte vergleicht Zellen ungleicher Größe. Gekappte Zahlen sind nur für Bilder: Ihre Summen sind zu hoch.</translation>
  </message>
  <message>
   <location filename="geodp_qgis/algorithms/view.py" />
   <source>A GeoTIFF that says what was done, with a band for each map of the release. It is no release.</source>
   <translation>Ein GeoTIFF, das sagt, was getan wurde, mit einem Kanal für jede Karte der Veröffentlichung. Es ist keine Veröffentlichung.</translation>
  </message>
  <message>
   <location filename="geodp_qgis/algorithms/view.py" />
   <source>privacy,density,per km²,clamped,negative,view,readers</source>
   <translation>Privatsphäre,Dichte,je km²,gekappt,negativ,Ansicht,Leser</translation>
  </message>
  <message>
   <location filename="geodp_qgis/algorithms/view.py" />
   <source>Show</source>
   <translation>Zeigen</translation>
  </message>
  <message>
   <location filename="geodp_qgis/algorithms/view.py" />
   <source>Density: records per km²</source>
   <translation>Dichte: Datensätze je km²</translation>
  </message>
  <message>
   <location filename="geodp_qgis/algorithms/view.py" />
   <source>Clamped: counts, negative ones set to 0</source>
   <translation>Gekappt: Zahlen, negative auf 0 gesetzt</translation>
  </message>
  <message>
   <location filename="geodp_qgis/districts.py" />
   <source>At least one region is needed; the layer of regions is empty.</source>
   <translation>Mindestens ein Gebiet wird gebraucht; der Layer der Gebiete ist leer.</translation>
  </message>
  <message>
   <location filename="geodp_qgis/districts.py" />
   <source>Rates need one row for each district; here some have several: dissolve them by their name first, with the sum of the field.</source>
   <translation>Raten brauchen eine Zeile je Bezirk; hier haben manche mehrere: Fassen Sie sie zuerst nach ihrem Namen zusammen, mit der Summe des Felds.</translation>
  </message>
  <message>
   <location filename="geodp_qgis/districts.py" />
   <source>Every region must be a valid polygon; the region with id {} {}.</source>
   <translation>Jedes Gebiet muss ein gültiges Polygon sein; das Gebiet mit der Kennung {} {}.</translation>
  </message>
  <message>
   <location filename="geodp_qgis/dock/answer.py" />
   <source>&amp;3  What do you want to answer?</source>
   <translation>&amp;3  Was wollen Sie beantworten?</translation>
  </message>
  <message>
   <location filename="geodp_qgis/dock/answer.py" />
   <source>such as 5km</source>
   <translation>etwa 5km</translation>
  </message>
  <message>
   <location filename="geodp_qgis/dock/answer.py" />
   <source>such as 5km, 10km or 30, 40</source>
   <translation>etwa 5km, 10km oder 30, 40</translation>
  </message>
  <message>
   <location filename="geodp_qgis/dock/answer.py" />
   <source> records</source>
   <translation> Datensätze</translation>
  </message>
  <message>
   <location filename="geodp_qgis/dock/answer.py" />
   <source>how many records?</source>
   <translation>wie viele Datensätze?</translation>
  </message>
  <message>
   <location filename="geodp_qgis/dock/answer.py" />
   <source>a temporary file</source>
   <translation>eine temporäre Datei</translation>
  </message>
  <message>
   <location filename="geodp_qgis/dock/answer.py" />
   <source>Cells that are fine where records crowd and coarse where there are few are several times as accurate where records are uneven, as people are. One grid is easy to read and can be chosen for your regions. If counts of districts are what you want, take these.</source>
   <translation>Zellen, die fein sind, wo sich Datensätze drängen, und grob, wo es wenige gibt, sind um ein Mehrfaches genauer, wo Datensätze ungleich verteilt sind, wie Menschen es sind. Ein Gitter ist leicht zu lesen und kann für Ihre Gebiete gewählt werden. Wollen Sie Zahlen für Bezirke, nehmen Sie diese.</translation>
  </message>
  <message>
   <location filename="geodp_qgis/dock/answer.py" />
   <source>Districts</source>
   <translation>Bezirke</translation>
  </message>
  <message>
   <location filename="geodp_qgis/dock/answer.py" />
   <source>Rates per</source>
   <translation>Raten je</translation>
  </message>
  <message>
   <location filename="geodp_qgis/dock/answer.py" />
   <source>Side</source>
   <translation>Seitenlänge</translation>
  </message>
  <message>
   <location filename="geodp_qgis/dock/answer.py" />
   <source>Within</source>
   <translation>Innerhalb</translation>
  </message>
  <message>
   <location filename="geodp_qgis/dock/answer.py" />
   <source>Si&amp;zes</source>
   <translation>&amp;Zellgrößen</translation>
  </message>
  <message>
   <location filename="geodp_qgis/dock/answer.py" />
   <source>Lengths of cells with a unit, such as 5km, 10km, or numbers of cells per side, such as 30, 40 or 20x30. Empty: a ladder from coarse to fine.</source>
   <translation>Längen von Zellen mit Einheit, etwa 5km, 10km, oder Anzahlen von Zellen je Seite, etwa 30, 40 oder 20x30. Leer: eine Leiter von grob bis fein.</translation>
  </message>
  <message>
   <location filename="geodp_qgis/dock/answer.py" />
   <source>G&amp;uess</source>
   <translation>S&amp;chätzung</translation>
  </message>
  <message>
   <location filename="geodp_qgis/dock/answer.py" />
   <source>A public guess of how many there will be, never a figure from the points. With it the whole error is foreseen.</source>
   <translation>Eine öffentliche Schätzung, wie viele es sein werden, nie eine Zahl aus den Punkten. Damit wird der ganze Fehler vorhergesagt.</translation>
  </message>
  <message>
   <location filename="geodp_qgis/dock/answer.py" />
   <source>Save as</source>
   <translation>Speichern als</translation>
  </message>
  <message>
   <location filename="geodp_qgis/dock/answer.py" />
   <source>A file of signed counts that carries its own promise: see 'About …'.</source>
   <translation>Eine Datei mit Zahlen mit Vorzeichen, die ihr Versprechen in sich trägt: siehe „Über …“.</translation>
  </message>
  <message>
   <location filename="geodp_qgis/dock/answer.py" />
   <source>GeoPackage (*.gpkg)</source>
   <translation>GeoPackage (*.gpkg)</translation>
  </message>
  <message>
   <location filename="geodp_qgis/dock/answer.py" />
   <source>GeoTIFF (*.tif)</source>
   <translation>GeoTIFF (*.tif)</translation>
  </message>
  <message>
   <location filename="geodp_qgis/dock/answer.py" />
   <source>One regular grid</source>
   <translation>Ein regelmäßiges Gitter</translation>
  </message>
  <message>
   <location filename="geodp_qgis/dock/answer.py" />
   <source>Districts of a public layer</source>
   <translation>Bezirke eines Layers</translation>
  </message>
  <message>
   <location filename="geodp_qgis/dock/answer.py" />
   <source>Hexagons</source>
   <translation>Sechsecke</translation>
  </message>
  <message>
   <location filename="geodp_qgis/dock/answer.py" />
   <source>Of how many</source>
   <translation>Je wie viele</translation>
  </message>
  <message>
   <location filename="geodp_qgis/dock/balance.py" />
   <source>Without a name, this layer has an account of its own, with a cap of ε = {:g}.</source>
   <translation>Ohne Namen hat dieser Layer ein eigenes Konto, mit einer Obergrenze von ε = {:g}.</translation>
  </message>
  <message>
   <location filename="geodp_qgis/dock/balance.py" />
   <source>This name is new: say how much ε may ever be spent on it.</source>
   <translation>Dieser Name ist neu: Sagen Sie, wie viel ε je für ihn ausgegeben werden darf.</translation>
  </message>
  <message>
   <location filename="geodp_qgis/dock/balance.py" />
   <source>{:g} after this map.</source>
   <translation>{:g} nach dieser Karte.</translation>
  </message>
  <message>
   <location filename="geodp_qgis/dock/balance.py" />
   <source>Without a name nobody adds up what is spent on these points.</source>
   <translation>Ohne Namen zählt niemand zusammen, was für diese Punkte ausgegeben wird.</translation>
  </message>
  <message>
   <location filename="geodp_qgis/dock/balance.py" />
   <source>ε = {:g} would pass the cap: {:g} of {:g} is left.</source>
   <translation>ε = {:g} würde die Obergrenze überschreiten: {:g} von {:g} ist übrig.</translation>
  </message>
  <message>
   <location filename="geodp_qgis/dock/call_box.py" />
   <source>The same as a Processing call</source>
   <translation>Dasselbe als Aufruf für Processing</translation>
  </message>
  <message>
   <location filename="geodp_qgis/dock/call_box.py" />
   <source>Cop&amp;y</source>
   <translation>&amp;Kopieren</translation>
  </message>
  <message>
   <location filename="geodp_qgis/dock/chart.py" />
   <source>ε: smaller is more private</source>
   <translation>ε: kleiner ist privater</translation>
  </message>
  <message>
   <location filename="geodp_qgis/dock/chart.py" />
   <source>± records of a region</source>
   <translation>± Datensätze eines Gebiets</translation>
  </message>
  <message>
   <location filename="geodp_qgis/dock/chart.py" />
   <source>± records of noise, a region</source>
   <translation>± Datensätze Rauschen, ein Gebiet</translation>
  </message>
  <message>
   <location filename="geodp_qgis/dock/extent_box.py" />
   <source>such as 490000,510000,5390000,5410000 [EPSG:32633]</source>
   <translation>etwa 490000,510000,5390000,5410000 [EPSG:32633]</translation>
  </message>
  <message>
   <location filename="geodp_qgis/dock/extent_box.py" />
   <source>xmin, xmax, ymin, ymax [EPSG:…]</source>
   <translation>xmin, xmax, ymin, ymax [EPSG:…]</translation>
  </message>
  <message>
   <location filename="geodp_qgis/dock/extent_box.py" />
   <source>Draw a rectangle, or take a public one</source>
   <translation>Ein Rechteck zeichnen, oder ein öffentliches nehmen</translation>
  </message>
  <message>
   <location filename="geodp_qgis/dock/extent_box.py" />
   <source>Draw on the map</source>
   <translation>Auf der Karte zeichnen</translation>
  </message>
  <message>
   <location filename="geodp_qgis/dock/extent_box.py" />
   <source>Extent of a public layer</source>
   <translation>Ausdehnung eines öffentlichen Layers</translation>
  </message>
  <message>
   <location filename="geodp_qgis/dock/extent_box.py" />
   <source>Spatial bookmark</source>
   <translation>Räumliches Lesezeichen</translation>
  </message>
  <message>
   <location filename="geodp_qgis/dock/figures.py" />
   <source>Sums, larger units, grey</source>
   <translation>Summen, größere Einheiten, Grau</translation>
  </message>
  <message>
   <location filename="geodp_qgis/dock/figures.py" />
   <source>lower, such as 0</source>
   <translation>untere, etwa 0</translation>
  </message>
  <message>
   <location filename="geodp_qgis/dock/figures.py" />
   <source>upper, such as 10000</source>
   <translation>obere, etwa 10000</translation>
  </message>
  <message>
   <location filename="geodp_qgis/dock/figures.py" />
   <source>nowhere</source>
   <translation>nirgends</translation>
  </message>
  <message>
   <location filename="geodp_qgis/dock/figures.py" />
   <source>Add up</source>
   <translation>Aufsummieren</translation>
  </message>
  <message>
   <location filename="geodp_qgis/dock/figures.py" />
   <source>Between</source>
   <translation>Zwischen</translation>
  </message>
  <message>
   <location filename="geodp_qgis/dock/figures.py" />
   <source>Named by</source>
   <translation>Benannt nach</translation>
  </message>
  <message>
   <location filename="geodp_qgis/dock/figures.py" />
   <source>Larger units</source>
   <translation>Größere Einheiten</translation>
  </message>
  <message>
   <location filename="geodp_qgis/dock/figures.py" />
   <source>A field of the districts that says in which larger unit each is, such as its state: units get counts of their own where that pays, and counts of all levels agree.</source>
   <translation>Ein Feld der Bezirke, das sagt, in welcher größeren Einheit jeder liegt, etwa sein Land: Einheiten bekommen eigene Zahlen, wo sich das lohnt, und die Zahlen aller Ebenen stimmen überein.</translation>
  </message>
  <message>
   <location filename="geodp_qgis/dock/figures.py" />
   <source>…and above</source>
   <translation>…und darüber</translation>
  </message>
  <message>
   <location filename="geodp_qgis/dock/figures.py" />
   <source>A field of still larger units, such as the country of a state.</source>
   <translation>Ein Feld noch größerer Einheiten, etwa der Staat eines Landes.</translation>
  </message>
  <message>
   <location filename="geodp_qgis/dock/figures.py" />
   <source>Grey above</source>
   <translation>Grau über</translation>
  </message>
  <message>
   <location filename="geodp_qgis/dock/foot.py" />
   <source>What was said last</source>
   <translation>Was zuletzt gesagt wurde</translation>
  </message>
  <message>
   <location filename="geodp_qgis/dock/foot.py" />
   <source>Progress</source>
   <translation>Fortschritt</translation>
  </message>
  <message>
   <location filename="geodp_qgis/dock/foot.py" />
   <source>Ma&amp;ke the private map</source>
   <translation>Private Karte &amp;machen</translation>
  </message>
  <message>
   <location filename="geodp_qgis/dock/foot.py" />
   <source>Reads the points and spends ε</source>
   <translation>Liest die Punkte und gibt ε aus</translation>
  </message>
  <message>
   <location filename="geodp_qgis/dock/foot.py" />
   <source>The same in the dialog of the algorithm, with everything it asks</source>
   <translation>Dasselbe im Dialog des Algorithmus, mit allem, was er fragt</translation>
  </message>
  <message>
   <location filename="geodp_qgis/dock/foot.py" />
   <source>Help</source>
   <translation>Hilfe</translation>
  </message>
  <message>
   <location filename="geodp_qgis/dock/foot.py" />
   <source>Cancel</source>
   <translation>Abbrechen</translation>
  </message>
  <message>
   <location filename="geodp_qgis/dock/foot.py" />
   <source>All options…</source>
   <translation>Alle Optionen…</translation>
  </message>
  <message>
   <location filename="geodp_qgis/dock/forecast_box.py" />
   <source>How priva&amp;te, and how exact?</source>
   <translation>Wie pri&amp;vat, und wie genau?</translation>
  </message>
  <message>
   <location filename="geodp_qgis/dock/forecast_box.py" />
   <source>Show on the map the cells that it may have; free</source>
   <translation>Zeigt auf der Karte die Zellen, die sie haben kann; kostenlos</translation>
  </message>
  <message>
   <location filename="geodp_qgis/dock/forecast_box.py" />
   <source>Cells to show on the map</source>
   <translation>Zellen, die auf der Karte zu zeigen sind</translation>
  </message>
  <message>
   <location filename="geodp_qgis/dock/forecast_box.py" />
   <source>Show cells</source>
   <translation>Zellen zeigen</translation>
  </message>
  <message>
   <location filename="geodp_qgis/dock/forecast_box.py" />
   <source>Privacy budget ε, by steps</source>
   <translation>Datenschutzbudget ε, in Stufen</translation>
  </message>
  <message>
   <location filename="geodp_qgis/dock/forecast_box.py" />
   <source>Looking ahead …</source>
   <translation>Vorausschau …</translation>
  </message>
  <message>
   <location filename="geodp_qgis/dock/forecast_box.py" />
   <source>that would suit</source>
   <translation>die passen würden</translation>
  </message>
  <message>
   <location filename="geodp_qgis/dock/foresight.py" />
   <source>people</source>
   <translation>Personen</translation>
  </message>
  <message>
   <location filename="geodp_qgis/dock/foresight.py" />
   <source>records</source>
   <translation>Datensätze</translation>
  </message>
  <message>
   <location filename="geodp_qgis/dock/foresight.py" />
   <source>It is an estimate, mostly right within a factor of two.</source>
   <translation>Das ist eine Schätzung, die meist bis auf einen Faktor zwei stimmt.</translation>
  </message>
  <message>
   <location filename="geodp_qgis/dock/foresight.py" />
   <source>Guess how many records there are, and the whole error is foreseen.</source>
   <translation>Schätzen Sie, wie viele Datensätze es gibt, und der ganze Fehler wird vorhergesagt.</translation>
  </message>
  <message>
   <location filename="geodp_qgis/dock/foresight.py" />
   <source>Where larger units get counts of their own, districts are off by up to a third more, and units by far less than all their districts.</source>
   <translation>Wo größere Einheiten eigene Zahlen bekommen, liegen Bezirke um bis zu einem Drittel weiter daneben, und Einheiten weit weniger als alle ihre Bezirke zusammen.</translation>
  </message>
  <message>
   <location filename="geodp_qgis/dock/foresight.py" />
   <source>At ε = {:g}, about ± {} records for a region{}.</source>
   <translation>Bei ε = {:g} etwa ± {} Datensätze für ein Gebiet{}.</translation>
  </message>
  <message>
   <location filename="geodp_qgis/dock/foresight.py" />
   <source>, typically {} % of its count</source>
   <translation>, typischerweise {} % seiner Anzahl</translation>
  </message>
  <message>
   <location filename="geodp_qgis/dock/foresight.py" />
   <source>At ε = {:g}, cells of {} would suit: about ± {} records for a region{}.</source>
   <translation>Bei ε = {:g} würden Zellen von {} passen: etwa ± {} Datensätze für ein Gebiet{}.</translation>
  </message>
  <message>
   <location filename="geodp_qgis/dock/foresight.py" />
   <source>Noise of a region at ε = {:g}: ± {} records with cells of {}</source>
   <translation>Rauschen eines Gebiets bei ε = {:g}: ± {} Datensätze mit Zellen von {}</translation>
  </message>
  <message>
   <location filename="geodp_qgis/dock/foresight.py" />
   <source>The count of each district will be off by about {:.2g} {}.</source>
   <translation>Die Zahl jedes Bezirks wird um etwa {:.2g} {} danebenliegen.</translation>
  </message>
  <message>
   <location filename="geodp_qgis/dock/foresight.py" />
   <source>The count of each of {:,.0f} hexagons will be off by about {:.2g} {}.</source>
   <translation>Die Zahl jedes der {:,.0f} Sechsecke wird um etwa {:.2g} {} danebenliegen.</translation>
  </message>
  <message>
   <location filename="geodp_qgis/dock/foresight.py" />
   <source>Cells that are fine where records crowd follow the records: guess how many there are, and the error is foreseen.</source>
   <translation>Zellen, die fein sind, wo sich Datensätze drängen, folgen den Datensätzen: Schätzen Sie, wie viele es gibt, und der Fehler wird vorhergesagt.</translation>
  </message>
  <message>
   <location filename="geodp_qgis/dock/foresight.py" />
   <source>These are too many cells to look ahead at here; the map can be made, and 'Plan a private histogram' tells what error to expect.</source>
   <translation>Das sind zu viele Zellen für die Vorausschau hier; die Karte kann gemacht werden, und „Ein privates Histogramm planen“ sagt, welcher Fehler zu erwarten ist.</translation>
  </message>
  <message>
   <location filename="geodp_qgis/dock/foresight.py" />
   <source>, ± {} with cells of {}</source>
   <translation>, ± {} mit Zellen von {}</translation>
  </message>
  <message>
   <location filename="geodp_qgis/dock/foresight.py" />
   <source>Sums will be off by about {}.</source>
   <translation>Summen werden um etwa {} danebenliegen.</translation>
  </message>
  <message>
   <location filename="geodp_qgis/dock/more.py" />
   <source>Several maps, title, more files</source>
   <translation>Mehrere Karten, Titel, weitere Dateien</translation>
  </message>
  <message>
   <location filename="geodp_qgis/dock/more.py" />
   <source>Cells as polygons, too</source>
   <translation>Auch Zellen als Polygone</translation>
  </message>
  <message>
   <location filename="geodp_qgis/dock/more.py" />
   <source>Report page, too</source>
   <translation>Auch eine Berichtsseite</translation>
  </message>
  <message>
   <location filename="geodp_qgis/dock/more.py" />
   <source>such as theft, assault</source>
   <translation>etwa Diebstahl, Überfall</translation>
  </message>
  <message>
   <location filename="geodp_qgis/dock/more.py" />
   <source>such as hourly, or 2024-01-01, 2025-01-01</source>
   <translation>etwa hourly oder 2024-01-01, 2025-01-01</translation>
  </message>
  <message>
   <location filename="geodp_qgis/dock/more.py" />
   <source>One map per</source>
   <translation>Eine Karte je</translation>
  </message>
  <message>
   <location filename="geodp_qgis/dock/more.py" />
   <source>Its values</source>
   <translation>Seine Werte</translation>
  </message>
  <message>
   <location filename="geodp_qgis/dock/more.py" />
   <source>Values of the field, with commas, each of which gets a map. Type what everybody knows; the list is never read off the points.</source>
   <translation>Werte des Feldes, mit Kommas, von denen jeder eine Karte bekommt. Tippen Sie, was alle wissen; die Liste wird nie von den Punkten abgelesen.</translation>
  </message>
  <message>
   <location filename="geodp_qgis/dock/more.py" />
   <source>…or limits</source>
   <translation>…oder Grenzen</translation>
  </message>
  <message>
   <location filename="geodp_qgis/dock/more.py" />
   <source>Instead: limits between numbers, between dates and times such as 2024-01-01 (ISO, in UTC) or between times of day such as 06:00. Or a word: hourly, weekday, monthly 2024-01 to 2024-12, yearly 2020 to 2024.</source>
   <translation>Stattdessen: Grenzen zwischen Zahlen, zwischen Zeitpunkten wie 2024-01-01 (ISO, in UTC) oder zwischen Tageszeiten wie 06:00. Oder ein Wort: hourly (stündlich), weekday (Wochentage), monthly 2024-01 to 2024-12 (monatlich), yearly 2020 to 2024 (jährlich).</translation>
  </message>
  <message>
   <location filename="geodp_qgis/dock/more.py" />
   <source>All others</source>
   <translation>Alle anderen</translation>
  </message>
  <message>
   <location filename="geodp_qgis/dock/more.py" />
   <source>The same counts, one polygon per cell: beside the raster, as a GeoPackage.</source>
   <translation>Dieselben Zahlen, ein Polygon je Zelle: neben dem Raster, als GeoPackage.</translation>
  </message>
  <message>
   <location filename="geodp_qgis/dock/panel.py" />
   <source>Done: the private map is in the project. Its ε is spent.</source>
   <translation>Fertig: Die private Karte ist im Projekt. Ihr ε ist ausgegeben.</translation>
  </message>
  <message>
   <location filename="geodp_qgis/dock/panel.py" />
   <source>Private map</source>
   <translation>Private Karte</translation>
  </message>
  <message>
   <location filename="geodp_qgis/dock/panel.py" />
   <source>{} is there already: choose another name under 'Save as'.</source>
   <translation>{} gibt es schon: Wählen Sie unter „Speichern als“ einen anderen Namen.</translation>
  </message>
  <message>
   <location filename="geodp_qgis/dock/panel.py" />
   <source>Report page: {}</source>
   <translation>Berichtsseite: {}</translation>
  </message>
  <message>
   <location filename="geodp_qgis/dock/protected.py" />
   <source>What is not selected is not counted, and how it was chosen is not protected.</source>
   <translation>Was nicht gewählt ist, wird nicht gezählt, und wie gewählt wurde, ist nicht geschützt.</translation>
  </message>
  <message>
   <location filename="geodp_qgis/dock/protected.py" />
   <source>&amp;1  What is protected?</source>
   <translation>&amp;1  Was wird geschützt?</translation>
  </message>
  <message>
   <location filename="geodp_qgis/dock/protected.py" />
   <source>Selected features only</source>
   <translation>Nur gewählte Objekte</translation>
  </message>
  <message>
   <location filename="geodp_qgis/dock/protected.py" />
   <source>not set</source>
   <translation>nicht gesetzt</translation>
  </message>
  <message>
   <location filename="geodp_qgis/dock/protected.py" />
   <source>the layer's own</source>
   <translation>das des Layers</translation>
  </message>
  <message>
   <location filename="geodp_qgis/dock/protected.py" />
   <source>What is left in the ledger</source>
   <translation>Was im Kassenbuch übrig ist</translation>
  </message>
  <message>
   <location filename="geodp_qgis/dock/protected.py" />
   <source>Po&amp;ints</source>
   <translation>P&amp;unkte</translation>
  </message>
  <message>
   <location filename="geodp_qgis/dock/protected.py" />
   <source>Person &amp;field</source>
   <translation>Personen&amp;feld</translation>
  </message>
  <message>
   <location filename="geodp_qgis/dock/protected.py" />
   <source>For data where one person can have several records. Empty: records are protected, not people.</source>
   <translation>Für Daten, in denen eine Person mehrere Datensätze haben kann. Leer: Datensätze sind geschützt, nicht Menschen.</translation>
  </message>
  <message>
   <location filename="geodp_qgis/dock/protected.py" />
   <source>&amp;At most</source>
   <translation>Höchs&amp;tens</translation>
  </message>
  <message>
   <location filename="geodp_qgis/dock/protected.py" />
   <source>How many records of each person may count; the noise grows with this number. Choose it without looking at the layer.</source>
   <translation>Wie viele Datensätze jeder Person zählen dürfen; das Rauschen wächst mit dieser Zahl. Wählen Sie sie, ohne in den Layer zu sehen.</translation>
  </message>
  <message>
   <location filename="geodp_qgis/dock/protected.py" />
   <source>Ledger &amp;name</source>
   <translation>Ko&amp;nto</translation>
  </message>
  <message>
   <location filename="geodp_qgis/dock/protected.py" />
   <source>One name for all layers about the same people: under it, what is spent adds up. Empty: the layer's own account.</source>
   <translation>Ein Name für alle Layer über dieselben Menschen: Unter ihm wird zusammengezählt, was ausgegeben ist. Leer: das eigene Konto des Layers.</translation>
  </message>
  <message>
   <location filename="geodp_qgis/dock/protected.py" />
   <source>Cap ε</source>
   <translation>Obergrenze ε</translation>
  </message>
  <message>
   <location filename="geodp_qgis/dock/protected.py" />
   <source>The most ε that may ever be spent on these data. Needed once, to enter a new name into the ledger; a cap is never changed.</source>
   <translation>Das größte ε, das insgesamt für diese Daten ausgegeben werden darf. Einmal nötig, um einen neuen Namen ins Kassenbuch einzutragen; eine Obergrenze wird nie geändert.</translation>
  </message>
  <message>
   <location filename="geodp_qgis/dock/protected.py" />
   <source>{:g} of {:g} left</source>
   <translation>{:g} von {:g} übrig</translation>
  </message>
  <message>
   <location filename="geodp_qgis/dock/questions.py" />
   <source>Where records can be: polygons such as land or a jurisdiction, or a raster of weights such as population, known to everybody. May be left empty.</source>
   <translation>Wo Datensätze sein können: Polygone, etwa Land oder ein Amtsbezirk, oder ein Raster von Gewichten, etwa Bevölkerung, die alle kennen. Darf leer bleiben.</translation>
  </message>
  <message>
   <location filename="geodp_qgis/dock/questions.py" />
   <source>A projected coordinate system that suits the public extent</source>
   <translation>Ein projiziertes Koordinatensystem, das zur öffentlichen Ausdehnung passt</translation>
  </message>
  <message>
   <location filename="geodp_qgis/dock/questions.py" />
   <source>&amp;2  Which area is public?</source>
   <translation>&amp;2  Welcher Bereich ist öffentlich?</translation>
  </message>
  <message>
   <location filename="geodp_qgis/dock/questions.py" />
   <source>This extent is public anyway</source>
   <translation>Diese Ausdehnung ist trotzdem öffentlich</translation>
  </message>
  <message>
   <location filename="geodp_qgis/dock/questions.py" />
   <source>E&amp;xtent</source>
   <translation>Ausdehnun&amp;g</translation>
  </message>
  <message>
   <location filename="geodp_qgis/dock/questions.py" />
   <source>The rectangle that is counted, known to everybody: a city, a country, a round box. Never from the points.</source>
   <translation>Das Rechteck, in dem gezählt wird, allen bekannt: eine Stadt, ein Land, runde Koordinaten. Nie aus den Punkten.</translation>
  </message>
  <message>
   <location filename="geodp_qgis/dock/questions.py" />
   <source>&amp;Grid CRS</source>
   <translation>Gitter-KB&amp;S</translation>
  </message>
  <message>
   <location filename="geodp_qgis/dock/questions.py" />
   <source>Use {}</source>
   <translation>{} nehmen</translation>
  </message>
  <message>
   <location filename="geodp_qgis/dock/running.py" />
   <source>Cancelled: nothing was read, no budget is spent.</source>
   <translation>Abgebrochen: Nichts wurde gelesen, kein Budget ist ausgegeben.</translation>
  </message>
  <message>
   <location filename="geodp_qgis/dock/running.py" />
   <source>The map was made but cannot be opened: {}</source>
   <translation>Die Karte wurde gemacht, lässt sich aber nicht öffnen: {}</translation>
  </message>
  <message>
   <location filename="geodp_qgis/dock/state.py" />
   <source>Choose the points that shall be protected.</source>
   <translation>Wählen Sie die Punkte, die geschützt werden sollen.</translation>
  </message>
  <message>
   <location filename="geodp_qgis/dock/state.py" />
   <source>Give a public extent: type it, draw it, or take a public layer's.</source>
   <translation>Geben Sie eine öffentliche Ausdehnung an: tippen oder zeichnen Sie sie, oder nehmen Sie die eines öffentlichen Layers.</translation>
  </message>
  <message>
   <location filename="geodp_qgis/dock/state.py" />
   <source>Choose the CRS of the grid, a projected one for your region.</source>
   <translation>Wählen Sie das KBS des Gitters, ein projiziertes für Ihre Gegend.</translation>
  </message>
  <message>
   <location filename="geodp_qgis/dock/state.py" />
   <source>Say how long a side of a hexagon is, such as 5km.</source>
   <translation>Sagen Sie, wie lang die Seite eines Sechsecks ist, etwa 5km.</translation>
  </message>
  <message>
   <location filename="geodp_qgis/dock/state.py" />
   <source>Say in 'At most' how many records of each may count.</source>
   <translation>Sagen Sie unter „Höchstens“, wie viele Datensätze von jedem zählen dürfen.</translation>
  </message>
  <message>
   <location filename="geodp_qgis/dock/state.py" />
   <source>Choose the districts, a public layer of polygons.</source>
   <translation>Wählen Sie die Bezirke, einen öffentlichen Layer aus Polygonen.</translation>
  </message>
  <message>
   <location filename="geodp_qgis/dock/state.py" />
   <source>Choose the field that names the districts in larger units.</source>
   <translation>Wählen Sie das Feld, das die Bezirke in größeren Einheiten benennt.</translation>
  </message>
  <message>
   <location filename="geodp_qgis/dock/state.py" />
   <source>The extent must be four numbers, xmin, xmax, ymin, ymax; got '{}'.</source>
   <translation>Die Ausdehnung muss aus vier Zahlen bestehen, xmin, xmax, ymin, ymax; angegeben ist „{}“.</translation>
  </message>
  <message>
   <location filename="geodp_qgis/dock/state.py" />
   <source>This QGIS does not know the extent's CRS, {}.</source>
   <translation>Dieses QGIS kennt das KBS der Ausdehnung nicht, {}.</translation>
  </message>
  <message>
   <location filename="geodp_qgis/dock/state.py" />
   <source>A bound must be a number, such as 10000; got '{}'.</source>
   <translation>Eine Schranke muss eine Zahl sein, etwa 10000; angegeben ist „{}“.</translation>
  </message>
  <message>
   <location filename="geodp_qgis/dock/work.py" />
   <source>There is not enough memory for so many cells: use fewer.</source>
   <translation>Für so viele Zellen reicht der Speicher nicht: Nehmen Sie weniger.</translation>
  </message>
  <message>
   <location filename="geodp_qgis/dock/work.py" />
   <source>{}, cancelled</source>
   <translation>{}, abgebrochen</translation>
  </message>
  <message>
   <location filename="geodp_qgis/expressions.py" />
   <source>&lt;h3&gt;{}(layer, geometry)&lt;/h3&gt;&lt;p&gt;{}, from a private histogram in this project (its name or id) and a polygon in the CRS of the current layer; a third argument may be another CRS, such as 'EPSG:4326'. NULL outside the extent of the release. Costs no budget.&lt;/p&gt;</source>
   <translation>&lt;h3&gt;{}(Layer, Geometrie)&lt;/h3&gt;&lt;p&gt;{}, aus einem privaten Histogramm in diesem Projekt (sein Name oder seine Kennung) und einem Polygon im KBS des aktuellen Layers; ein drittes Argument kann ein anderes KBS sein, etwa 'EPSG:4326'. NULL außerhalb der Ausdehnung der Veröffentlichung. Kostet kein Budget.&lt;/p&gt;</translation>
  </message>
  <message>
   <location filename="geodp_qgis/expressions.py" />
   <source>Estimated number of records in a polygon</source>
   <translation>Geschätzte Zahl der Datensätze in einem Polygon</translation>
  </message>
  <message>
   <location filename="geodp_qgis/expressions.py" />
   <source>Lower end of the interval that holds it in 95 of 100 cases</source>
   <translation>Unteres Ende des Intervalls, in dem sie in 95 von 100 Fällen liegt</translation>
  </message>
  <message>
   <location filename="geodp_qgis/expressions.py" />
   <source>Upper end of the interval that holds it in 95 of 100 cases</source>
   <translation>Oberes Ende des Intervalls, in dem sie in 95 von 100 Fällen liegt</translation>
  </message>
  <message>
   <location filename="geodp_qgis/expressions.py" />
   <source>There is no layer '{}' in this project.</source>
   <translation>Es gibt keinen Layer „{}“ in diesem Projekt.</translation>
  </message>
  <message>
   <location filename="geodp_qgis/expressions.py" />
   <source>A layer and a geometry are needed, and a CRS if it is not the layer's.</source>
   <translation>Ein Layer und eine Geometrie sind nötig, und ein KBS, wenn es nicht das des Layers ist.</translation>
  </message>
  <message>
   <location filename="geodp_qgis/layer_menu.py" />
   <source>Ask how many there are in districts…</source>
   <translation>Fragen, wie viele es in Bezirken sind…</translation>
  </message>
  <message>
   <location filename="geodp_qgis/layer_menu.py" />
   <source>Report page…</source>
   <translation>Berichtsseite…</translation>
  </message>
  <message>
   <location filename="geodp_qgis/layer_menu.py" />
   <source>Compare with a later map…</source>
   <translation>Mit einer späteren Karte vergleichen…</translation>
  </message>
  <message>
   <location filename="geodp_qgis/layer_menu.py" />
   <source>Verify, and show what it promises…</source>
   <translation>Nachprüfen, und zeigen, was sie verspricht…</translation>
  </message>
  <message>
   <location filename="geodp_qgis/layer_menu.py" />
   <source>Show the ledger…</source>
   <translation>Kassenbuch zeigen…</translation>
  </message>
  <message>
   <location filename="geodp_qgis/plugin.py" />
   <source>Publish the counts of a point layer without giving away any single point</source>
   <translation>Veröffentlicht die Zahlen eines Punktlayers, ohne einen einzelnen Punkt preiszugeben</translation>
  </message>
  <message>
   <location filename="geodp_qgis/plugin.py" />
   <source>Show or hide the dock that makes a private map step by step</source>
   <translation>Das Bedienfeld, das Schritt für Schritt eine private Karte macht, zeigen oder verbergen</translation>
  </message>
  <message>
   <location filename="geodp_qgis/plugin.py" />
   <source>Try with sample data</source>
   <translation>Mit Beispieldaten ausprobieren</translation>
  </message>
  <message>
   <location filename="geodp_qgis/plugin.py" />
   <source>Add two public layers to practise with, and open the tutorial</source>
   <translation>Zwei öffentliche Layer zum Üben hinzufügen und die Anleitung öffnen</translation>
  </message>
  <message>
   <location filename="geodp_qgis/points.py" />
   <source>PROJ must not fetch grids for private points, because that tells where they lie; its network is on, and this GDAL cannot switch it off: start QGIS with PROJ_NETWORK=OFF.</source>
   <translation>PROJ darf für private Punkte keine Gitter holen, weil das verrät, wo sie liegen; sein Netz ist an, und dieses GDAL kann es nicht abschalten: Starten Sie QGIS mit PROJ_NETWORK=OFF.</translation>
  </message>
  <message>
   <location filename="geodp_qgis/provider.py" />
   <source>geodp: private spatial histograms</source>
   <translation>geodp: private räumliche Histogramme</translation>
  </message>
  <message>
   <location filename="geodp_qgis/question.py" />
   <source>Nothing was read, no budget is spent.</source>
   <translation>Nichts wurde gelesen, kein Budget ist ausgegeben.</translation>
  </message>
  <message>
   <location filename="geodp_qgis/question.py" />
   <source>Make another map</source>
   <translation>Weitere Karte machen</translation>
  </message>
  <message>
   <location filename="geodp_qgis/rasters.py" />
   <source>Counts beyond 32 bits need GDAL 3.5; this QGIS has an older one: use a larger ε.</source>
   <translation>Zahlen über 32 Bit brauchen GDAL 3.5; dieses QGIS hat ein älteres: Nehmen Sie ein größeres ε.</translation>
  </message>
  <message>
   <location filename="geodp_qgis/rasters.py" />
   <source>The CRS of the grid must be one that a GeoTIFF can hold; choose another.</source>
   <translation>Das KBS des Gitters muss eines sein, das ein GeoTIFF aufnimmt; wählen Sie ein anderes.</translation>
  </message>
  <message>
   <location filename="geodp_qgis/rasters.py" />
   <source>The raster of counts must be a GeoTIFF; name it .tif, not '{}'.</source>
   <translation>Das Raster der Zahlen muss ein GeoTIFF sein; nennen Sie es .tif, nicht „{}“.</translation>
  </message>
  <message>
   <location filename="geodp_qgis/rasters.py" />
   <source>An output is a file; '{}' is a folder: choose another name.</source>
   <translation>Eine Ausgabe ist eine Datei; „{}“ ist ein Ordner: Wählen Sie einen anderen Namen.</translation>
  </message>
  <message>
   <location filename="geodp_qgis/rasters.py" />
   <source>The folder of an output must exist; there is no {}.</source>
   <translation>Der Ordner einer Ausgabe muss vorhanden sein; es gibt kein {}.</translation>
  </message>
  <message>
   <location filename="geodp_qgis/rasters.py" />
   <source>A release is never written over, because ε was spent on it; {} is one: choose another name, or delete the file first.</source>
   <translation>Eine Veröffentlichung wird nie überschrieben, weil ε dafür ausgegeben ist; {} ist eine: Wählen Sie einen anderen Namen, oder löschen Sie die Datei zuerst.</translation>
  </message>
  <message>
   <location filename="geodp_qgis/rasters.py" />
   <source>The raster {} cannot be opened.</source>
   <translation>Das Raster {} lässt sich nicht öffnen.</translation>
  </message>
  <message>
   <location filename="geodp_qgis/rasters.py" />
   <source>The raster {} cannot be read to its end.</source>
   <translation>Das Raster {} lässt sich nicht bis zum Ende lesen.</translation>
  </message>
  <message>
   <location filename="geodp_qgis/regions.py" />
   <source>is empty: remove it</source>
   <translation>ist leer: Entfernen Sie es</translation>
  </message>
  <message>
   <location filename="geodp_qgis/regions.py" />
   <source>is not a polygon: use polygon layers only</source>
   <translation>ist kein Polygon: Nehmen Sie nur Polygonlayer</translation>
  </message>
  <message>
   <location filename="geodp_qgis/regions.py" />
   <source>is not a valid polygon: repair it with 'Fix geometries'</source>
   <translation>ist kein gültiges Polygon: Reparieren Sie es mit „Geometrien reparieren“</translation>
  </message>
  <message>
   <location filename="geodp_qgis/regions.py" />
   <source>has no area: remove it</source>
   <translation>hat keine Fläche: Entfernen Sie es</translation>
  </message>
  <message>
   <location filename="geodp_qgis/regions.py" />
   <source>Every region must overlap the domain; the region with id {} lies outside: remove it or widen the domain.</source>
   <translation>Jedes Gebiet muss das Rechteck überdecken; das Gebiet mit der Kennung {} liegt außerhalb: Entfernen Sie es, oder erweitern Sie das Rechteck.</translation>
  </message>
  <message>
   <location filename="geodp_qgis/regions.py" />
   <source>cannot be expressed in the domain's CRS: cut it to the domain first</source>
   <translation>lässt sich im KBS des Rechtecks nicht ausdrücken: Schneiden Sie es erst darauf zu</translation>
  </message>
  <message>
   <location filename="geodp_qgis/sample.py" />
   <source>Towns, which stand for people, and states. The tutorial makes a map of them.</source>
   <translation>Orte, die für Menschen stehen, und Bundesstaaten. Die Anleitung macht eine Karte daraus.</translation>
  </message>
  <message>
   <location filename="geodp_qgis/sample.py" />
   <source>Open the tutorial</source>
   <translation>Anleitung öffnen</translation>
  </message>
  <message>
   <location filename="geodp_qgis/styles/answers.py" />
   <source>per km²</source>
   <translation>je km²</translation>
  </message>
  <message>
   <location filename="geodp_qgis/styles/answers.py" />
   <source>Map</source>
   <translation>Karte</translation>
  </message>
  <message>
   <location filename="geodp_qgis/styles/answers.py" />
   <source>Estimated number of records</source>
   <translation>Geschätzte Zahl der Datensätze</translation>
  </message>
  <message>
   <location filename="geodp_qgis/styles/answers.py" />
   <source>Standard error</source>
   <translation>Standardfehler</translation>
  </message>
  <message>
   <location filename="geodp_qgis/styles/answers.py" />
   <source>Standard deviation of the noise alone</source>
   <translation>Standardabweichung des Rauschens allein</translation>
  </message>
  <message>
   <location filename="geodp_qgis/styles/answers.py" />
   <source>Lower end of the interval</source>
   <translation>Unteres Ende des Intervalls</translation>
  </message>
  <message>
   <location filename="geodp_qgis/styles/answers.py" />
   <source>Upper end of the interval</source>
   <translation>Oberes Ende des Intervalls</translation>
  </message>
  <message>
   <location filename="geodp_qgis/styles/answers.py" />
   <source>Share from cells that the border cuts</source>
   <translation>Anteil aus Zellen, die der Rand schneidet</translation>
  </message>
  <message>
   <location filename="geodp_qgis/styles/answers.py" />
   <source>Share inside the release's extent</source>
   <translation>Anteil in der Ausdehnung der Veröffentlichung</translation>
  </message>
  <message>
   <location filename="geodp_qgis/styles/answers.py" />
   <source>Narrow interval beside the estimate</source>
   <translation>Intervall schmal neben der Schätzung</translation>
  </message>
  <message>
   <location filename="geodp_qgis/styles/answers.py" />
   <source>Estimated sum</source>
   <translation>Geschätzte Summe</translation>
  </message>
  <message>
   <location filename="geodp_qgis/styles/answers.py" />
   <source>Estimated sum, at least</source>
   <translation>Geschätzte Summe, mindestens</translation>
  </message>
  <message>
   <location filename="geodp_qgis/styles/answers.py" />
   <source>Estimated sum, at most</source>
   <translation>Geschätzte Summe, höchstens</translation>
  </message>
  <message>
   <location filename="geodp_qgis/styles/answers.py" />
   <source>Estimated mean</source>
   <translation>Geschätztes Mittel</translation>
  </message>
  <message>
   <location filename="geodp_qgis/styles/answers.py" />
   <source>Estimated mean, at least</source>
   <translation>Geschätztes Mittel, mindestens</translation>
  </message>
  <message>
   <location filename="geodp_qgis/styles/answers.py" />
   <source>Estimated mean, at most</source>
   <translation>Geschätztes Mittel, höchstens</translation>
  </message>
  <message>
   <location filename="geodp_qgis/styles/answers.py" />
   <source>Records per km²</source>
   <translation>Datensätze je km²</translation>
  </message>
  <message>
   <location filename="geodp_qgis/styles/answers.py" />
   <source>Records per km², at least</source>
   <translation>Datensätze je km², mindestens</translation>
  </message>
  <message>
   <location filename="geodp_qgis/styles/answers.py" />
   <source>Records per km², at most</source>
   <translation>Datensätze je km², höchstens</translation>
  </message>
  <message>
   <location filename="geodp_qgis/styles/answers.py" />
   <source>answers</source>
   <translation>Antworten</translation>
  </message>
  <message>
   <location filename="geodp_qgis/styles/answers.py" />
   <source>over time</source>
   <translation>im Lauf der Zeit</translation>
  </message>
  <message>
   <location filename="geodp_qgis/styles/answers.py" />
   <source>Answers of a private histogram</source>
   <translation>Antworten eines privaten Histogramms</translation>
  </message>
  <message>
   <location filename="geodp_qgis/styles/answers.py" />
   <source>Rate per {} of '{}'</source>
   <translation>Rate je {} von „{}“</translation>
  </message>
  <message>
   <location filename="geodp_qgis/styles/answers.py" />
   <source>{} ({} to {})</source>
   <translation>{} ({} bis {})</translation>
  </message>
  <message>
   <location filename="geodp_qgis/styles/answers.py" />
   <source>standard error</source>
   <translation>Standardfehler</translation>
  </message>
  <message>
   <location filename="geodp_qgis/styles/answers.py" />
   <source>uncertain: ±{} % or more</source>
   <translation>unsicher: ±{} % oder mehr</translation>
  </message>
  <message>
   <location filename="geodp_qgis/styles/answers.py" />
   <source>{}, at least</source>
   <translation>{}, mindestens</translation>
  </message>
  <message>
   <location filename="geodp_qgis/styles/answers.py" />
   <source>{}, at most</source>
   <translation>{}, höchstens</translation>
  </message>
  <message>
   <location filename="geodp_qgis/styles/counts.py" />
   <source>counts</source>
   <translation>Zahlen</translation>
  </message>
  <message>
   <location filename="geodp_qgis/styles/counts.py" />
   <source>NOT private</source>
   <translation>NICHT privat</translation>
  </message>
  <message>
   <location filename="geodp_qgis/styles/counts.py" />
   <source>Private counts, {}, {}, {}</source>
   <translation>Private Zahlen, {}, {}, {}</translation>
  </message>
  <message>
   <location filename="geodp_qgis/styles/counts.py" />
   <source>Private density, {}, {}, {}</source>
   <translation>Private Dichte, {}, {}, {}</translation>
  </message>
  <message>
   <location filename="geodp_qgis/styles/counts.py" />
   <source>Private counts clamped, {}, {}, {}</source>
   <translation>Private Zahlen, gekappt, {}, {}, {}</translation>
  </message>
  <message>
   <location filename="geodp_qgis/styles/shades.py" />
   <source>{}, uncertain ones grey</source>
   <translation>{}, Unsicheres grau</translation>
  </message>
  <message>
   <location filename="geodp_qgis/styles/shades.py" />
   <source>{} as rates</source>
   <translation>{} als Raten</translation>
  </message>
  <message>
   <location filename="geodp_qgis/vectors.py" />
   <source>A layer that geodp made is needed; this one cannot be opened.</source>
   <translation>Ein Layer, den geodp gemacht hat, wird gebraucht; dieser lässt sich nicht öffnen.</translation>
  </message>
  <message>
   <location filename="geodp_qgis/vectors.py" />
   <source>The release must be the file that geodp wrote, not a service or a copy in memory.</source>
   <translation>Die Veröffentlichung muss die Datei sein, die geodp geschrieben hat, kein Dienst und keine Kopie im Speicher.</translation>
  </message>
  <message>
   <location filename="geodp_qgis/vectors.py" />
   <source>Copies that QGIS exports have lost them: copy the file itself.</source>
   <translation>Kopien, die QGIS exportiert, haben sie verloren: Kopieren Sie die Datei selbst.</translation>
  </message>
  <message>
   <location filename="geodp_qgis/vectors.py" />
   <source>The layer {} cannot be opened.</source>
   <translation>Der Layer {} lässt sich nicht öffnen.</translation>
  </message>
  <message>
   <location filename="geodp_qgis/vectors.py" />
   <source>The output layer cannot be written: {}</source>
   <translation>Der Ausgabelayer lässt sich nicht schreiben: {}</translation>
  </message>
  <message>
   <location filename="geodp_qgis/weights.py" />
   <source>The raster of weights cannot be opened.</source>
   <translation>Das Raster von Gewichten lässt sich nicht öffnen.</translation>
  </message>
  <message>
   <location filename="geodp_qgis/weights.py" />
   <source>The raster of weights must be a file, not a service: save it as a GeoTIFF first.</source>
   <translation>Das Raster von Gewichten muss eine Datei sein, kein Dienst: Speichern Sie es zuerst als GeoTIFF.</translation>
  </message>
  <message>
   <location filename="geodp_qgis/weights.py" />
   <source>The raster of weights needs a CRS; this layer has none: set it first.</source>
   <translation>Das Raster von Gewichten braucht ein KBS; dieser Layer hat keines: Setzen Sie es zuerst.</translation>
  </message>
  <message>
   <location filename="geodp_qgis/weights.py" />
   <source>The raster of weights cannot be read to its end.</source>
   <translation>Das Raster von Gewichten lässt sich nicht bis zum Ende lesen.</translation>
  </message>
  <message>
   <location filename="geodp_qgis/weights.py" />
   <source>The raster of weights cannot be brought into the CRS of the grid: cut it to the extent first.</source>
   <translation>Das Raster von Gewichten lässt sich nicht in das KBS des Gitters bringen: Schneiden Sie es zuerst auf die Ausdehnung zu.</translation>
  </message>
  <message>
   <location filename="geodp_qgis/weights.py" />
   <source>The raster of weights must have one band; this one has {}: save the one that is meant as a file of its own.</source>
   <translation>Das Raster von Gewichten muss einen Kanal haben; dieses hat {}: Speichern Sie den gemeinten als eigene Datei.</translation>
  </message>
  <message>
   <location filename="core/pipeline/mechanism.py" />
   <source>adding noise</source>
   <translation>Rauschen wird hinzugefügt</translation>
  </message>
  <message>
   <location filename="core/pipeline/mechanism.py" />
   <source>looking closer where it pays</source>
   <translation>wo es sich lohnt, wird genauer hingesehen</translation>
  </message>
  <message>
   <location filename="core/pipeline/mechanism.py" />
   <source>choosing the cells</source>
   <translation>Zellen werden gewählt</translation>
  </message>
  <message>
   <location filename="core/pipeline/mechanism.py" />
   <source>choosing the grid</source>
   <translation>das Gitter wird gewählt</translation>
  </message>
  <message>
   <location filename="core/pipeline/pipeline.py" />
   <source>preparing</source>
   <translation>wird vorbereitet</translation>
  </message>
  <message>
   <location filename="core/pipeline/pipeline.py" />
   <source>counting</source>
   <translation>wird gezählt</translation>
  </message>
  <message>
   <location filename="core/pipeline/pipeline.py" />
   <source>recording the spend</source>
   <translation>die Ausgabe wird verbucht</translation>
  </message>
 </context>
</TS>
