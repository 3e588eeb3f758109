<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="fr" sourcelanguage="en">
 <context>
  <name>geodp</name>
  <message>
   <location filename="geodp_qgis/adapters.py" />
   <source>A coordinate reference system is needed; choose a projected one for your region.</source>
   <translation>Il faut un système de coordonnées de référence ; choisissez-en un projeté pour votre région.</translation>
  </message>
  <message>
   <location filename="geodp_qgis/adapters.py" />
   <source>This QGIS does not know the release's coordinate system.</source>
   <translation>Ce QGIS ne connaît pas le système de coordonnées de la publication.</translation>
  </message>
  <message>
   <location filename="geodp_qgis/adapters.py" />
   <source>The extent must be a rectangle; this one is missing or has no area.</source>
   <translation>L’emprise doit être un rectangle ; celle-ci manque ou n’a pas de surface.</translation>
  </message>
  <message>
   <location filename="geodp_qgis/adapters.py" />
   <source>The extent must lie where its coordinate system is meant to be used; {} lies outside the area of {}: check the order of the numbers and the CRS.</source>
   <translation>L’emprise doit se trouver là où son système de coordonnées s’emploie ; {} est hors du domaine de {} : vérifiez l’ordre des nombres et le SCR.</translation>
  </message>
  <message>
   <location filename="geodp_qgis/adapters.py" />
   <source>this CRS</source>
   <translation>ce SCR</translation>
  </message>
  <message>
   <location filename="geodp_qgis/algorithms/about.py" />
   <source>About a private histogram</source>
   <translation>À propos d’un histogramme privé</translation>
  </message>
  <message>
   <location filename="geodp_qgis/algorithms/about.py" />
   <source>Says what a released raster promises, what it cost and how noisy it is.</source>
   <translation>Dit ce que garantit un raster publié, ce qu’il a coûté et combien il est bruité.</translation>
  </message>
  <message>
   <location filename="geodp_qgis/algorithms/about.py" />
   <source>A page, to which the Results Viewer links under this name.</source>
   <translation>Une page, vers laquelle le Visualiseur de résultats renvoie sous ce nom.</translation>
  </message>
  <message>
   <location filename="geodp_qgis/algorithms/about.py" />
   <source>privacy,metadata,promise,epsilon,budget</source>
   <translation>confidentialité,métadonnées,garantie,epsilon,budget</translation>
  </message>
  <message>
   <location filename="geodp_qgis/algorithms/about.py" />
   <source>What the histogram promises</source>
   <translation>Ce que garantit l’histogramme</translation>
  </message>
  <message>
   <location filename="geodp_qgis/algorithms/about.py" />
   <source>HTML files (*.html)</source>
   <translation>Fichiers HTML (*.html)</translation>
  </message>
  <message>
   <location filename="geodp_qgis/algorithms/about.py" />
   <source>Promise in one sentence</source>
   <translation>Garantie en une phrase</translation>
  </message>
  <message>
   <location filename="geodp_qgis/algorithms/about.py" />
   <source>ε that was spent</source>
   <translation>ε dépensé</translation>
  </message>
  <message>
   <location filename="geodp_qgis/algorithms/about.py" />
   <source>About this private histogram</source>
   <translation>À propos de cet histogramme privé</translation>
  </message>
  <message>
   <location filename="geodp_qgis/algorithms/about.py" />
   <source>ε added up again, from the counts</source>
   <translation>ε additionné de nouveau, à partir des comptages</translation>
  </message>
  <message>
   <location filename="geodp_qgis/algorithms/about.py" />
   <source>Counts are signed: where few records lie, the noise makes some of them negative. Leave them so, since sums over many cells then come out right. For totals with error bars use 'Query a private histogram'.</source>
   <translation>Les comptages ont un signe : là où il y a peu d’enregistrements, le bruit en rend certains négatifs. Laissez-les ainsi, car les sommes sur beaucoup de cellules sont alors justes. Pour des totaux avec marge d’erreur, utilisez « Interroger un histogramme privé ».</translation>
  </message>
  <message>
   <location filename="geodp_qgis/algorithms/accounts.py" />
   <source>Ledger (empty: in the QGIS profile)</source>
   <translation>Registre (vide : dans le profil QGIS)</translation>
  </message>
  <message>
   <location filename="geodp_qgis/algorithms/accounts.py" />
   <source>Most ε for a layer whose data have no name in the ledger (0: do not record it)</source>
   <translation>ε maximal pour une couche dont les données n’ont pas de nom au registre (0 : ne pas l’inscrire)</translation>
  </message>
  <message>
   <location filename="geodp_qgis/algorithms/accounts.py" />
   <source>The folder of the ledger must exist; there is no {}.</source>
   <translation>Le dossier du registre doit exister ; il n’y a pas de {}.</translation>
  </message>
  <message>
   <location filename="geodp_qgis/algorithms/amounts.py" />
   <source>A field to add up needs both bounds, from public knowledge: type them in.</source>
   <translation>Un champ à additionner a besoin des deux bornes, connues publiquement : saisissez-les.</translation>
  </message>
  <message>
   <location filename="geodp_qgis/algorithms/amounts.py" />
   <source>A field of numbers, such as a damage or a delay: sums and means come beside the counts, for the same ε. Say below between which bounds it lies. Records without a number there are not counted.</source>
   <translation>Un champ de nombres, tel qu’un dommage ou un retard : les sommes et les moyennes s’ajoutent aux comptages, pour le même ε. Indiquez plus bas entre quelles bornes il se situe. Les enregistrements qui n’y ont pas de nombre ne sont pas comptés.</translation>
  </message>
  <message>
   <location filename="geodp_qgis/algorithms/amounts.py" />
   <source>Also add up, and average</source>
   <translation>Additionner aussi, avec la moyenne</translation>
  </message>
  <message>
   <location filename="geodp_qgis/algorithms/amounts.py" />
   <source>Its lower bound (public)</source>
   <translation>Sa borne inférieure (publique)</translation>
  </message>
  <message>
   <location filename="geodp_qgis/algorithms/amounts.py" />
   <source>Its upper bound (public)</source>
   <translation>Sa borne supérieure (publique)</translation>
  </message>
  <message>
   <location filename="geodp_qgis/algorithms/amounts.py" />
   <source>What lies beyond counts as the bound. Never read it off the points; an upper bound of two to five times the mean that you expect is best.</source>
   <translation>Ce qui dépasse compte comme la borne. Ne la tirez jamais des points ; le mieux est une borne supérieure de deux à cinq fois la moyenne que vous attendez.</translation>
  </message>
  <message>
   <location filename="geodp_qgis/algorithms/amounts.py" />
   <source>Bounds are those of a field to add up: choose it in 'Also add up, and average'.</source>
   <translation>Les bornes sont celles d’un champ à additionner : choisissez-le dans « Additionner aussi, avec la moyenne ».</translation>
  </message>
  <message>
   <location filename="geodp_qgis/algorithms/amounts.py" />
   <source>What is added up must be a field of numbers of the layer; '{}' is none.</source>
   <translation>Ce qui est additionné doit être un champ de nombres de la couche ; « {} » n’en est pas un.</translation>
  </message>
  <message>
   <location filename="geodp_qgis/algorithms/base.py" />
   <source>Cancelled: no layer was written.</source>
   <translation>Annulé : aucune couche n’a été écrite.</translation>
  </message>
  <message>
   <location filename="geodp_qgis/algorithms/base.py" />
   <source>Publish</source>
   <translation>Publier</translation>
  </message>
  <message>
   <location filename="geodp_qgis/algorithms/base.py" />
   <source>Use a release</source>
   <translation>Utiliser une publication</translation>
  </message>
  <message>
   <location filename="geodp_qgis/algorithms/base.py" />
   <source>geodp cannot run in this QGIS, which lacks a part: {}</source>
   <translation>geodp ne peut pas fonctionner dans ce QGIS, auquel il manque un élément : {}</translation>
  </message>
  <message>
   <location filename="geodp_qgis/algorithms/candidate_grids.py" />
   <source>Candidate grids</source>
   <translation>Grilles candidates</translation>
  </message>
  <message>
   <location filename="geodp_qgis/algorithms/candidate_grids.py" />
   <source>Draws the grids that a private histogram would choose from; costs no budget.</source>
   <translation>Dessine les grilles parmi lesquelles un histogramme privé choisirait ; ne coûte aucun budget.</translation>
  </message>
  <message>
   <location filename="geodp_qgis/algorithms/candidate_grids.py" />
   <source>The cells of all candidates; the field 'candidate' says which they belong to.</source>
   <translation>Les cellules de toutes les candidates ; le champ « candidate » dit à laquelle elles appartiennent.</translation>
  </message>
  <message>
   <location filename="geodp_qgis/algorithms/candidate_grids.py" />
   <source>No points were read and no budget was spent.</source>
   <translation>Aucun point n’a été lu et aucun budget n’a été dépensé.</translation>
  </message>
  <message>
   <location filename="geodp_qgis/algorithms/candidate_grids.py" />
   <source>privacy,grid,cells,preview</source>
   <translation>confidentialité,grille,cellules,aperçu</translation>
  </message>
  <message>
   <location filename="geodp_qgis/algorithms/candidate_grids.py" />
   <source>Candidate: {}.</source>
   <translation>Candidate : {}.</translation>
  </message>
  <message>
   <location filename="geodp_qgis/algorithms/change.py" />
   <source>Change between two maps</source>
   <translation>Évolution entre deux cartes</translation>
  </message>
  <message>
   <location filename="geodp_qgis/algorithms/change.py" />
   <source>Subtracts an earlier private histogram from a later one, with error bars.</source>
   <translation>Soustrait un histogramme privé antérieur d’un histogramme ultérieur, avec marge d’erreur.</translation>
  </message>
  <message>
   <location filename="geodp_qgis/algorithms/change.py" />
   <source>A GeoTIFF or GeoPackage of counts that geodp wrote.</source>
   <translation>Un GeoTIFF ou un GeoPackage de comptages écrit par geodp.</translation>
  </message>
  <message>
   <location filename="geodp_qgis/algorithms/change.py" />
   <source>Where it has several maps, such as 2024; empty: all of them added up.</source>
   <translation>S’il contient plusieurs cartes, par exemple 2024 ; vide : toutes additionnées.</translation>
  </message>
  <message>
   <location filename="geodp_qgis/algorithms/change.py" />
   <source>Another one with the same extent and CRS; or the same, for two of its maps.</source>
   <translation>Un autre, de même emprise et de même SCR ; ou le même, pour deux de ses cartes.</translation>
  </message>
  <message>
   <location filename="geodp_qgis/algorithms/change.py" />
   <source>Where it has several maps, such as 2025; empty: all of them added up.</source>
   <translation>S’il contient plusieurs cartes, par exemple 2025 ; vide : toutes additionnées.</translation>
  </message>
  <message>
   <location filename="geodp_qgis/algorithms/change.py" />
   <source>A GeoTIFF with the change in band 1 and its standard error in band 2. It is no release. Of districts and hexagons, there is the change as cells instead.</source>
   <translation>Un GeoTIFF avec l’évolution dans la bande 1 et son erreur type dans la bande 2. Ce n’est pas une publication. Pour des districts ou des hexagones, l’évolution est donnée en cellules.</translation>
  </message>
  <message>
   <location filename="geodp_qgis/algorithms/change.py" />
   <source>The same, one polygon per cell, in the fields difference, std_error and z_score (their ratio).</source>
   <translation>La même chose, un polygone par cellule, dans les champs difference, std_error et z_score (leur rapport).</translation>
  </message>
  <message>
   <location filename="geodp_qgis/algorithms/change.py" />
   <source>Asking costs no budget: only published counts were read.</source>
   <translation>Interroger ne coûte aucun budget : seuls des comptages publiés ont été lus.</translation>
  </message>
  <message>
   <location filename="geodp_qgis/algorithms/change.py" />
   <source>Say where the change shall be written.</source>
   <translation>Dites où l’évolution doit être écrite.</translation>
  </message>
  <message>
   <location filename="geodp_qgis/algorithms/change.py" />
   <source>privacy,difference,subtract,before,after,trend</source>
   <translation>confidentialité,différence,soustraire,avant,après,tendance</translation>
  </message>
  <message>
   <location filename="geodp_qgis/algorithms/change.py" />
   <source>Earlier private histogram</source>
   <translation>Histogramme privé antérieur</translation>
  </message>
  <message>
   <location filename="geodp_qgis/algorithms/change.py" />
   <source>…of which the map named</source>
   <translation>…dont la carte nommée</translation>
  </message>
  <message>
   <location filename="geodp_qgis/algorithms/change.py" />
   <source>Later private histogram</source>
   <translation>Histogramme privé ultérieur</translation>
  </message>
  <message>
   <location filename="geodp_qgis/algorithms/change.py" />
   <source>Change</source>
   <translation>Évolution</translation>
  </message>
  <message>
   <location filename="geodp_qgis/algorithms/change.py" />
   <source>Change as cells</source>
   <translation>Évolution en cellules</translation>
  </message>
  <message>
   <location filename="geodp_qgis/algorithms/change.py" />
   <source>'{}' names one of several maps, and that private histogram has but one.</source>
   <translation>« {} » nomme une carte parmi plusieurs, et cet histogramme privé n’en a qu’une.</translation>
  </message>
  <message>
   <location filename="geodp_qgis/algorithms/declared.py" />
   <source>A field that records are told apart by must have a declared type; in this layer types are inferred from the records, and one record could change the values of all: export the layer to GeoPackage and use that.</source>
   <translation>Un champ qui distingue les enregistrements doit avoir un type déclaré ; dans cette couche, les types sont déduits des enregistrements, et un seul pourrait changer les valeurs de tous : exportez la couche en GeoPackage et utilisez celui-ci.</translation>
  </message>
  <message>
   <location filename="geodp_qgis/algorithms/declared.py" />
   <source>A filter needs fields of a declared type; in this layer types are inferred from the records, and one record could change which others are counted: export the layer to GeoPackage and filter that.</source>
   <translation>Un filtre exige des champs d’un type déclaré ; dans cette couche, les types sont déduits des enregistrements, et un seul pourrait changer ceux qui sont comptés : exportez la couche vers GeoPackage et filtrez celle-ci.</translation>
  </message>
  <message>
   <location filename="geodp_qgis/algorithms/declared.py" />
   <source>A field that records are told apart by must be stored in the layer; '{}' is joined or computed: export the layer to GeoPackage and use that.</source>
   <translation>Un champ qui distingue les enregistrements doit être stocké dans la couche ; « {} » vient d’une jointure ou d’un calcul : exportez la couche en GeoPackage et utilisez celui-ci.</translation>
  </message>
  <message>
   <location filename="geodp_qgis/algorithms/framing.py" />
   <source>The rectangle that is counted, known to everybody: a city, a country, a round box. Do not take it from the points: their extent tells where the outermost ones are.</source>
   <translation>Le rectangle où l’on compte, connu de tous : une ville, un pays, un cadre aux valeurs rondes. Ne le tirez pas des points : leur emprise révèle où sont les plus extérieurs.</translation>
  </message>
  <message>
   <location filename="geodp_qgis/algorithms/framing.py" />
   <source>A projected coordinate system, so that cells have equal areas; degrees are refused.</source>
   <translation>Un système de coordonnées projeté, pour que les cellules aient des surfaces égales ; les degrés sont refusés.</translation>
  </message>
  <message>
   <location filename="geodp_qgis/algorithms/framing.py" />
   <source>Its sides become whole multiples of this size, so that cells of it have their corners where everybody's have them: 1000 in units of the CRS, or 1km, 500m. On EPSG:3035 such cells carry the identifiers of the official grid of Europe.</source>
   <translation>Ses côtés deviennent des multiples entiers de cette taille, de sorte que les cellules de cette taille ont leurs coins là où tout le monde les a : 1000 dans les unités du SCR, ou 1km, 500m. En EPSG:3035, ces cellules portent les identifiants de la grille officielle de l’Europe.</translation>
  </message>
  <message>
   <location filename="geodp_qgis/algorithms/framing.py" />
   <source>Polygons, such as land or a jurisdiction, known to everybody: outside them nothing is counted, and cells that they cut are read as that part alone. Never from the points.</source>
   <translation>Des polygones, tels que la terre ferme ou un territoire, connus de tous : au-dehors rien n’est compté, et les cellules qu’ils coupent ne valent que pour cette partie. Jamais d’après les points.</translation>
  </message>
  <message>
   <location filename="geodp_qgis/algorithms/framing.py" />
   <source>Instead of polygons: a raster with one band, such as public population. Records are taken as spread in proportion to it, and nothing is counted where it is 0 or has no data. Never from the points.</source>
   <translation>Au lieu de polygones : un raster à une bande, par exemple la population publique. Les enregistrements sont supposés répartis en proportion, et rien n’est compté là où il vaut 0 ou n’a pas de données. Jamais d’après les points.</translation>
  </message>
  <message>
   <location filename="geodp_qgis/algorithms/framing.py" />
   <source>Numbers of cells per side to choose from, such as 30, 40, 50, or rows x columns such as 20x30. Empty means a ladder of near-square cells: as many as 10, 14, 20, 28, 40, 57, 80, 113, 160, 226 and 320 per side make of a square.</source>
   <translation>Nombres de cellules par côté parmi lesquels choisir, par exemple 30, 40, 50, ou lignes x colonnes comme 20x30. Vide signifie une échelle de cellules presque carrées : autant qu’en font d’un carré 10, 14, 20, 28, 40, 57, 80, 113, 160, 226 et 320 par côté.</translation>
  </message>
  <message>
   <location filename="geodp_qgis/algorithms/framing.py" />
   <source>Sides of square cells to choose from, such as 500, 1000, 2000 in units of the CRS, or 500m, 1km, 2km, instead of the above.</source>
   <translation>Côtés de cellules carrées parmi lesquels choisir, par exemple 500, 1000, 2000 en unités du SCR, ou 500m, 1km, 2km, à la place de ce qui précède.</translation>
  </message>
  <message>
   <location filename="geodp_qgis/algorithms/framing.py" />
   <source>A GeoTIFF or GeoPackage of counts that geodp wrote, from QGIS, Python or the command line.</source>
   <translation>Un GeoTIFF ou un GeoPackage de comptages écrit par geodp, depuis QGIS, Python ou la ligne de commande.</translation>
  </message>
  <message>
   <location filename="geodp_qgis/algorithms/framing.py" />
   <source>Public extent</source>
   <translation>Emprise publique</translation>
  </message>
  <message>
   <location filename="geodp_qgis/algorithms/framing.py" />
   <source>CRS of the grid (projected)</source>
   <translation>SCR de la grille (projeté)</translation>
  </message>
  <message>
   <location filename="geodp_qgis/algorithms/framing.py" />
   <source>Move the extent outwards to multiples of a size, such as 1km</source>
   <translation>Agrandir l’emprise à des multiples d’une taille, comme 1km</translation>
  </message>
  <message>
   <location filename="geodp_qgis/algorithms/framing.py" />
   <source>Where records can be (public)</source>
   <translation>Où peuvent être les enregistrements (public)</translation>
  </message>
  <message>
   <location filename="geodp_qgis/algorithms/framing.py" />
   <source>Where records can be, as a raster of weights (public)</source>
   <translation>Où peuvent être les enregistrements, comme raster de poids (public)</translation>
  </message>
  <message>
   <location filename="geodp_qgis/algorithms/framing.py" />
   <source>Candidate sizes: cells per side</source>
   <translation>Tailles candidates : cellules par côté</translation>
  </message>
  <message>
   <location filename="geodp_qgis/algorithms/framing.py" />
   <source>…or sizes of cells, such as 5km</source>
   <translation>…ou tailles des cellules, par exemple 5km</translation>
  </message>
  <message>
   <location filename="geodp_qgis/algorithms/framing.py" />
   <source>Private histogram</source>
   <translation>Histogramme privé</translation>
  </message>
  <message>
   <location filename="geodp_qgis/algorithms/framing.py" />
   <source>Say where records can be by polygons or by a raster, not both: empty one of them.</source>
   <translation>Indiquez où peuvent être les enregistrements par des polygones ou par un raster, pas les deux : videz l’un d’eux.</translation>
  </message>
  <message>
   <location filename="geodp_qgis/algorithms/framing.py" />
   <source>'Where records can be' must leave a place for records in the extent; this layer leaves none: check its CRS and the extent.</source>
   <translation>« Où peuvent être les enregistrements » doit laisser de la place dans l’emprise ; cette couche n’en laisse aucune : vérifiez son SCR et l’emprise.</translation>
  </message>
  <message>
   <location filename="geodp_qgis/algorithms/framing.py" />
   <source>Give candidate sizes or cell sizes, not both: empty one of the two.</source>
   <translation>Donnez des nombres de cellules ou des tailles de cellules, pas les deux : videz l’un des deux.</translation>
  </message>
  <message>
   <location filename="geodp_qgis/algorithms/framing.py" />
   <source>{} × {} cells of {:.6g} × {:.6g} {}</source>
   <translation>{} × {} cellules de {:.6g} × {:.6g} {}</translation>
  </message>
  <message>
   <location filename="geodp_qgis/algorithms/framing.py" />
   <source>The layer of regions cannot be opened.</source>
   <translation>La couche des zones ne peut pas être ouverte.</translation>
  </message>
  <message>
   <location filename="geodp_qgis/algorithms/framing.py" />
   <source>The regions need a CRS; this layer has none: set it first.</source>
   <translation>Les zones ont besoin d’un SCR ; cette couche n’en a pas : définissez-le d’abord.</translation>
  </message>
  <message>
   <location filename="geodp_qgis/algorithms/framing.py" />
   <source>Regions must be polygons; this layer holds {}.</source>
   <translation>Les zones doivent être des polygones ; cette couche contient {}.</translation>
  </message>
  <message>
   <location filename="geodp_qgis/algorithms/groups.py" />
   <source>A field that divides the records: kind, hour, year. All maps together cost ε once, because each record is in one of them. Say below which values.</source>
   <translation>Un champ qui partage les enregistrements : type, heure, année. Toutes les cartes ensemble coûtent ε une seule fois, car chaque enregistrement est dans une seule d’entre elles. Indiquez dessous quelles valeurs.</translation>
  </message>
  <message>
   <location filename="geodp_qgis/algorithms/groups.py" />
   <source>Values of the field, with commas, each of which gets a map. Type what everybody knows; the list is never read off the points, because it would tell what they hold. Look into the attribute table first whether values are written so, capital letters too: a map of values that no record has is noise, and ε is spent on it.</source>
   <translation>Des valeurs du champ, séparées par des virgules, dont chacune reçoit une carte. Saisissez ce que tout le monde sait ; la liste n’est jamais tirée des points, car elle révélerait ce qu’ils contiennent. Vérifiez d’abord dans la table d’attributs que les valeurs s’écrivent ainsi, majuscules comprises : une carte de valeurs qu’aucun enregistrement n’a n’est que du bruit, et ε est dépensé pour elle.</translation>
  </message>
  <message>
   <location filename="geodp_qgis/algorithms/groups.py" />
   <source>Instead: limits between numbers, between dates and times such as 2024-01-01 (ISO, in UTC) or between times of day such as 06:00. Or a word: hourly, weekday, monthly 2024-01 to 2024-12, yearly 2020 to 2024. With dates or times, QGIS's temporal controller plays the maps; times of day are those of 1970-01-01.</source>
   <translation>À la place : des limites entre des nombres, entre des dates et heures comme 2024-01-01 (ISO, en UTC) ou entre des heures du jour comme 06:00. Ou un mot : hourly (par heure), weekday (par jour de la semaine), monthly 2024-01 to 2024-12 (par mois), yearly 2020 to 2024 (par an). Avec des dates ou des heures, le Contrôleur temporel de QGIS fait défiler les cartes ; les heures du jour sont celles du 1970-01-01.</translation>
  </message>
  <message>
   <location filename="geodp_qgis/algorithms/groups.py" />
   <source>Empty: records with other values are not counted.</source>
   <translation>Vide : les enregistrements ayant d’autres valeurs ne sont pas comptés.</translation>
  </message>
  <message>
   <location filename="geodp_qgis/algorithms/groups.py" />
   <source>A second field, crossed with the first: theft in 2024, theft in 2025, and so on. Then write before each list whose it is: kind=theft, assault as values and time=2024-01-01, 2025-01-01 as limits, or kind=theft, assault; year=2024, 2025 in one box. All maps together still cost ε once.</source>
   <translation>Un second champ, croisé avec le premier : vol en 2024, vol en 2025, et ainsi de suite. Écrivez alors devant chaque liste à quel champ elle appartient : type=vol, agression comme valeurs et date=2024-01-01, 2025-01-01 comme limites, ou type=vol, agression; an=2024, 2025 dans une seule case. Toutes les cartes ensemble coûtent encore ε une seule fois.</translation>
  </message>
  <message>
   <location filename="geodp_qgis/algorithms/groups.py" />
   <source>Make one map per value of</source>
   <translation>Créer une carte par valeur de</translation>
  </message>
  <message>
   <location filename="geodp_qgis/algorithms/groups.py" />
   <source>Its values, a public list: theft, assault</source>
   <translation>Ses valeurs, une liste publique : vol, agression</translation>
  </message>
  <message>
   <location filename="geodp_qgis/algorithms/groups.py" />
   <source>…or limits between them: 6, 12, 18</source>
   <translation>…ou des limites entre elles : 6, 12, 18</translation>
  </message>
  <message>
   <location filename="geodp_qgis/algorithms/groups.py" />
   <source>Name of a map for all other values</source>
   <translation>Nom d’une carte pour toutes les autres valeurs</translation>
  </message>
  <message>
   <location filename="geodp_qgis/algorithms/groups.py" />
   <source>Make one map per value of that field and of</source>
   <translation>Créer une carte par valeur de ce champ et de</translation>
  </message>
  <message>
   <location filename="geodp_qgis/algorithms/groups.py" />
   <source>A second field is crossed with a first: choose it in 'Make one map per value of'.</source>
   <translation>Un second champ se croise avec un premier : choisissez-le dans « Créer une carte par valeur de ».</translation>
  </message>
  <message>
   <location filename="geodp_qgis/algorithms/groups.py" />
   <source>The field that divides records must be one of the layer's; there is no '{}'.</source>
   <translation>Le champ qui partage les enregistrements doit être un champ de la couche ; il n’y a pas de « {} ».</translation>
  </message>
  <message>
   <location filename="geodp_qgis/algorithms/ledger.py" />
   <source>Ledger</source>
   <translation>Registre</translation>
  </message>
  <message>
   <location filename="geodp_qgis/algorithms/ledger.py" />
   <source>Shows how much ε was spent on which data, and how much is left.</source>
   <translation>Montre combien d’ε a été dépensé pour quelles données, et combien il en reste.</translation>
  </message>
  <message>
   <location filename="geodp_qgis/algorithms/ledger.py" />
   <source>When</source>
   <translation>Quand</translation>
  </message>
  <message>
   <location filename="geodp_qgis/algorithms/ledger.py" />
   <source>Protected</source>
   <translation>Protégé</translation>
  </message>
  <message>
   <location filename="geodp_qgis/algorithms/ledger.py" />
   <source>What for</source>
   <translation>Pour quoi</translation>
  </message>
  <message>
   <location filename="geodp_qgis/algorithms/ledger.py" />
   <source>Note</source>
   <translation>Note</translation>
  </message>
  <message>
   <location filename="geodp_qgis/algorithms/ledger.py" />
   <source>ε = {:g} of {:g} is spent, {:g} is left.</source>
   <translation>ε = {:g} sur {:g} est dépensé, il reste {:g}.</translation>
  </message>
  <message>
   <location filename="geodp_qgis/algorithms/ledger.py" />
   <source>privacy,budget,epsilon,account,spend,cap</source>
   <translation>confidentialité,budget,epsilon,compte,dépense,plafond</translation>
  </message>
  <message>
   <location filename="geodp_qgis/algorithms/ledger.py" />
   <source>What was spent on which data</source>
   <translation>Ce qui a été dépensé pour quelles données</translation>
  </message>
  <message>
   <location filename="geodp_qgis/algorithms/ledger.py" />
   <source>Number of datasets</source>
   <translation>Nombre de jeux de données</translation>
  </message>
  <message>
   <location filename="geodp_qgis/algorithms/ledger.py" />
   <source>Ledger of private releases</source>
   <translation>Registre des publications privées</translation>
  </message>
  <message>
   <location filename="geodp_qgis/algorithms/ledger.py" />
   <source>Spends are recorded before the noise is drawn and are never given back, so a run that failed afterwards is counted as well.</source>
   <translation>Les dépenses sont inscrites avant le tirage du bruit et ne sont jamais rendues ; une exécution qui a échoué ensuite compte donc aussi.</translation>
  </message>
  <message>
   <location filename="geodp_qgis/algorithms/ledger.py" />
   <source>Protected: {}.</source>
   <translation>Protégé : {}.</translation>
  </message>
  <message>
   <location filename="geodp_qgis/algorithms/ledger.py" />
   <source>Together the spends are ({:g}, 10⁻⁶)-differentially private, if no ε was chosen by what an earlier map showed. This is for information: the cap counts the plain sum.</source>
   <translation>Ensemble, les dépenses sont ({:g}, 10⁻⁶)-différentiellement privées, si aucun ε n’a été choisi d’après ce que montrait une carte antérieure. C’est à titre d’information : le plafond compte la somme simple.</translation>
  </message>
  <message>
   <location filename="geodp_qgis/algorithms/ledger.py" />
   <source>There is no ledger {} yet: it is made by the first private histogram that names its data and their cap.</source>
   <translation>Il n’y a pas encore de registre {} : il est créé par le premier histogramme privé qui nomme ses données et leur plafond.</translation>
  </message>
  <message>
   <location filename="geodp_qgis/algorithms/people.py" />
   <source>For data where one person can have several records. With it, people are protected, each with all their records, and counted: each person is one, spread over the places of their records. Records that name nobody are left out. Without it, records are protected, not people: somebody with ten records is protected ten times less.</source>
   <translation>Pour des données où une personne peut avoir plusieurs enregistrements. Avec lui, les personnes sont protégées, chacune avec tous ses enregistrements, et comptées : chaque personne vaut un, réparti sur les lieux de ses enregistrements. Les enregistrements qui ne nomment personne sont laissés de côté. Sans lui, ce sont les enregistrements qui sont protégés, pas les personnes : quelqu’un qui en a dix est dix fois moins protégé.</translation>
  </message>
  <message>
   <location filename="geodp_qgis/algorithms/people.py" />
   <source>Leave it empty to count people. With it records are counted, those of each person as at most this many; the noise grows with this number. Choose it without looking at the layer. For MultiPoint layers without a person field: the most points of each feature, which is then protected whole.</source>
   <translation>Laissez vide pour compter des personnes. Avec un nombre, on compte des enregistrements, ceux de chaque personne au plus jusqu’à ce nombre ; le bruit croît avec lui. Choisissez-le sans regarder la couche. Pour les couches MultiPoint sans champ de personne : le nombre maximal de points de chaque entité, qui est alors protégée en entier.</translation>
  </message>
  <message>
   <location filename="geodp_qgis/algorithms/people.py" />
   <source>Field that says whose record it is</source>
   <translation>Champ qui dit à qui est l’enregistrement</translation>
  </message>
  <message>
   <location filename="geodp_qgis/algorithms/people.py" />
   <source>Most records of each person to count</source>
   <translation>Nombre maximal d’enregistrements comptés par personne</translation>
  </message>
  <message>
   <location filename="geodp_qgis/algorithms/people.py" />
   <source>Records of each person must be at least 1; got {}.</source>
   <translation>Il faut au moins 1 enregistrement par personne ; reçu : {}.</translation>
  </message>
  <message>
   <location filename="geodp_qgis/algorithms/people.py" />
   <source>The field for persons must be one of the layer's; there is no '{}'.</source>
   <translation>Le champ des personnes doit être un champ de la couche ; il n’y a pas de « {} ».</translation>
  </message>
  <message>
   <location filename="geodp_qgis/algorithms/people.py" />
   <source>The field for persons must hold text or numbers; '{}' holds {}.</source>
   <translation>Le champ des personnes doit contenir du texte ou des nombres ; « {} » contient {}.</translation>
  </message>
  <message>
   <location filename="geodp_qgis/algorithms/plan.py" />
   <source>Plan a private histogram</source>
   <translation>Planifier un histogramme privé</translation>
  </message>
  <message>
   <location filename="geodp_qgis/algorithms/plan.py" />
   <source>Says what error to expect, before anything is spent. Reads no points.</source>
   <translation>Dit quelle erreur attendre, avant toute dépense. Ne lit aucun point.</translation>
  </message>
  <message>
   <location filename="geodp_qgis/algorithms/plan.py" />
   <source>Polygons, public. Without them: 600 boxes from 1 % to 64 % of the area.</source>
   <translation>Polygones, publics. Sans eux : 600 rectangles de 1 % à 64 % de la surface.</translation>
  </message>
  <message>
   <location filename="geodp_qgis/algorithms/plan.py" />
   <source>Values of ε, separated by commas.</source>
   <translation>Valeurs d’ε, séparées par des virgules.</translation>
  </message>
  <message>
   <location filename="geodp_qgis/algorithms/plan.py" />
   <source>A public guess of how many there will be, never a figure from the points. With it the whole error is foreseen, and which cells would suit; without it nothing is known of cells that are fine where records crowd.</source>
   <translation>Une hypothèse publique sur leur nombre, jamais un chiffre tiré des points. Avec elle, l’erreur totale est prévue, ainsi que les cellules qui conviendraient ; sans elle, on ne sait rien des cellules fines là où les enregistrements abondent.</translation>
  </message>
  <message>
   <location filename="geodp_qgis/algorithms/plan.py" />
   <source>Records to expect in each region, for example in proportion to its population.</source>
   <translation>Enregistrements attendus dans chaque zone, par exemple en proportion de sa population.</translation>
  </message>
  <message>
   <location filename="geodp_qgis/algorithms/plan.py" />
   <source>If people shall be protected: the noise grows with this number.</source>
   <translation>Si des personnes doivent être protégées : le bruit croît avec ce nombre.</translation>
  </message>
  <message>
   <location filename="geodp_qgis/algorithms/plan.py" />
   <source>reading the regions</source>
   <translation>lecture des zones</translation>
  </message>
  <message>
   <location filename="geodp_qgis/algorithms/plan.py" />
   <source>privacy,forecast,error,epsilon,budget,accuracy</source>
   <translation>confidentialité,prévision,erreur,epsilon,budget,précision</translation>
  </message>
  <message>
   <location filename="geodp_qgis/algorithms/plan.py" />
   <source>Regions that will be asked about</source>
   <translation>Zones sur lesquelles on interrogera</translation>
  </message>
  <message>
   <location filename="geodp_qgis/algorithms/plan.py" />
   <source>Budgets to compare</source>
   <translation>Budgets à comparer</translation>
  </message>
  <message>
   <location filename="geodp_qgis/algorithms/plan.py" />
   <source>Records to expect in all, a guess</source>
   <translation>Enregistrements attendus en tout, une hypothèse</translation>
  </message>
  <message>
   <location filename="geodp_qgis/algorithms/plan.py" />
   <source>…or a field of the regions with such guesses</source>
   <translation>…ou un champ des zones avec de telles hypothèses</translation>
  </message>
  <message>
   <location filename="geodp_qgis/algorithms/plan.py" />
   <source>Errors to expect</source>
   <translation>Erreurs attendues</translation>
  </message>
  <message>
   <location filename="geodp_qgis/algorithms/plan.py" />
   <source>Give the records to expect in all or a field of them, not both.</source>
   <translation>Donnez les enregistrements attendus en tout ou un champ qui les contient, pas les deux.</translation>
  </message>
  <message>
   <location filename="geodp_qgis/algorithms/plan.py" />
   <source>The field of guesses must be one of the regions'; there is no '{}'.</source>
   <translation>Le champ des hypothèses doit être un champ des zones ; il n’y a pas de « {} ».</translation>
  </message>
  <message>
   <location filename="geodp_qgis/algorithms/private_districts.py" />
   <source>Private counts for districts</source>
   <translation>Comptages privés par district</translation>
  </message>
  <message>
   <location filename="geodp_qgis/algorithms/private_districts.py" />
   <source>Counts points in public polygons and adds noise that protects each one.</source>
   <translation>Compte les points dans des polygones publics et ajoute un bruit qui protège chacun d’eux.</translation>
  </message>
  <message>
   <location filename="geodp_qgis/algorithms/private_districts.py" />
   <source>Private counts of districts</source>
   <translation>Comptages privés des districts</translation>
  </message>
  <message>
   <location filename="geodp_qgis/algorithms/private_districts.py" />
   <source>The districts with 'count', its standard error and the limits of an interval that holds the true count 19 times of 20. A GeoPackage keeps style and promise, and opens as a release again.</source>
   <translation>Les districts avec « count », son erreur type et les limites d’un intervalle qui contient le vrai comptage 19 fois sur 20. Un GeoPackage garde le style et la garantie, et se rouvre comme publication.</translation>
  </message>
  <message>
   <location filename="geodp_qgis/algorithms/private_districts.py" />
   <source>ε above 10 and districts of a few metres are refused. Tick it if they are meant.</source>
   <translation>Un ε supérieur à 10 et des districts de quelques mètres sont refusés. Cochez si c’est voulu.</translation>
  </message>
  <message>
   <location filename="geodp_qgis/algorithms/private_districts.py" />
   <source>Points in no district are not counted; how many there are is private and is not told.</source>
   <translation>Les points hors de tout district ne sont pas comptés ; leur nombre est privé et n’est pas communiqué.</translation>
  </message>
  <message>
   <location filename="geodp_qgis/algorithms/private_districts.py" />
   <source>Polygons that do not overlap, known to everybody, in any CRS: each gets one count. Points in none of them are not counted.</source>
   <translation>Des polygones qui ne se chevauchent pas, connus de tous, dans n’importe quel SCR : chacun reçoit un comptage. Les points qui ne sont dans aucun d’eux ne sont pas comptés.</translation>
  </message>
  <message>
   <location filename="geodp_qgis/algorithms/private_districts.py" />
   <source>Empty: the first field with another text in every district.</source>
   <translation>Vide : le premier champ dont le texte diffère dans chaque district.</translation>
  </message>
  <message>
   <location filename="geodp_qgis/algorithms/private_districts.py" />
   <source>For districts in larger units, such as state and county, in this order: large units get counts of their own where that pays, and counts of all levels agree. The last field names the districts, and 'Field that names the districts' stays empty.</source>
   <translation>Pour des districts inclus dans des unités plus grandes, telles que région et département, dans cet ordre : les grandes unités reçoivent leurs propres comptages là où c’est utile, et les comptages de tous les niveaux concordent. Le dernier champ nomme les districts, et « Champ qui nomme les districts » reste vide.</translation>
  </message>
  <message>
   <location filename="geodp_qgis/algorithms/private_districts.py" />
   <source>reading the districts</source>
   <translation>lecture des districts</translation>
  </message>
  <message>
   <location filename="geodp_qgis/algorithms/private_districts.py" />
   <source>privacy,differential privacy,dp,anonymize,districts,polygons,count,choropleth</source>
   <translation>confidentialité,confidentialité différentielle,dp,anonymiser,districts,polygones,comptage,choroplèthe</translation>
  </message>
  <message>
   <location filename="geodp_qgis/algorithms/private_districts.py" />
   <source>Districts (public)</source>
   <translation>Districts (publics)</translation>
  </message>
  <message>
   <location filename="geodp_qgis/algorithms/private_districts.py" />
   <source>Field that names the districts</source>
   <translation>Champ qui nomme les districts</translation>
  </message>
  <message>
   <location filename="geodp_qgis/algorithms/private_districts.py" />
   <source>Fields of larger units, from the largest down to the districts</source>
   <translation>Champs des unités plus grandes, de la plus grande jusqu’aux districts</translation>
  </message>
  <message>
   <location filename="geodp_qgis/algorithms/private_districts.py" />
   <source>Levels end with the districts: empty 'Field that names the districts'.</source>
   <translation>Les niveaux finissent par les districts : videz « Champ qui nomme les districts ».</translation>
  </message>
  <message>
   <location filename="geodp_qgis/algorithms/private_hexagons.py" />
   <source>Private counts in hexagons</source>
   <translation>Comptages privés en hexagones</translation>
  </message>
  <message>
   <location filename="geodp_qgis/algorithms/private_hexagons.py" />
   <source>Counts points in hexagons of one size and adds noise that protects each one.</source>
   <translation>Compte les points dans des hexagones d’une seule taille et ajoute un bruit qui protège chacun d’eux.</translation>
  </message>
  <message>
   <location filename="geodp_qgis/algorithms/private_hexagons.py" />
   <source>Private counts of hexagons</source>
   <translation>Comptages privés des hexagones</translation>
  </message>
  <message>
   <location filename="geodp_qgis/algorithms/private_hexagons.py" />
   <source>The hexagons with 'count' and its standard error. A GeoPackage keeps style and promise, and opens as a release again.</source>
   <translation>Les hexagones avec « count » et son erreur type. Un GeoPackage garde le style et la garantie, et se rouvre comme publication.</translation>
  </message>
  <message>
   <location filename="geodp_qgis/algorithms/private_hexagons.py" />
   <source>An extent of degrees in a CRS of metres, one of a few metres, ε above 10 and cells that drown in noise are refused, because what is spent on them is lost. Tick it if they are meant.</source>
   <translation>Une emprise en degrés dans un SCR en mètres, une emprise de quelques mètres, un ε supérieur à 10 et des cellules noyées dans le bruit sont refusés, car ce qu’on y dépense est perdu. Cochez si c’est voulu.</translation>
  </message>
  <message>
   <location filename="geodp_qgis/algorithms/private_hexagons.py" />
   <source>Points outside the extent are not counted; how many there are is private and is not told. A map of nothing but noise may mean a wrong extent or CRS.</source>
   <translation>Les points hors de l’emprise ne sont pas comptés ; leur nombre est privé et n’est pas communiqué. Une carte qui n’est que du bruit peut signaler une emprise ou un SCR erronés.</translation>
  </message>
  <message>
   <location filename="geodp_qgis/algorithms/private_hexagons.py" />
   <source>A number in units of the CRS, or a length such as 500m or 5km. A hexagon has the area of about 2.6 squares of that side.</source>
   <translation>Un nombre en unités du SCR, ou une longueur comme 500m ou 5km. Un hexagone a la surface d’environ 2,6 carrés de ce côté.</translation>
  </message>
  <message>
   <location filename="geodp_qgis/algorithms/private_hexagons.py" />
   <source>privacy,differential privacy,dp,anonymize,hexagons,hexbin,honeycomb,count</source>
   <translation>confidentialité,confidentialité différentielle,dp,anonymiser,hexagones,hexbin,alvéoles,comptage</translation>
  </message>
  <message>
   <location filename="geodp_qgis/algorithms/private_hexagons.py" />
   <source>Side of a hexagon, such as 5km</source>
   <translation>Côté d’un hexagone, par exemple 5km</translation>
  </message>
  <message>
   <location filename="geodp_qgis/algorithms/private_histogram.py" />
   <source>Counts points on a privately chosen grid and adds noise that protects each one.</source>
   <translation>Compte les points sur une grille choisie de façon privée et ajoute un bruit qui protège chacun d’eux.</translation>
  </message>
  <message>
   <location filename="geodp_qgis/algorithms/private_histogram.py" />
   <source>Cells that are fine where records crowd and coarse where there are few are several times as accurate where records are uneven, as people are. One grid is easy to read and can be chosen for your regions: its regions, sizes and tuner below are for it alone.</source>
   <translation>Des cellules fines là où les enregistrements abondent et grossières là où il y en a peu sont plusieurs fois plus précises quand les enregistrements sont inégalement répartis, comme le sont les gens. Une grille est facile à lire et peut être choisie pour vos zones : ses zones, ses tailles et sa méthode de choix, plus bas, ne valent que pour elle.</translation>
  </message>
  <message>
   <location filename="geodp_qgis/algorithms/private_histogram.py" />
   <source>Polygons whose counts matter, such as districts: the cell size is chosen for them. Without it: 600 boxes from 1 % to 64 % of the area.</source>
   <translation>Polygones dont les comptages importent, tels que des districts : la taille des cellules est choisie pour eux. Sans eux : 600 rectangles de 1 % à 64 % de la surface.</translation>
  </message>
  <message>
   <location filename="geodp_qgis/algorithms/private_histogram.py" />
   <source>For cells that are fine where records crowd: no side is shorter. A number in units of the CRS, or a length such as 100m. Empty: they may be halved eleven times.</source>
   <translation>Pour des cellules fines là où les enregistrements abondent : aucun côté n’est plus court. Un nombre en unités du SCR, ou une longueur comme 100m. Vide : elles peuvent être divisées en deux onze fois.</translation>
  </message>
  <message>
   <location filename="geodp_qgis/algorithms/private_histogram.py" />
   <source>How the cell size is chosen: geodp's own bound, or that of the E2EPriv paper.</source>
   <translation>Comment la taille des cellules est choisie : par la borne propre à geodp, ou par celle de l’article E2EPriv.</translation>
  </message>
  <message>
   <location filename="geodp_qgis/algorithms/private_histogram.py" />
   <source>Between 0 and 1. Not set: 0.1, or 0.2 for e2epriv. The rest goes to the counts.</source>
   <translation>Entre 0 et 1. Non défini : 0,1, ou 0,2 pour e2epriv. Le reste va aux comptages.</translation>
  </message>
  <message>
   <location filename="geodp_qgis/algorithms/private_histogram.py" />
   <source>A GeoTIFF of signed counts that carries its own promise: see 'About …'.</source>
   <translation>Un GeoTIFF de comptages avec leur signe, qui porte sa propre garantie : voir « À propos … ».</translation>
  </message>
  <message>
   <location filename="geodp_qgis/algorithms/private_histogram.py" />
   <source>The same counts, one polygon per cell, in the field 'count', or with several maps in count_theft and so on. A GeoPackage keeps style and promise, and opens as a release again.</source>
   <translation>Les mêmes comptages, un polygone par cellule, dans le champ « count », ou avec plusieurs cartes dans count_vol et ainsi de suite. Un GeoPackage garde le style et la garantie, et se rouvre comme publication.</translation>
  </message>
  <message>
   <location filename="geodp_qgis/algorithms/private_histogram.py" />
   <source>privacy,differential privacy,dp,anonymize,grid,density,heatmap,count</source>
   <translation>confidentialité,confidentialité différentielle,dp,anonymiser,grille,densité,carte de chaleur,comptage</translation>
  </message>
  <message>
   <location filename="geodp_qgis/algorithms/private_histogram.py" />
   <source>Cells</source>
   <translation>Cellules</translation>
  </message>
  <message>
   <location filename="geodp_qgis/algorithms/private_histogram.py" />
   <source>Regions that should come out well (public)</source>
   <translation>Zones qui importent le plus (publiques)</translation>
  </message>
  <message>
   <location filename="geodp_qgis/algorithms/private_histogram.py" />
   <source>Smallest cells that make sense, such as 100m</source>
   <translation>Plus petites cellules utiles, par exemple 100m</translation>
  </message>
  <message>
   <location filename="geodp_qgis/algorithms/private_histogram.py" />
   <source>Tuner</source>
   <translation>Méthode de choix</translation>
  </message>
  <message>
   <location filename="geodp_qgis/algorithms/private_histogram.py" />
   <source>Share of ε for choosing the cell size</source>
   <translation>Part d’ε pour choisir la taille des cellules</translation>
  </message>
  <message>
   <location filename="geodp_qgis/algorithms/private_histogram.py" />
   <source>Private counts</source>
   <translation>Comptages privés</translation>
  </message>
  <message>
   <location filename="geodp_qgis/algorithms/private_histogram.py" />
   <source>Private counts as cells</source>
   <translation>Comptages privés en cellules</translation>
  </message>
  <message>
   <location filename="geodp_qgis/algorithms/private_histogram.py" />
   <source>Rows of the raster</source>
   <translation>Lignes du raster</translation>
  </message>
  <message>
   <location filename="geodp_qgis/algorithms/private_histogram.py" />
   <source>Columns of the raster</source>
   <translation>Colonnes du raster</translation>
  </message>
  <message>
   <location filename="geodp_qgis/algorithms/private_histogram.py" />
   <source>writing</source>
   <translation>écriture</translation>
  </message>
  <message>
   <location filename="geodp_qgis/algorithms/private_histogram.py" />
   <source>One regular grid, its size chosen privately</source>
   <translation>Une grille régulière, de taille choisie de façon privée</translation>
  </message>
  <message>
   <location filename="geodp_qgis/algorithms/private_histogram.py" />
   <source>Fine where records crowd</source>
   <translation>Fines là où c’est dense</translation>
  </message>
  <message>
   <location filename="geodp_qgis/algorithms/private_histogram.py" />
   <source>There is no layer of cells: {}</source>
   <translation>Il n’y a pas de couche de cellules : {}</translation>
  </message>
  <message>
   <location filename="geodp_qgis/algorithms/private_histogram.py" />
   <source>The raster cannot be written there; ε is spent, and the release is kept in {}: copy it to where it shall be.</source>
   <translation>Le raster ne peut pas être écrit à cet endroit ; ε est dépensé, et la publication est conservée dans {} : copiez-la là où elle doit être.</translation>
  </message>
  <message>
   <location filename="geodp_qgis/algorithms/private_points.py" />
   <source>every record of the layer</source>
   <translation>chaque enregistrement de la couche</translation>
  </message>
  <message>
   <location filename="geodp_qgis/algorithms/private_points.py" />
   <source>A layer that is a query must choose rows of one layer, each by itself; this query does more (a limit, an order, groups, joins, sub-queries or functions of several records), so that one record could decide about others: use the layer itself, with a filter.</source>
   <translation>Une couche qui est une requête doit choisir des lignes d’une seule couche, chacune pour elle-même ; cette requête fait plus (une limite, un ordre, des groupes, des jointures, des sous-requêtes ou des fonctions de plusieurs enregistrements), de sorte qu’un enregistrement pourrait décider pour d’autres : utilisez la couche elle-même, avec un filtre.</translation>
  </message>
  <message>
   <location filename="geodp_qgis/algorithms/private_points.py" />
   <source>The points need a CRS; this layer has none: set it first.</source>
   <translation>Les points ont besoin d’un SCR ; cette couche n’en a pas : définissez-le d’abord.</translation>
  </message>
  <message>
   <location filename="geodp_qgis/algorithms/private_points.py" />
   <source>This layer is of type MultiPoint, where one feature may hold many points: say how many may count at most, or use 'Multipart to singleparts'.</source>
   <translation>Cette couche est de type MultiPoint, où une entité peut contenir beaucoup de points : indiquez combien peuvent compter au plus, ou utilisez « De morceaux multiples à morceaux uniques ».</translation>
  </message>
  <message>
   <location filename="geodp_qgis/algorithms/private_points.py" />
   <source>The extent is that of the points, at least in part, or what the map shows after zooming to them, and would publish where the outermost records lie. Use a rectangle that is known without the points, such as a round box around the city, or tick the box that says that this extent is public.</source>
   <translation>L’emprise est celle des points, au moins en partie, ou ce que la carte montre après un zoom sur eux, et publierait où sont les enregistrements les plus extérieurs. Utilisez un rectangle connu sans les points, tel qu’un cadre aux valeurs rondes autour de la ville, ou cochez la case qui dit que cette emprise est publique.</translation>
  </message>
  <message>
   <location filename="geodp_qgis/algorithms/private_points.py" />
   <source>every person, told apart by the field '{}', with all their records; each counts as one, spread over the places of their records; records without a person are not counted</source>
   <translation>chaque personne, reconnue par le champ « {} », avec tous ses enregistrements ; chacune compte pour un, réparti sur les lieux de ses enregistrements ; les enregistrements sans personne ne sont pas comptés</translation>
  </message>
  <message>
   <location filename="geodp_qgis/algorithms/private_points.py" />
   <source>every person, told apart by the field '{}', with all their records; each counts as at most {} records; records without a person are not counted</source>
   <translation>chaque personne, reconnue par le champ « {} », avec tous ses enregistrements ; chacune compte pour au plus {} enregistrements ; les enregistrements sans personne ne sont pas comptés</translation>
  </message>
  <message>
   <location filename="geodp_qgis/algorithms/private_points.py" />
   <source>selected features only</source>
   <translation>entités sélectionnées uniquement</translation>
  </message>
  <message>
   <location filename="geodp_qgis/algorithms/private_points.py" />
   <source>the filter of this run applies</source>
   <translation>le filtre de cette exécution s’applique</translation>
  </message>
  <message>
   <location filename="geodp_qgis/algorithms/private_points.py" />
   <source>the layer's filter applies</source>
   <translation>le filtre de la couche s’applique</translation>
  </message>
  <message>
   <location filename="geodp_qgis/algorithms/private_points.py" />
   <source>Private points must be counted together; iterating over the layer would write one result for each record, and so tell how many there are: switch it off.</source>
   <translation>Des points privés doivent être comptés ensemble ; itérer sur la couche écrirait un résultat par enregistrement et révélerait ainsi leur nombre : désactivez l’itération.</translation>
  </message>
  <message>
   <location filename="geodp_qgis/algorithms/private_points.py" />
   <source>All points of the layer must be read; a limit on the features processed would let one record decide whether another is counted, and so cost more than ε: remove the limit.</source>
   <translation>Tous les points de la couche doivent être lus ; limiter les entités traitées laisserait un enregistrement décider si un autre est compté, et coûterait donc plus qu’ε : supprimez la limite.</translation>
  </message>
  <message>
   <location filename="geodp_qgis/algorithms/private_points.py" />
   <source>The points must be a layer, or the name of one.</source>
   <translation>Les points doivent être une couche, ou le nom d’une couche.</translation>
  </message>
  <message>
   <location filename="geodp_qgis/algorithms/private_points.py" />
   <source>; {}: what this leaves out is not counted, and the rule by which it was chosen is not protected</source>
   <translation> ; {} : ce qui est ainsi écarté n’est pas compté, et la règle qui l’a choisi n’est pas protégée</translation>
  </message>
  <message>
   <location filename="geodp_qgis/algorithms/private_points.py" />
   <source>A point layer is needed; this one holds {}: take centroids or points on the surface first.</source>
   <translation>Il faut une couche de points ; celle-ci contient {} : prenez d’abord des centroïdes ou des points sur la surface.</translation>
  </message>
  <message>
   <location filename="geodp_qgis/algorithms/private_points.py" />
   <source>A limit of {} records needs the field that says whose record it is: choose that field, or leave the limit empty.</source>
   <translation>Une limite de {} enregistrements a besoin du champ qui dit à qui est l’enregistrement : choisissez ce champ, ou laissez la limite vide.</translation>
  </message>
  <message>
   <location filename="geodp_qgis/algorithms/private_points.py" />
   <source>One run makes one release; iterating over '{}' would make one for each feature and spend ε every time: switch it off.</source>
   <translation>Une exécution crée une publication ; itérer sur « {} » en créerait une par entité et dépenserait ε chaque fois : désactivez l’itération.</translation>
  </message>
  <message>
   <location filename="geodp_qgis/algorithms/private_points.py" />
   <source>A filter of the points must judge each record by itself; with '{}' one record decides whether others are counted: use the record's own fields alone.</source>
   <translation>Un filtre des points doit juger chaque enregistrement pour lui-même ; avec « {} », un enregistrement décide si d’autres sont comptés : n’utilisez que les champs propres à l’enregistrement.</translation>
  </message>
  <message>
   <location filename="geodp_qgis/algorithms/private_points.py" />
   <source>every feature of the layer, with at most {} points each</source>
   <translation>chaque entité de la couche, avec au plus {} points</translation>
  </message>
  <message>
   <location filename="geodp_qgis/algorithms/private_polygons.py" />
   <source>The output layer cannot be created.</source>
   <translation>La couche de sortie ne peut pas être créée.</translation>
  </message>
  <message>
   <location filename="geodp_qgis/algorithms/private_polygons.py" />
   <source>The layer cannot be written there ({}); ε is spent, and the release is kept in {}: copy it to where it shall be.</source>
   <translation>La couche ne peut pas être écrite à cet endroit ({}) ; ε est dépensé, et la publication est conservée dans {} : copiez-la là où elle doit être.</translation>
  </message>
  <message>
   <location filename="geodp_qgis/algorithms/publishing.py" />
   <source>Title</source>
   <translation>Titre</translation>
  </message>
  <message>
   <location filename="geodp_qgis/algorithms/publishing.py" />
   <source>Title of the map, for its files and pages.</source>
   <translation>Titre de la carte, pour ses fichiers et ses pages.</translation>
  </message>
  <message>
   <location filename="geodp_qgis/algorithms/publishing.py" />
   <source>What it shows</source>
   <translation>Ce qu’elle montre</translation>
  </message>
  <message>
   <location filename="geodp_qgis/algorithms/publishing.py" />
   <source>What it shows, in a sentence.</source>
   <translation>Ce qu’elle montre, en une phrase.</translation>
  </message>
  <message>
   <location filename="geodp_qgis/algorithms/publishing.py" />
   <source>Source</source>
   <translation>Source</translation>
  </message>
  <message>
   <location filename="geodp_qgis/algorithms/publishing.py" />
   <source>Where the records are from.</source>
   <translation>D’où viennent les enregistrements.</translation>
  </message>
  <message>
   <location filename="geodp_qgis/algorithms/publishing.py" />
   <source>Publisher</source>
   <translation>Éditeur</translation>
  </message>
  <message>
   <location filename="geodp_qgis/algorithms/publishing.py" />
   <source>Who publishes it.</source>
   <translation>Qui la publie.</translation>
  </message>
  <message>
   <location filename="geodp_qgis/algorithms/publishing.py" />
   <source>Licence</source>
   <translation>Licence</translation>
  </message>
  <message>
   <location filename="geodp_qgis/algorithms/publishing.py" />
   <source>Under which licence.</source>
   <translation>Sous quelle licence.</translation>
  </message>
  <message>
   <location filename="geodp_qgis/algorithms/publishing.py" />
   <source>Date</source>
   <translation>Date</translation>
  </message>
  <message>
   <location filename="geodp_qgis/algorithms/publishing.py" />
   <source>Date or period, as it shall be shown.</source>
   <translation>Date ou période, telle qu’elle doit être affichée.</translation>
  </message>
  <message>
   <location filename="geodp_qgis/algorithms/query.py" />
   <source>Query a private histogram</source>
   <translation>Interroger un histogramme privé</translation>
  </message>
  <message>
   <location filename="geodp_qgis/algorithms/query.py" />
   <source>Estimates the number of records in polygons from a release, with error bars.</source>
   <translation>Estime, d’après une publication, le nombre d’enregistrements dans des polygones, avec marge d’erreur.</translation>
  </message>
  <message>
   <location filename="geodp_qgis/algorithms/query.py" />
   <source>Polygons in any CRS. Outside the release's extent they have no answer.</source>
   <translation>Polygones dans n’importe quel SCR. Hors de l’emprise de la publication, ils n’ont pas de réponse.</translation>
  </message>
  <message>
   <location filename="geodp_qgis/algorithms/query.py" />
   <source>Adds the fields density, density_low and density_high.</source>
   <translation>Ajoute les champs density, density_low et density_high.</translation>
  </message>
  <message>
   <location filename="geodp_qgis/algorithms/query.py" />
   <source>Otherwise a broken polygon is named, and nothing is answered.</source>
   <translation>Sinon, un polygone défectueux est nommé et rien n’est répondu.</translation>
  </message>
  <message>
   <location filename="geodp_qgis/algorithms/query.py" />
   <source>Between 0 and 1.</source>
   <translation>Entre 0 et 1.</translation>
  </message>
  <message>
   <location filename="geodp_qgis/algorithms/query.py" />
   <source>The regions with the fields estimate, std_error, noise_error, ci_low and ci_high (95 of 100 cases), border_share, covered and reliable.</source>
   <translation>Les zones avec les champs estimate, std_error, noise_error, ci_low et ci_high (95 cas sur 100), border_share, covered et reliable.</translation>
  </message>
  <message>
   <location filename="geodp_qgis/algorithms/query.py" />
   <source>The intervals hold the whole error: the noise, which is known, and that of taking records as evenly spread inside a cell, which is estimated from how uneven the cells are. Where border_share is near 1, the answer rests on that.</source>
   <translation>Les intervalles contiennent l’erreur totale : le bruit, qui est connu, et l’erreur de supposer les enregistrements répartis également dans une cellule, qui est estimée d’après l’inégalité des cellules. Là où border_share est proche de 1, la réponse repose sur cette hypothèse.</translation>
  </message>
  <message>
   <location filename="geodp_qgis/algorithms/query.py" />
   <source>privacy,zonal statistics,estimate,confidence interval,sum,count</source>
   <translation>confidentialité,statistiques zonales,estimation,intervalle de confiance,somme,comptage</translation>
  </message>
  <message>
   <location filename="geodp_qgis/algorithms/query.py" />
   <source>Regions</source>
   <translation>Zones</translation>
  </message>
  <message>
   <location filename="geodp_qgis/algorithms/query.py" />
   <source>Also estimate records per km²</source>
   <translation>Estimer aussi les enregistrements par km²</translation>
  </message>
  <message>
   <location filename="geodp_qgis/algorithms/query.py" />
   <source>Answer the others where polygons are broken</source>
   <translation>Répondre aux autres si des polygones sont défectueux</translation>
  </message>
  <message>
   <location filename="geodp_qgis/algorithms/query.py" />
   <source>How often the intervals hold the true count</source>
   <translation>Fréquence à laquelle les intervalles contiennent le vrai comptage</translation>
  </message>
  <message>
   <location filename="geodp_qgis/algorithms/query.py" />
   <source>Answers</source>
   <translation>Réponses</translation>
  </message>
  <message>
   <location filename="geodp_qgis/algorithms/query.py" />
   <source>Intervals need a level between 0 and 1; got {:g}.</source>
   <translation>Les intervalles nécessitent un niveau entre 0 et 1 ; reçu : {:g}.</translation>
  </message>
  <message>
   <location filename="geodp_qgis/algorithms/query.py" />
   <source>Asked of the map '{}' alone, which this layer of a group shows.</source>
   <translation>Seule la carte « {} », que montre cette couche d’un groupe, a été interrogée.</translation>
  </message>
  <message>
   <location filename="geodp_qgis/algorithms/query.py" />
   <source>Outside the extent of the release, without an answer: {}.</source>
   <translation>Hors de l’emprise de la publication, sans réponse : {}.</translation>
  </message>
  <message>
   <location filename="geodp_qgis/algorithms/query.py" />
   <source>Not valid, without an answer: {}.</source>
   <translation>Non valides, sans réponse : {}.</translation>
  </message>
  <message>
   <location filename="geodp_qgis/algorithms/rates.py" />
   <source>A population of each polygon, known to everybody: adds the fields rate, rate_low and rate_high. Never a number that was counted from the points.</source>
   <translation>Une population de chaque polygone, connue de tous : ajoute les champs rate, rate_low et rate_high. Jamais un nombre compté à partir des points.</translation>
  </message>
  <message>
   <location filename="geodp_qgis/algorithms/rates.py" />
   <source>1000 gives records per 1000 of them.</source>
   <translation>1000 donne les enregistrements pour 1000 d’entre eux.</translation>
  </message>
  <message>
   <location filename="geodp_qgis/algorithms/rates.py" />
   <source>0.5: grey where half of the interval is more than half of the number. Numbers stay as they are, and nothing is left out of sums.</source>
   <translation>0,5 : gris là où la moitié de l’intervalle dépasse la moitié du nombre. Les nombres restent tels quels, et rien ne manque aux sommes.</translation>
  </message>
  <message>
   <location filename="geodp_qgis/algorithms/rates.py" />
   <source>Also give rates per (a field of public numbers)</source>
   <translation>Donner aussi des taux par (un champ de nombres publics)</translation>
  </message>
  <message>
   <location filename="geodp_qgis/algorithms/rates.py" />
   <source>Of how many the rates are</source>
   <translation>À combien se rapportent les taux</translation>
  </message>
  <message>
   <location filename="geodp_qgis/algorithms/rates.py" />
   <source>'Of how many the rates are' must be a positive number, such as 1000.</source>
   <translation>« À combien se rapportent les taux » doit être un nombre positif, tel que 1000.</translation>
  </message>
  <message>
   <location filename="geodp_qgis/algorithms/rates.py" />
   <source>Grey where the error is above this part of it</source>
   <translation>Gris là où l’erreur dépasse cette part du nombre</translation>
  </message>
  <message>
   <location filename="geodp_qgis/algorithms/rates.py" />
   <source>'Grey where the error is above' must be a positive number, such as 0.5.</source>
   <translation>« Gris là où l’erreur dépasse » doit être un nombre positif, tel que 0,5.</translation>
  </message>
  <message>
   <location filename="geodp_qgis/algorithms/rates.py" />
   <source>'Of how many the rates are' needs the field to divide by: choose it in 'Also give rates per'.</source>
   <translation>« À combien se rapportent les taux » nécessite le champ par lequel diviser : choisissez-le dans « Donner aussi des taux par ».</translation>
  </message>
  <message>
   <location filename="geodp_qgis/algorithms/rates.py" />
   <source>Rates need a field of numbers of the public polygons; '{}' is none.</source>
   <translation>Les taux nécessitent un champ de nombres des polygones publics ; « {} » n’en est pas un.</translation>
  </message>
  <message>
   <location filename="geodp_qgis/algorithms/releasing.py" />
   <source>Cancelled: nothing was released, no layer was written, no budget is spent.</source>
   <translation>Annulé : rien n’a été publié, aucune couche n’a été écrite, aucun budget n’est dépensé.</translation>
  </message>
  <message>
   <location filename="geodp_qgis/algorithms/releasing.py" />
   <source>What is protected?</source>
   <translation>Qu’est-ce qui est protégé ?</translation>
  </message>
  <message>
   <location filename="geodp_qgis/algorithms/releasing.py" />
   <source>Which area is public?</source>
   <translation>Quel périmètre est public ?</translation>
  </message>
  <message>
   <location filename="geodp_qgis/algorithms/releasing.py" />
   <source>How private?</source>
   <translation>Quelle confidentialité ?</translation>
  </message>
  <message>
   <location filename="geodp_qgis/algorithms/releasing.py" />
   <source>What do you want to answer?</source>
   <translation>À quoi voulez-vous répondre ?</translation>
  </message>
  <message>
   <location filename="geodp_qgis/algorithms/releasing.py" />
   <source>Results</source>
   <translation>Résultats</translation>
  </message>
  <message>
   <location filename="geodp_qgis/algorithms/releasing.py" />
   <source>The layer to protect, one point per record. Nothing but the result leaves it.</source>
   <translation>La couche à protéger, un point par enregistrement. Rien n’en sort que le résultat.</translation>
  </message>
  <message>
   <location filename="geodp_qgis/algorithms/releasing.py" />
   <source>How much may be learnt about any one record, or person. Smaller is more private and noisier: 0.1 is strict, 1 is common. Budgets of several releases of one layer add up.</source>
   <translation>Ce que l’on peut apprendre sur un enregistrement ou une personne quelconques. Plus petit, c’est plus privé et plus bruité : 0,1 est strict, 1 est courant. Les budgets de plusieurs publications d’une couche s’additionnent.</translation>
  </message>
  <message>
   <location filename="geodp_qgis/algorithms/releasing.py" />
   <source>Needed only when the extent equals that of the points. Tick it if the rectangle was known before the points were, for example the frame of a survey.</source>
   <translation>Nécessaire seulement si l’emprise est égale à celle des points. Cochez si le rectangle était connu avant les points, par exemple comme cadre d’une enquête.</translation>
  </message>
  <message>
   <location filename="geodp_qgis/algorithms/releasing.py" />
   <source>For tests alone: a seeded result can be undone and is NOT private.</source>
   <translation>Pour les tests seulement : un résultat obtenu avec une graine peut être défait et n’est PAS privé.</translation>
  </message>
  <message>
   <location filename="geodp_qgis/algorithms/releasing.py" />
   <source>A page that explains the map to whoever receives it: see 'Report page'.</source>
   <translation>Une page qui explique la carte à ceux qui la reçoivent : voir « Page de rapport ».</translation>
  </message>
  <message>
   <location filename="geodp_qgis/algorithms/releasing.py" />
   <source>Cancelled: no layer was written. The spend was recorded before and stays.</source>
   <translation>Annulé : aucune couche n’a été écrite. La dépense était déjà inscrite et demeure.</translation>
  </message>
  <message>
   <location filename="geodp_qgis/algorithms/releasing.py" />
   <source>The seed must be a whole number; got {}.</source>
   <translation>La graine doit être un nombre entier ; reçu : {}.</translation>
  </message>
  <message>
   <location filename="geodp_qgis/algorithms/releasing.py" />
   <source>Points (private)</source>
   <translation>Points (privés)</translation>
  </message>
  <message>
   <location filename="geodp_qgis/algorithms/releasing.py" />
   <source>Privacy budget ε</source>
   <translation>Budget de confidentialité ε</translation>
  </message>
  <message>
   <location filename="geodp_qgis/algorithms/releasing.py" />
   <source>The extent is public although it equals the layer's</source>
   <translation>L’emprise est publique bien qu’égale à celle de la couche</translation>
  </message>
  <message>
   <location filename="geodp_qgis/algorithms/releasing.py" />
   <source>Go on where inputs look like a mistake</source>
   <translation>Continuer là où les entrées ressemblent à une erreur</translation>
  </message>
  <message>
   <location filename="geodp_qgis/algorithms/releasing.py" />
   <source>Seed (NOT private)</source>
   <translation>Graine (NON privé)</translation>
  </message>
  <message>
   <location filename="geodp_qgis/algorithms/releasing.py" />
   <source>Report page</source>
   <translation>Page de rapport</translation>
  </message>
  <message>
   <location filename="geodp_qgis/algorithms/releasing.py" />
   <source>A point layer is needed; this one cannot be opened.</source>
   <translation>Il faut une couche de points ; celle-ci ne peut pas être ouverte.</translation>
  </message>
  <message>
   <location filename="geodp_qgis/algorithms/releasing.py" />
   <source>There is no report page: {}</source>
   <translation>Il n’y a pas de page de rapport : {}</translation>
  </message>
  <message>
   <location filename="geodp_qgis/algorithms/report.py" />
   <source>Explains a private histogram on one page, for whoever receives the map.</source>
   <translation>Explique un histogramme privé en une page, pour ceux qui reçoivent la carte.</translation>
  </message>
  <message>
   <location filename="geodp_qgis/algorithms/report.py" />
   <source>drawing</source>
   <translation>dessin</translation>
  </message>
  <message>
   <location filename="geodp_qgis/algorithms/report.py" />
   <source>Polygons in any CRS. The page lists and draws how many records are in each.</source>
   <translation>Polygones dans n’importe quel SCR. La page liste et dessine le nombre d’enregistrements de chacun.</translation>
  </message>
  <message>
   <location filename="geodp_qgis/algorithms/report.py" />
   <source>A page that stands alone, to which the Results Viewer links under this name.</source>
   <translation>Une page autonome, vers laquelle le Visualiseur de résultats renvoie sous ce nom.</translation>
  </message>
  <message>
   <location filename="geodp_qgis/algorithms/report.py" />
   <source>privacy,page,html,publish,share,explain,print</source>
   <translation>confidentialité,page,html,publier,partager,expliquer,imprimer</translation>
  </message>
  <message>
   <location filename="geodp_qgis/algorithms/report.py" />
   <source>Regions to list (public)</source>
   <translation>Zones à lister (publiques)</translation>
  </message>
  <message>
   <location filename="geodp_qgis/algorithms/spending.py" />
   <source>Under it, ε is recorded in a ledger before the noise is drawn, and a run that would pass the cap of these data is refused. Use one name for all layers about the same people. What is protected under a name (a record, or a person with at most a given number of records, told by one field) is set by its first run. Empty: the layer has an account of its own, with the cap of Processing's options.</source>
   <translation>Sous ce nom, ε est inscrit dans un registre avant le tirage du bruit, et une exécution qui dépasserait le plafond de ces données est refusée. Prenez un seul nom pour toutes les couches sur les mêmes personnes. Ce qui est protégé sous un nom (un enregistrement, ou une personne avec au plus un nombre donné d’enregistrements, reconnue par un champ) est fixé par sa première exécution. Vide : la couche a son propre compte, avec le plafond des options de Traitement.</translation>
  </message>
  <message>
   <location filename="geodp_qgis/algorithms/spending.py" />
   <source>Needed once, to enter a new name into the ledger; a layer without one has the cap of Processing's options. A cap is never changed.</source>
   <translation>Nécessaire une fois, pour inscrire un nouveau nom au registre ; une couche sans nom a le plafond des options de Traitement. Un plafond n’est jamais modifié.</translation>
  </message>
  <message>
   <location filename="geodp_qgis/algorithms/spending.py" />
   <source>A file that geodp keeps, also from Python and from the command line.</source>
   <translation>Un fichier que geodp tient à jour, aussi depuis Python et la ligne de commande.</translation>
  </message>
  <message>
   <location filename="geodp_qgis/algorithms/spending.py" />
   <source>one person, spread over their records</source>
   <translation>une personne, répartie sur ses enregistrements</translation>
  </message>
  <message>
   <location filename="geodp_qgis/algorithms/spending.py" />
   <source>Name of these data in the ledger</source>
   <translation>Nom de ces données au registre</translation>
  </message>
  <message>
   <location filename="geodp_qgis/algorithms/spending.py" />
   <source>Most ε ever to be spent on it, when it is new</source>
   <translation>ε maximal à dépenser en tout pour lui, s’il est nouveau</translation>
  </message>
  <message>
   <location filename="geodp_qgis/algorithms/spending.py" />
   <source>Ledger (empty: the one in the QGIS profile)</source>
   <translation>Registre (vide : celui du profil QGIS)</translation>
  </message>
  <message>
   <location filename="geodp_qgis/algorithms/spending.py" />
   <source>On '{}', ε = {:g} was spent before, the last time on {}. This run makes another release and adds {:g}: {:g} of {:g} in all.</source>
   <translation>Pour « {} », ε = {:g} a déjà été dépensé, la dernière fois le {}. Cette exécution crée une autre publication et ajoute {:g} : {:g} sur {:g} en tout.</translation>
  </message>
  <message>
   <location filename="geodp_qgis/algorithms/spending.py" />
   <source>Ledgers (*.sqlite *.geodp);;All files (*)</source>
   <translation>Registres (*.sqlite *.geodp);;Tous les fichiers (*)</translation>
  </message>
  <message>
   <location filename="geodp_qgis/algorithms/spending.py" />
   <source>On '{}', ε = {:g} was spent before. These {} runs make as many releases and add {:g}: {:g} of {:g} in all.</source>
   <translation>Pour « {} », ε = {:g} a déjà été dépensé. Ces {} exécutions créent autant de publications et ajoutent {:g} : {:g} sur {:g} en tout.</translation>
  </message>
  <message>
   <location filename="geodp_qgis/algorithms/spending.py" />
   <source>Ledger: ε = {:g} of {:g} is spent on '{}', {:g} is left.</source>
   <translation>Registre : ε = {:g} sur {:g} est dépensé pour « {} », il reste {:g}.</translation>
  </message>
  <message>
   <location filename="geodp_qgis/algorithms/spending.py" />
   <source>{}, by the field '{}'</source>
   <translation>{}, d’après le champ « {} »</translation>
  </message>
  <message>
   <location filename="geodp_qgis/algorithms/spending.py" />
   <source>{}, replaced by another</source>
   <translation>{}, avec remplacement</translation>
  </message>
  <message>
   <location filename="geodp_qgis/algorithms/spending.py" />
   <source>ε = {:g} would pass the cap of '{}': {:g} is left. Nothing was read or spent.</source>
   <translation>ε = {:g} dépasserait le plafond de « {} » : il reste {:g}. Rien n’a été lu ni dépensé.</translation>
  </message>
  <message>
   <location filename="geodp_qgis/algorithms/spending.py" />
   <source>It is the cap of layers without a name in the ledger: if more may be spent, give these data a name and a cap under Advanced.</source>
   <translation>C’est le plafond des couches sans nom au registre : s’il est permis de dépenser plus, donnez à ces données un nom et un plafond sous « Paramètres avancés ».</translation>
  </message>
  <message>
   <location filename="geodp_qgis/algorithms/spending.py" />
   <source>one record</source>
   <translation>un enregistrement</translation>
  </message>
  <message>
   <location filename="geodp_qgis/algorithms/spending.py" />
   <source>Chosen cells: {}, {}.</source>
   <translation>Cellules choisies : {}, {}.</translation>
  </message>
  <message>
   <location filename="geodp_qgis/algorithms/spending.py" />
   <source>A cap is never changed: that of '{}' is {:g}. Leave the cap empty, or give other data another name.</source>
   <translation>Un plafond n’est jamais modifié : celui de « {} » est {:g}. Laissez le plafond vide, ou donnez un autre nom à d’autres données.</translation>
  </message>
  <message>
   <location filename="geodp_qgis/algorithms/spending.py" />
   <source>Under the name '{}', ε is counted for {}; this run would spend it for {}, and the two cannot be added. Protect the same as before, or give another name. Nothing was read or spent.</source>
   <translation>Sous le nom « {} », ε est compté pour {} ; cette exécution le dépenserait pour {}, et les deux ne s’additionnent pas. Protégez la même chose qu’avant, ou donnez un autre nom. Rien n’a été lu ni dépensé.</translation>
  </message>
  <message>
   <location filename="geodp_qgis/algorithms/spending.py" />
   <source>The ledger has no data named '{}': check the name, or, if they are new, say under Advanced how much ε may ever be spent on them.</source>
   <translation>Le registre n’a pas de données nommées « {} » : vérifiez le nom ou, si elles sont nouvelles, indiquez sous « Paramètres avancés » combien d’ε peut être dépensé pour elles en tout.</translation>
  </message>
  <message>
   <location filename="geodp_qgis/algorithms/spending.py" />
   <source>one feature, at most {} points</source>
   <translation>une entité, au plus {} points</translation>
  </message>
  <message>
   <location filename="geodp_qgis/algorithms/spending.py" />
   <source>one feature, at most 1 point</source>
   <translation>une entité, au plus 1 point</translation>
  </message>
  <message>
   <location filename="geodp_qgis/algorithms/spending.py" />
   <source>one person, at most {} records</source>
   <translation>une personne, au plus {} enregistrements</translation>
  </message>
  <message>
   <location filename="geodp_qgis/algorithms/spending.py" />
   <source>one person, at most 1 record</source>
   <translation>une personne, au plus 1 enregistrement</translation>
  </message>
  <message>
   <location filename="geodp_qgis/algorithms/spending.py" />
   <source>Spent in all: ε = {}.</source>
   <translation>Dépensé en tout : ε = {}.</translation>
  </message>
  <message>
   <location filename="geodp_qgis/algorithms/style.py" />
   <source>Style a private histogram</source>
   <translation>Styler un histogramme privé</translation>
  </message>
  <message>
   <location filename="geodp_qgis/algorithms/style.py" />
   <source>Gives a layer that geodp made elsewhere its colours and its promise.</source>
   <translation>Donne à une couche que geodp a créée ailleurs ses couleurs et sa garantie.</translation>
  </message>
  <message>
   <location filename="geodp_qgis/algorithms/style.py" />
   <source>A GeoTIFF or GeoPackage of counts in this project, from wherever.</source>
   <translation>Un GeoTIFF ou un GeoPackage de comptages dans ce projet, d’où qu’il vienne.</translation>
  </message>
  <message>
   <location filename="geodp_qgis/algorithms/style.py" />
   <source>privacy,colours,legend,symbology,promise</source>
   <translation>confidentialité,couleurs,légende,symbologie,garantie</translation>
  </message>
  <message>
   <location filename="geodp_qgis/algorithms/view.py" />
   <source>Density or clamped counts</source>
   <translation>Densité ou comptages écrêtés</translation>
  </message>
  <message>
   <location filename="geodp_qgis/algorithms/view.py" />
   <source>Turns a private histogram into records per km², or counts without negatives, to look at.</source>
   <translation>Transforme un histogramme privé en enregistrements par km², ou en comptages sans négatifs, pour le regarder.</translation>
  </message>
  <message>
   <location filename="geodp_qgis/algorithms/view.py" />
   <source>Density compares cells of unequal size. Clamped counts are for pictures alone: their sums are too high.</source>
   <translation>La densité compare des cellules de tailles inégales. Les comptages écrêtés ne servent qu’aux images : leurs sommes sont trop élevées.</translation>
  </message>
  <message>
   <location filename="geodp_qgis/algorithms/view.py" />
   <source>A GeoTIFF that says what was done, with a band for each map of the release. It is no release.</source>
   <translation>Un GeoTIFF qui dit ce qui a été fait, avec une bande pour chaque carte de la publication. Ce n’est pas une publication.</translation>
  </message>
  <message>
   <location filename="geodp_qgis/algorithms/view.py" />
   <source>privacy,density,per km²,clamped,negative,view,readers</source>
   <translation>confidentialité,densité,par km²,écrêté,négatif,vue,lecteurs</translation>
  </message>
  <message>
   <location filename="geodp_qgis/algorithms/view.py" />
   <source>Show</source>
   <translation>Afficher</translation>
  </message>
  <message>
   <location filename="geodp_qgis/algorithms/view.py" />
   <source>Density: records per km²</source>
   <translation>Densité : enregistrements par km²</translation>
  </message>
  <message>
   <location filename="geodp_qgis/algorithms/view.py" />
   <source>Clamped: counts, negative ones set to 0</source>
   <translation>Écrêtés : comptages, les négatifs mis à 0</translation>
  </message>
  <message>
   <location filename="geodp_qgis/districts.py" />
   <source>At least one region is needed; the layer of regions is empty.</source>
   <translation>Il faut au moins une zone ; la couche des zones est vide.</translation>
  </message>
  <message>
   <location filename="geodp_qgis/districts.py" />
   <source>Rates need one row for each district; here some have several: dissolve them by their name first, with the sum of the field.</source>
   <translation>Les taux nécessitent une ligne par district ; ici, certains en ont plusieurs : regroupez-les d’abord par leur nom, avec la somme du champ.</translation>
  </message>
  <message>
   <location filename="geodp_qgis/districts.py" />
   <source>Every region must be a valid polygon; the region with id {} {}.</source>
   <translation>Chaque zone doit être un polygone valide ; la zone d’identifiant {} {}.</translation>
  </message>
  <message>
   <location filename="geodp_qgis/dock/answer.py" />
   <source>&amp;3  What do you want to answer?</source>
   <translation>&amp;3  À quoi voulez-vous répondre ?</translation>
  </message>
  <message>
   <location filename="geodp_qgis/dock/answer.py" />
   <source>such as 5km</source>
   <translation>par exemple 5km</translation>
  </message>
  <message>
   <location filename="geodp_qgis/dock/answer.py" />
   <source>such as 5km, 10km or 30, 40</source>
   <translation>par exemple 5km, 10km ou 30, 40</translation>
  </message>
  <message>
   <location filename="geodp_qgis/dock/answer.py" />
   <source> records</source>
   <translation> enregistrements</translation>
  </message>
  <message>
   <location filename="geodp_qgis/dock/answer.py" />
   <source>how many records?</source>
   <translation>combien ?</translation>
  </message>
  <message>
   <location filename="geodp_qgis/dock/answer.py" />
   <source>a temporary file</source>
   <translation>un fichier temporaire</translation>
  </message>
  <message>
   <location filename="geodp_qgis/dock/answer.py" />
   <source>Cells that are fine where records crowd and coarse where there are few are several times as accurate where records are uneven, as people are. One grid is easy to read and can be chosen for your regions. If counts of districts are what you want, take these.</source>
   <translation>Des cellules fines là où les enregistrements abondent et grossières là où il y en a peu sont plusieurs fois plus précises quand les enregistrements sont inégalement répartis, comme le sont les gens. Une grille est facile à lire et peut être choisie pour vos zones. Si vous voulez des comptages de districts, prenez ceux-ci.</translation>
  </message>
  <message>
   <location filename="geodp_qgis/dock/answer.py" />
   <source>Districts</source>
   <translation>Districts</translation>
  </message>
  <message>
   <location filename="geodp_qgis/dock/answer.py" />
   <source>Rates per</source>
   <translation>Taux par</translation>
  </message>
  <message>
   <location filename="geodp_qgis/dock/answer.py" />
   <source>Side</source>
   <translation>Côté</translation>
  </message>
  <message>
   <location filename="geodp_qgis/dock/answer.py" />
   <source>Within</source>
   <translation>Dans</translation>
  </message>
  <message>
   <location filename="geodp_qgis/dock/answer.py" />
   <source>Si&amp;zes</source>
   <translation>&amp;Tailles</translation>
  </message>
  <message>
   <location filename="geodp_qgis/dock/answer.py" />
   <source>Lengths of cells with a unit, such as 5km, 10km, or numbers of cells per side, such as 30, 40 or 20x30. Empty: a ladder from coarse to fine.</source>
   <translation>Longueurs de cellules avec une unité, par exemple 5km, 10km, ou nombres de cellules par côté, par exemple 30, 40 ou 20x30. Vide : une échelle de grossier à fin.</translation>
  </message>
  <message>
   <location filename="geodp_qgis/dock/answer.py" />
   <source>G&amp;uess</source>
   <translation>H&amp;ypothèse</translation>
  </message>
  <message>
   <location filename="geodp_qgis/dock/answer.py" />
   <source>A public guess of how many there will be, never a figure from the points. With it the whole error is foreseen.</source>
   <translation>Une hypothèse publique sur leur nombre, jamais un chiffre tiré des points. Avec elle, l’erreur totale est prévue.</translation>
  </message>
  <message>
   <location filename="geodp_qgis/dock/answer.py" />
   <source>Save as</source>
   <translation>Enregistrer sous</translation>
  </message>
  <message>
   <location filename="geodp_qgis/dock/answer.py" />
   <source>A file of signed counts that carries its own promise: see 'About …'.</source>
   <translation>Un fichier de comptages avec leur signe, qui porte sa propre garantie : voir « À propos … ».</translation>
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
   <translation>Une grille régulière</translation>
  </message>
  <message>
   <location filename="geodp_qgis/dock/answer.py" />
   <source>Districts of a public layer</source>
   <translation>Districts d’une couche</translation>
  </message>
  <message>
   <location filename="geodp_qgis/dock/answer.py" />
   <source>Hexagons</source>
   <translation>Hexagones</translation>
  </message>
  <message>
   <location filename="geodp_qgis/dock/answer.py" />
   <source>Of how many</source>
   <translation>Pour combien</translation>
  </message>
  <message>
   <location filename="geodp_qgis/dock/balance.py" />
   <source>Without a name, this layer has an account of its own, with a cap of ε = {:g}.</source>
   <translation>Sans nom, cette couche a son propre compte, avec un plafond d’ε = {:g}.</translation>
  </message>
  <message>
   <location filename="geodp_qgis/dock/balance.py" />
   <source>This name is new: say how much ε may ever be spent on it.</source>
   <translation>Ce nom est nouveau : indiquez combien d’ε peut être dépensé pour lui en tout.</translation>
  </message>
  <message>
   <location filename="geodp_qgis/dock/balance.py" />
   <source>{:g} after this map.</source>
   <translation>{:g} après cette carte.</translation>
  </message>
  <message>
   <location filename="geodp_qgis/dock/balance.py" />
   <source>Without a name nobody adds up what is spent on these points.</source>
   <translation>Sans nom, personne n’additionne ce qui est dépensé pour ces points.</translation>
  </message>
  <message>
   <location filename="geodp_qgis/dock/balance.py" />
   <source>ε = {:g} would pass the cap: {:g} of {:g} is left.</source>
   <translation>ε = {:g} dépasserait le plafond : il reste {:g} sur {:g}.</translation>
  </message>
  <message>
   <location filename="geodp_qgis/dock/call_box.py" />
   <source>The same as a Processing call</source>
   <translation>Appel Processing équivalent</translation>
  </message>
  <message>
   <location filename="geodp_qgis/dock/call_box.py" />
   <source>Cop&amp;y</source>
   <translation>Cop&amp;ier</translation>
  </message>
  <message>
   <location filename="geodp_qgis/dock/chart.py" />
   <source>ε: smaller is more private</source>
   <translation>ε : plus petit, plus privé</translation>
  </message>
  <message>
   <location filename="geodp_qgis/dock/chart.py" />
   <source>± records of a region</source>
   <translation>± enregistrements d’une zone</translation>
  </message>
  <message>
   <location filename="geodp_qgis/dock/chart.py" />
   <source>± records of noise, a region</source>
   <translation>± enregistrements de bruit, une zone</translation>
  </message>
  <message>
   <location filename="geodp_qgis/dock/extent_box.py" />
   <source>such as 490000,510000,5390000,5410000 [EPSG:32633]</source>
   <translation>par exemple 490000,510000,5390000,5410000 [EPSG:32633]</translation>
  </message>
  <message>
   <location filename="geodp_qgis/dock/extent_box.py" />
   <source>xmin, xmax, ymin, ymax [EPSG:…]</source>
   <translation>xmin, xmax, ymin, ymax [EPSG:…]</translation>
  </message>
  <message>
   <location filename="geodp_qgis/dock/extent_box.py" />
   <source>Draw a rectangle, or take a public one</source>
   <translation>Dessiner un rectangle, ou en prendre un public</translation>
  </message>
  <message>
   <location filename="geodp_qgis/dock/extent_box.py" />
   <source>Draw on the map</source>
   <translation>Dessiner sur la carte</translation>
  </message>
  <message>
   <location filename="geodp_qgis/dock/extent_box.py" />
   <source>Extent of a public layer</source>
   <translation>Emprise d’une couche publique</translation>
  </message>
  <message>
   <location filename="geodp_qgis/dock/extent_box.py" />
   <source>Spatial bookmark</source>
   <translation>Signet spatial</translation>
  </message>
  <message>
   <location filename="geodp_qgis/dock/figures.py" />
   <source>Sums, larger units, grey</source>
   <translation>Sommes, unités plus grandes, gris</translation>
  </message>
  <message>
   <location filename="geodp_qgis/dock/figures.py" />
   <source>lower, such as 0</source>
   <translation>inférieure, p. ex. 0</translation>
  </message>
  <message>
   <location filename="geodp_qgis/dock/figures.py" />
   <source>upper, such as 10000</source>
   <translation>supérieure, p. ex. 10000</translation>
  </message>
  <message>
   <location filename="geodp_qgis/dock/figures.py" />
   <source>nowhere</source>
   <translation>nulle part</translation>
  </message>
  <message>
   <location filename="geodp_qgis/dock/figures.py" />
   <source>Add up</source>
   <translation>Additionner</translation>
  </message>
  <message>
   <location filename="geodp_qgis/dock/figures.py" />
   <source>Between</source>
   <translation>Entre</translation>
  </message>
  <message>
   <location filename="geodp_qgis/dock/figures.py" />
   <source>Named by</source>
   <translation>Nommés par</translation>
  </message>
  <message>
   <location filename="geodp_qgis/dock/figures.py" />
   <source>Larger units</source>
   <translation>Unités</translation>
  </message>
  <message>
   <location filename="geodp_qgis/dock/figures.py" />
   <source>A field of the districts that says in which larger unit each is, such as its state: units get counts of their own where that pays, and counts of all levels agree.</source>
   <translation>Un champ qui dit dans quelle unité plus grande se trouve chaque district, par exemple sa région : les unités sont comptées à part là où c’est utile, et tous les niveaux concordent.</translation>
  </message>
  <message>
   <location filename="geodp_qgis/dock/figures.py" />
   <source>…and above</source>
   <translation>…au-dessus</translation>
  </message>
  <message>
   <location filename="geodp_qgis/dock/figures.py" />
   <source>A field of still larger units, such as the country of a state.</source>
   <translation>Un champ d’unités encore plus grandes, par exemple le pays d’une région.</translation>
  </message>
  <message>
   <location filename="geodp_qgis/dock/figures.py" />
   <source>Grey above</source>
   <translation>Gris au-delà</translation>
  </message>
  <message>
   <location filename="geodp_qgis/dock/foot.py" />
   <source>What was said last</source>
   <translation>Ce qui a été dit en dernier</translation>
  </message>
  <message>
   <location filename="geodp_qgis/dock/foot.py" />
   <source>Progress</source>
   <translation>Progression</translation>
  </message>
  <message>
   <location filename="geodp_qgis/dock/foot.py" />
   <source>Ma&amp;ke the private map</source>
   <translation>Créer &amp;la carte privée</translation>
  </message>
  <message>
   <location filename="geodp_qgis/dock/foot.py" />
   <source>Reads the points and spends ε</source>
   <translation>Lit les points et dépense ε</translation>
  </message>
  <message>
   <location filename="geodp_qgis/dock/foot.py" />
   <source>The same in the dialog of the algorithm, with everything it asks</source>
   <translation>La même chose dans le dialogue de l’algorithme, avec tout ce qu’il demande</translation>
  </message>
  <message>
   <location filename="geodp_qgis/dock/foot.py" />
   <source>Help</source>
   <translation>Aide</translation>
  </message>
  <message>
   <location filename="geodp_qgis/dock/foot.py" />
   <source>Cancel</source>
   <translation>Annuler</translation>
  </message>
  <message>
   <location filename="geodp_qgis/dock/foot.py" />
   <source>All options…</source>
   <translation>Plus d’options…</translation>
  </message>
  <message>
   <location filename="geodp_qgis/dock/forecast_box.py" />
   <source>How priva&amp;te, and how exact?</source>
   <translation>&amp;Quelle protection, quelle précision ?</translation>
  </message>
  <message>
   <location filename="geodp_qgis/dock/forecast_box.py" />
   <source>Show on the map the cells that it may have; free</source>
   <translation>Montre sur la carte les cellules qu’elle peut avoir ; gratuit</translation>
  </message>
  <message>
   <location filename="geodp_qgis/dock/forecast_box.py" />
   <source>Cells to show on the map</source>
   <translation>Cellules à montrer sur la carte</translation>
  </message>
  <message>
   <location filename="geodp_qgis/dock/forecast_box.py" />
   <source>Show cells</source>
   <translation>Montrer les cellules</translation>
  </message>
  <message>
   <location filename="geodp_qgis/dock/forecast_box.py" />
   <source>Privacy budget ε, by steps</source>
   <translation>Budget de confidentialité ε, par paliers</translation>
  </message>
  <message>
   <location filename="geodp_qgis/dock/forecast_box.py" />
   <source>Looking ahead …</source>
   <translation>Prévision …</translation>
  </message>
  <message>
   <location filename="geodp_qgis/dock/forecast_box.py" />
   <source>that would suit</source>
   <translation>qui conviendraient</translation>
  </message>
  <message>
   <location filename="geodp_qgis/dock/foresight.py" />
   <source>people</source>
   <translation>personnes</translation>
  </message>
  <message>
   <location filename="geodp_qgis/dock/foresight.py" />
   <source>records</source>
   <translation>enregistrements</translation>
  </message>
  <message>
   <location filename="geodp_qgis/dock/foresight.py" />
   <source>It is an estimate, mostly right within a factor of two.</source>
   <translation>C’est une estimation, le plus souvent juste à un facteur deux près.</translation>
  </message>
  <message>
   <location filename="geodp_qgis/dock/foresight.py" />
   <source>Guess how many records there are, and the whole error is foreseen.</source>
   <translation>Faites une hypothèse sur le nombre d’enregistrements, et l’erreur totale sera prévue.</translation>
  </message>
  <message>
   <location filename="geodp_qgis/dock/foresight.py" />
   <source>Where larger units get counts of their own, districts are off by up to a third more, and units by far less than all their districts.</source>
   <translation>Là où des unités plus grandes reçoivent leurs propres comptages, les districts s’écartent jusqu’à un tiers de plus, et les unités bien moins que tous leurs districts ensemble.</translation>
  </message>
  <message>
   <location filename="geodp_qgis/dock/foresight.py" />
   <source>At ε = {:g}, about ± {} records for a region{}.</source>
   <translation>Avec ε = {:g}, environ ± {} enregistrements pour une zone{}.</translation>
  </message>
  <message>
   <location filename="geodp_qgis/dock/foresight.py" />
   <source>, typically {} % of its count</source>
   <translation>, typiquement {} % de son comptage</translation>
  </message>
  <message>
   <location filename="geodp_qgis/dock/foresight.py" />
   <source>At ε = {:g}, cells of {} would suit: about ± {} records for a region{}.</source>
   <translation>Avec ε = {:g}, des cellules de {} conviendraient : environ ± {} enregistrements pour une zone{}.</translation>
  </message>
  <message>
   <location filename="geodp_qgis/dock/foresight.py" />
   <source>Noise of a region at ε = {:g}: ± {} records with cells of {}</source>
   <translation>Bruit d’une zone avec ε = {:g} : ± {} enregistrements avec des cellules de {}</translation>
  </message>
  <message>
   <location filename="geodp_qgis/dock/foresight.py" />
   <source>The count of each district will be off by about {:.2g} {}.</source>
   <translation>Le comptage de chaque district s’écartera du vrai d’environ {:.2g} {}.</translation>
  </message>
  <message>
   <location filename="geodp_qgis/dock/foresight.py" />
   <source>The count of each of {:,.0f} hexagons will be off by about {:.2g} {}.</source>
   <translation>Le comptage de chacun des {:,.0f} hexagones s’écartera du vrai d’environ {:.2g} {}.</translation>
  </message>
  <message>
   <location filename="geodp_qgis/dock/foresight.py" />
   <source>Cells that are fine where records crowd follow the records: guess how many there are, and the error is foreseen.</source>
   <translation>Les cellules fines là où les enregistrements abondent suivent les enregistrements : faites une hypothèse sur leur nombre, et l’erreur sera prévue.</translation>
  </message>
  <message>
   <location filename="geodp_qgis/dock/foresight.py" />
   <source>These are too many cells to look ahead at here; the map can be made, and 'Plan a private histogram' tells what error to expect.</source>
   <translation>C’est trop de cellules pour une prévision ici ; la carte peut être créée, et « Planifier un histogramme privé » dit quelle erreur attendre.</translation>
  </message>
  <message>
   <location filename="geodp_qgis/dock/foresight.py" />
   <source>, ± {} with cells of {}</source>
   <translation>, ± {} avec des cellules de {}</translation>
  </message>
  <message>
   <location filename="geodp_qgis/dock/foresight.py" />
   <source>Sums will be off by about {}.</source>
   <translation>Les sommes s’écarteront d’environ {}.</translation>
  </message>
  <message>
   <location filename="geodp_qgis/dock/more.py" />
   <source>Several maps, title, more files</source>
   <translation>Plusieurs cartes, titre, autres fichiers</translation>
  </message>
  <message>
   <location filename="geodp_qgis/dock/more.py" />
   <source>Cells as polygons, too</source>
   <translation>Aussi les cellules en polygones</translation>
  </message>
  <message>
   <location filename="geodp_qgis/dock/more.py" />
   <source>Report page, too</source>
   <translation>Aussi une page de rapport</translation>
  </message>
  <message>
   <location filename="geodp_qgis/dock/more.py" />
   <source>such as theft, assault</source>
   <translation>par exemple vol, agression</translation>
  </message>
  <message>
   <location filename="geodp_qgis/dock/more.py" />
   <source>such as hourly, or 2024-01-01, 2025-01-01</source>
   <translation>par exemple hourly, ou 2024-01-01, 2025-01-01</translation>
  </message>
  <message>
   <location filename="geodp_qgis/dock/more.py" />
   <source>One map per</source>
   <translation>Une carte par</translation>
  </message>
  <message>
   <location filename="geodp_qgis/dock/more.py" />
   <source>Its values</source>
   <translation>Ses valeurs</translation>
  </message>
  <message>
   <location filename="geodp_qgis/dock/more.py" />
   <source>Values of the field, with commas, each of which gets a map. Type what everybody knows; the list is never read off the points.</source>
   <translation>Des valeurs du champ, séparées par des virgules, dont chacune reçoit une carte. Saisissez ce que tout le monde sait ; la liste n’est jamais tirée des points.</translation>
  </message>
  <message>
   <location filename="geodp_qgis/dock/more.py" />
   <source>…or limits</source>
   <translation>…ou limites</translation>
  </message>
  <message>
   <location filename="geodp_qgis/dock/more.py" />
   <source>Instead: limits between numbers, between dates and times such as 2024-01-01 (ISO, in UTC) or between times of day such as 06:00. Or a word: hourly, weekday, monthly 2024-01 to 2024-12, yearly 2020 to 2024.</source>
   <translation>À la place : des limites entre des nombres, entre des dates et heures comme 2024-01-01 (ISO, en UTC) ou entre des heures du jour comme 06:00. Ou un mot : hourly (par heure), weekday (par jour de la semaine), monthly 2024-01 to 2024-12 (par mois), yearly 2020 to 2024 (par an).</translation>
  </message>
  <message>
   <location filename="geodp_qgis/dock/more.py" />
   <source>All others</source>
   <translation>Les autres</translation>
  </message>
  <message>
   <location filename="geodp_qgis/dock/more.py" />
   <source>The same counts, one polygon per cell: beside the raster, as a GeoPackage.</source>
   <translation>Les mêmes comptages, un polygone par cellule : à côté du raster, en GeoPackage.</translation>
  </message>
  <message>
   <location filename="geodp_qgis/dock/panel.py" />
   <source>Done: the private map is in the project. Its ε is spent.</source>
   <translation>Terminé : la carte privée est dans le projet. Son ε est dépensé.</translation>
  </message>
  <message>
   <location filename="geodp_qgis/dock/panel.py" />
   <source>Private map</source>
   <translation>Carte privée</translation>
  </message>
  <message>
   <location filename="geodp_qgis/dock/panel.py" />
   <source>{} is there already: choose another name under 'Save as'.</source>
   <translation>{} existe déjà : choisissez un autre nom sous « Enregistrer sous ».</translation>
  </message>
  <message>
   <location filename="geodp_qgis/dock/panel.py" />
   <source>Report page: {}</source>
   <translation>Page de rapport : {}</translation>
  </message>
  <message>
   <location filename="geodp_qgis/dock/protected.py" />
   <source>What is not selected is not counted, and how it was chosen is not protected.</source>
   <translation>Ce qui n’est pas sélectionné n’est pas compté, et la façon de choisir n’est pas protégée.</translation>
  </message>
  <message>
   <location filename="geodp_qgis/dock/protected.py" />
   <source>&amp;1  What is protected?</source>
   <translation>&amp;1  Qu’est-ce qui est protégé ?</translation>
  </message>
  <message>
   <location filename="geodp_qgis/dock/protected.py" />
   <source>Selected features only</source>
   <translation>Entités sélectionnées uniquement</translation>
  </message>
  <message>
   <location filename="geodp_qgis/dock/protected.py" />
   <source>not set</source>
   <translation>non défini</translation>
  </message>
  <message>
   <location filename="geodp_qgis/dock/protected.py" />
   <source>the layer's own</source>
   <translation>celui de la couche</translation>
  </message>
  <message>
   <location filename="geodp_qgis/dock/protected.py" />
   <source>What is left in the ledger</source>
   <translation>Ce qui reste au registre</translation>
  </message>
  <message>
   <location filename="geodp_qgis/dock/protected.py" />
   <source>Po&amp;ints</source>
   <translation>P&amp;oints</translation>
  </message>
  <message>
   <location filename="geodp_qgis/dock/protected.py" />
   <source>Person &amp;field</source>
   <translation>C&amp;hamp personne</translation>
  </message>
  <message>
   <location filename="geodp_qgis/dock/protected.py" />
   <source>For data where one person can have several records. Empty: records are protected, not people.</source>
   <translation>Pour des données où une personne peut avoir plusieurs enregistrements. Vide : ce sont les enregistrements qui sont protégés, pas les personnes.</translation>
  </message>
  <message>
   <location filename="geodp_qgis/dock/protected.py" />
   <source>&amp;At most</source>
   <translation>Au pl&amp;us</translation>
  </message>
  <message>
   <location filename="geodp_qgis/dock/protected.py" />
   <source>How many records of each person may count; the noise grows with this number. Choose it without looking at the layer.</source>
   <translation>Combien d’enregistrements de chaque personne peuvent compter ; le bruit croît avec ce nombre. Choisissez-le sans regarder la couche.</translation>
  </message>
  <message>
   <location filename="geodp_qgis/dock/protected.py" />
   <source>Ledger &amp;name</source>
   <translation>&amp;Nom au registre</translation>
  </message>
  <message>
   <location filename="geodp_qgis/dock/protected.py" />
   <source>One name for all layers about the same people: under it, what is spent adds up. Empty: the layer's own account.</source>
   <translation>Un seul nom pour toutes les couches sur les mêmes personnes : sous lui, les dépenses s’additionnent. Vide : le compte propre à la couche.</translation>
  </message>
  <message>
   <location filename="geodp_qgis/dock/protected.py" />
   <source>Cap ε</source>
   <translation>Plafond ε</translation>
  </message>
  <message>
   <location filename="geodp_qgis/dock/protected.py" />
   <source>The most ε that may ever be spent on these data. Needed once, to enter a new name into the ledger; a cap is never changed.</source>
   <translation>Le maximum d’ε qui puisse jamais être dépensé pour ces données. Nécessaire une fois, pour inscrire un nouveau nom au registre ; un plafond n’est jamais modifié.</translation>
  </message>
  <message>
   <location filename="geodp_qgis/dock/protected.py" />
   <source>{:g} of {:g} left</source>
   <translation>reste {:g} sur {:g}</translation>
  </message>
  <message>
   <location filename="geodp_qgis/dock/questions.py" />
   <source>Where records can be: polygons such as land or a jurisdiction, or a raster of weights such as population, known to everybody. May be left empty.</source>
   <translation>Où peuvent être les enregistrements : des polygones, tels que la terre ferme ou un territoire, ou un raster de poids, tel que la population, connus de tous. Peut rester vide.</translation>
  </message>
  <message>
   <location filename="geodp_qgis/dock/questions.py" />
   <source>A projected coordinate system that suits the public extent</source>
   <translation>Un système de coordonnées projeté qui convient à l’emprise publique</translation>
  </message>
  <message>
   <location filename="geodp_qgis/dock/questions.py" />
   <source>&amp;2  Which area is public?</source>
   <translation>&amp;2  Quel périmètre est public ?</translation>
  </message>
  <message>
   <location filename="geodp_qgis/dock/questions.py" />
   <source>This extent is public anyway</source>
   <translation>Cette emprise est bien publique</translation>
  </message>
  <message>
   <location filename="geodp_qgis/dock/questions.py" />
   <source>E&amp;xtent</source>
   <translation>Em&amp;prise</translation>
  </message>
  <message>
   <location filename="geodp_qgis/dock/questions.py" />
   <source>The rectangle that is counted, known to everybody: a city, a country, a round box. Never from the points.</source>
   <translation>Le rectangle où l’on compte, connu de tous : une ville, un pays, un cadre aux valeurs rondes. Jamais d’après les points.</translation>
  </message>
  <message>
   <location filename="geodp_qgis/dock/questions.py" />
   <source>&amp;Grid CRS</source>
   <translation>SCR &amp;grille</translation>
  </message>
  <message>
   <location filename="geodp_qgis/dock/questions.py" />
   <source>Use {}</source>
   <translation>Utiliser {}</translation>
  </message>
  <message>
   <location filename="geodp_qgis/dock/running.py" />
   <source>Cancelled: nothing was read, no budget is spent.</source>
   <translation>Annulé : rien n’a été lu, aucun budget n’est dépensé.</translation>
  </message>
  <message>
   <location filename="geodp_qgis/dock/running.py" />
   <source>The map was made but cannot be opened: {}</source>
   <translation>La carte a été créée mais ne peut pas être ouverte : {}</translation>
  </message>
  <message>
   <location filename="geodp_qgis/dock/state.py" />
   <source>Choose the points that shall be protected.</source>
   <translation>Choisissez les points à protéger.</translation>
  </message>
  <message>
   <location filename="geodp_qgis/dock/state.py" />
   <source>Give a public extent: type it, draw it, or take a public layer's.</source>
   <translation>Donnez une emprise publique : saisissez-la, dessinez-la, ou prenez celle d’une couche publique.</translation>
  </message>
  <message>
   <location filename="geodp_qgis/dock/state.py" />
   <source>Choose the CRS of the grid, a projected one for your region.</source>
   <translation>Choisissez le SCR de la grille, projeté et adapté à votre région.</translation>
  </message>
  <message>
   <location filename="geodp_qgis/dock/state.py" />
   <source>Say how long a side of a hexagon is, such as 5km.</source>
   <translation>Dites la longueur du côté d’un hexagone, par exemple 5km.</translation>
  </message>
  <message>
   <location filename="geodp_qgis/dock/state.py" />
   <source>Say in 'At most' how many records of each may count.</source>
   <translation>Indiquez dans « Au plus » combien d’enregistrements de chacun peuvent compter.</translation>
  </message>
  <message>
   <location filename="geodp_qgis/dock/state.py" />
   <source>Choose the districts, a public layer of polygons.</source>
   <translation>Choisissez les districts, une couche publique de polygones.</translation>
  </message>
  <message>
   <location filename="geodp_qgis/dock/state.py" />
   <source>Choose the field that names the districts in larger units.</source>
   <translation>Choisissez le champ qui nomme les districts dans les unités plus grandes.</translation>
  </message>
  <message>
   <location filename="geodp_qgis/dock/state.py" />
   <source>The extent must be four numbers, xmin, xmax, ymin, ymax; got '{}'.</source>
   <translation>L’emprise doit être faite de quatre nombres, xmin, xmax, ymin, ymax ; reçu : « {} ».</translation>
  </message>
  <message>
   <location filename="geodp_qgis/dock/state.py" />
   <source>This QGIS does not know the extent's CRS, {}.</source>
   <translation>Ce QGIS ne connaît pas le SCR de l’emprise, {}.</translation>
  </message>
  <message>
   <location filename="geodp_qgis/dock/state.py" />
   <source>A bound must be a number, such as 10000; got '{}'.</source>
   <translation>Une borne doit être un nombre, par exemple 10000 ; reçu « {} ».</translation>
  </message>
  <message>
   <location filename="geodp_qgis/dock/work.py" />
   <source>There is not enough memory for so many cells: use fewer.</source>
   <translation>La mémoire ne suffit pas pour autant de cellules : prenez-en moins.</translation>
  </message>
  <message>
   <location filename="geodp_qgis/dock/work.py" />
   <source>{}, cancelled</source>
   <translation>{}, interrompu</translation>
  </message>
  <message>
   <location filename="geodp_qgis/expressions.py" />
   <source>&lt;h3&gt;{}(layer, geometry)&lt;/h3&gt;&lt;p&gt;{}, from a private histogram in this project (its name or id) and a polygon in the CRS of the current layer; a third argument may be another CRS, such as 'EPSG:4326'. NULL outside the extent of the release. Costs no budget.&lt;/p&gt;</source>
   <translation>&lt;h3&gt;{}(couche, géométrie)&lt;/h3&gt;&lt;p&gt;{}, d’après un histogramme privé de ce projet (son nom ou son identifiant) et un polygone dans le SCR de la couche actuelle ; un troisième argument peut être un autre SCR, par exemple 'EPSG:4326'. NULL hors de l’emprise de la publication. Ne coûte aucun budget.&lt;/p&gt;</translation>
  </message>
  <message>
   <location filename="geodp_qgis/expressions.py" />
   <source>Estimated number of records in a polygon</source>
   <translation>Nombre estimé d’enregistrements dans un polygone</translation>
  </message>
  <message>
   <location filename="geodp_qgis/expressions.py" />
   <source>Lower end of the interval that holds it in 95 of 100 cases</source>
   <translation>Borne basse de l’intervalle qui le contient dans 95 cas sur 100</translation>
  </message>
  <message>
   <location filename="geodp_qgis/expressions.py" />
   <source>Upper end of the interval that holds it in 95 of 100 cases</source>
   <translation>Borne haute de l’intervalle qui le contient dans 95 cas sur 100</translation>
  </message>
  <message>
   <location filename="geodp_qgis/expressions.py" />
   <source>There is no layer '{}' in this project.</source>
   <translation>Il n’y a pas de couche « {} » dans ce projet.</translation>
  </message>
  <message>
   <location filename="geodp_qgis/expressions.py" />
   <source>A layer and a geometry are needed, and a CRS if it is not the layer's.</source>
   <translation>Il faut une couche et une géométrie, et un SCR si ce n’est pas celui de la couche.</translation>
  </message>
  <message>
   <location filename="geodp_qgis/layer_menu.py" />
   <source>Ask how many there are in districts…</source>
   <translation>Demander combien il y en a par district…</translation>
  </message>
  <message>
   <location filename="geodp_qgis/layer_menu.py" />
   <source>Report page…</source>
   <translation>Page de rapport…</translation>
  </message>
  <message>
   <location filename="geodp_qgis/layer_menu.py" />
   <source>Compare with a later map…</source>
   <translation>Comparer avec une carte ultérieure…</translation>
  </message>
  <message>
   <location filename="geodp_qgis/layer_menu.py" />
   <source>Verify, and show what it promises…</source>
   <translation>Vérifier, et montrer ce qu’elle garantit…</translation>
  </message>
  <message>
   <location filename="geodp_qgis/layer_menu.py" />
   <source>Show the ledger…</source>
   <translation>Montrer le registre…</translation>
  </message>
  <message>
   <location filename="geodp_qgis/plugin.py" />
   <source>Publish the counts of a point layer without giving away any single point</source>
   <translation>Publie les comptages d’une couche de points sans en révéler un seul</translation>
  </message>
  <message>
   <location filename="geodp_qgis/plugin.py" />
   <source>Show or hide the dock that makes a private map step by step</source>
   <translation>Afficher ou masquer le panneau qui crée une carte privée pas à pas</translation>
  </message>
  <message>
   <location filename="geodp_qgis/plugin.py" />
   <source>Try with sample data</source>
   <translation>Essayer avec des données d’exemple</translation>
  </message>
  <message>
   <location filename="geodp_qgis/plugin.py" />
   <source>Add two public layers to practise with, and open the tutorial</source>
   <translation>Ajouter deux couches publiques pour s’exercer, et ouvrir le tutoriel</translation>
  </message>
  <message>
   <location filename="geodp_qgis/points.py" />
   <source>PROJ must not fetch grids for private points, because that tells where they lie; its network is on, and this GDAL cannot switch it off: start QGIS with PROJ_NETWORK=OFF.</source>
   <translation>PROJ ne doit pas chercher de grilles pour des points privés, car cela révèle où ils sont ; son accès au réseau est actif, et ce GDAL ne peut pas le couper : démarrez QGIS avec PROJ_NETWORK=OFF.</translation>
  </message>
  <message>
   <location filename="geodp_qgis/provider.py" />
   <source>geodp: private spatial histograms</source>
   <translation>geodp : histogrammes spatiaux privés</translation>
  </message>
  <message>
   <location filename="geodp_qgis/question.py" />
   <source>Nothing was read, no budget is spent.</source>
   <translation>Rien n’a été lu, aucun budget n’est dépensé.</translation>
  </message>
  <message>
   <location filename="geodp_qgis/question.py" />
   <source>Make another map</source>
   <translation>Créer une autre carte</translation>
  </message>
  <message>
   <location filename="geodp_qgis/rasters.py" />
   <source>Counts beyond 32 bits need GDAL 3.5; this QGIS has an older one: use a larger ε.</source>
   <translation>Les comptages de plus de 32 bits nécessitent GDAL 3.5 ; ce QGIS en a un plus ancien : prenez un ε plus grand.</translation>
  </message>
  <message>
   <location filename="geodp_qgis/rasters.py" />
   <source>The CRS of the grid must be one that a GeoTIFF can hold; choose another.</source>
   <translation>Le SCR de la grille doit pouvoir être écrit dans un GeoTIFF ; choisissez-en un autre.</translation>
  </message>
  <message>
   <location filename="geodp_qgis/rasters.py" />
   <source>The raster of counts must be a GeoTIFF; name it .tif, not '{}'.</source>
   <translation>Le raster des comptages doit être un GeoTIFF ; nommez-le .tif, pas « {} ».</translation>
  </message>
  <message>
   <location filename="geodp_qgis/rasters.py" />
   <source>An output is a file; '{}' is a folder: choose another name.</source>
   <translation>Une sortie est un fichier ; « {} » est un dossier : choisissez un autre nom.</translation>
  </message>
  <message>
   <location filename="geodp_qgis/rasters.py" />
   <source>The folder of an output must exist; there is no {}.</source>
   <translation>Le dossier d’une sortie doit exister ; il n’y a pas de {}.</translation>
  </message>
  <message>
   <location filename="geodp_qgis/rasters.py" />
   <source>A release is never written over, because ε was spent on it; {} is one: choose another name, or delete the file first.</source>
   <translation>Une publication n’est jamais écrasée, car ε a été dépensé pour elle ; {} en est une : choisissez un autre nom, ou supprimez d’abord le fichier.</translation>
  </message>
  <message>
   <location filename="geodp_qgis/rasters.py" />
   <source>The raster {} cannot be opened.</source>
   <translation>Le raster {} ne peut pas être ouvert.</translation>
  </message>
  <message>
   <location filename="geodp_qgis/rasters.py" />
   <source>The raster {} cannot be read to its end.</source>
   <translation>Le raster {} ne peut pas être lu jusqu’au bout.</translation>
  </message>
  <message>
   <location filename="geodp_qgis/regions.py" />
   <source>is empty: remove it</source>
   <translation>est vide : supprimez-la</translation>
  </message>
  <message>
   <location filename="geodp_qgis/regions.py" />
   <source>is not a polygon: use polygon layers only</source>
   <translation>n’est pas un polygone : n’utilisez que des couches de polygones</translation>
  </message>
  <message>
   <location filename="geodp_qgis/regions.py" />
   <source>is not a valid polygon: repair it with 'Fix geometries'</source>
   <translation>n’est pas un polygone valide : réparez-la avec « Réparer les géométries »</translation>
  </message>
  <message>
   <location filename="geodp_qgis/regions.py" />
   <source>has no area: remove it</source>
   <translation>n’a pas de surface : supprimez-la</translation>
  </message>
  <message>
   <location filename="geodp_qgis/regions.py" />
   <source>Every region must overlap the domain; the region with id {} lies outside: remove it or widen the domain.</source>
   <translation>Chaque zone doit recouvrir l’emprise en partie ; la zone d’identifiant {} est au-dehors : supprimez-la ou élargissez l’emprise.</translation>
  </message>
  <message>
   <location filename="geodp_qgis/regions.py" />
   <source>cannot be expressed in the domain's CRS: cut it to the domain first</source>
   <translation>ne peut pas être exprimée dans le SCR de l’emprise : découpez-la d’abord selon l’emprise</translation>
  </message>
  <message>
   <location filename="geodp_qgis/sample.py" />
   <source>Towns, which stand for people, and states. The tutorial makes a map of them.</source>
   <translation>Des villes, qui représentent des personnes, et des États. Le tutoriel en fait une carte.</translation>
  </message>
  <message>
   <location filename="geodp_qgis/sample.py" />
   <source>Open the tutorial</source>
   <translation>Ouvrir le tutoriel</translation>
  </message>
  <message>
   <location filename="geodp_qgis/styles/answers.py" />
   <source>per km²</source>
   <translation>par km²</translation>
  </message>
  <message>
   <location filename="geodp_qgis/styles/answers.py" />
   <source>Map</source>
   <translation>Carte</translation>
  </message>
  <message>
   <location filename="geodp_qgis/styles/answers.py" />
   <source>Estimated number of records</source>
   <translation>Nombre estimé d’enregistrements</translation>
  </message>
  <message>
   <location filename="geodp_qgis/styles/answers.py" />
   <source>Standard error</source>
   <translation>Erreur type</translation>
  </message>
  <message>
   <location filename="geodp_qgis/styles/answers.py" />
   <source>Standard deviation of the noise alone</source>
   <translation>Écart type du bruit seul</translation>
  </message>
  <message>
   <location filename="geodp_qgis/styles/answers.py" />
   <source>Lower end of the interval</source>
   <translation>Borne basse de l’intervalle</translation>
  </message>
  <message>
   <location filename="geodp_qgis/styles/answers.py" />
   <source>Upper end of the interval</source>
   <translation>Borne haute de l’intervalle</translation>
  </message>
  <message>
   <location filename="geodp_qgis/styles/answers.py" />
   <source>Share from cells that the border cuts</source>
   <translation>Part des cellules que coupe la limite</translation>
  </message>
  <message>
   <location filename="geodp_qgis/styles/answers.py" />
   <source>Share inside the release's extent</source>
   <translation>Part comprise dans l’emprise de la publication</translation>
  </message>
  <message>
   <location filename="geodp_qgis/styles/answers.py" />
   <source>Narrow interval beside the estimate</source>
   <translation>Intervalle étroit face à l’estimation</translation>
  </message>
  <message>
   <location filename="geodp_qgis/styles/answers.py" />
   <source>Estimated sum</source>
   <translation>Somme estimée</translation>
  </message>
  <message>
   <location filename="geodp_qgis/styles/answers.py" />
   <source>Estimated sum, at least</source>
   <translation>Somme estimée, au moins</translation>
  </message>
  <message>
   <location filename="geodp_qgis/styles/answers.py" />
   <source>Estimated sum, at most</source>
   <translation>Somme estimée, au plus</translation>
  </message>
  <message>
   <location filename="geodp_qgis/styles/answers.py" />
   <source>Estimated mean</source>
   <translation>Moyenne estimée</translation>
  </message>
  <message>
   <location filename="geodp_qgis/styles/answers.py" />
   <source>Estimated mean, at least</source>
   <translation>Moyenne estimée, au moins</translation>
  </message>
  <message>
   <location filename="geodp_qgis/styles/answers.py" />
   <source>Estimated mean, at most</source>
   <translation>Moyenne estimée, au plus</translation>
  </message>
  <message>
   <location filename="geodp_qgis/styles/answers.py" />
   <source>Records per km²</source>
   <translation>Enregistrements par km²</translation>
  </message>
  <message>
   <location filename="geodp_qgis/styles/answers.py" />
   <source>Records per km², at least</source>
   <translation>Enregistrements par km², au moins</translation>
  </message>
  <message>
   <location filename="geodp_qgis/styles/answers.py" />
   <source>Records per km², at most</source>
   <translation>Enregistrements par km², au plus</translation>
  </message>
  <message>
   <location filename="geodp_qgis/styles/answers.py" />
   <source>answers</source>
   <translation>réponses</translation>
  </message>
  <message>
   <location filename="geodp_qgis/styles/answers.py" />
   <source>over time</source>
   <translation>au fil du temps</translation>
  </message>
  <message>
   <location filename="geodp_qgis/styles/answers.py" />
   <source>Answers of a private histogram</source>
   <translation>Réponses d’un histogramme privé</translation>
  </message>
  <message>
   <location filename="geodp_qgis/styles/answers.py" />
   <source>Rate per {} of '{}'</source>
   <translation>Taux pour {} de « {} »</translation>
  </message>
  <message>
   <location filename="geodp_qgis/styles/answers.py" />
   <source>{} ({} to {})</source>
   <translation>{} ({} à {})</translation>
  </message>
  <message>
   <location filename="geodp_qgis/styles/answers.py" />
   <source>standard error</source>
   <translation>erreur type</translation>
  </message>
  <message>
   <location filename="geodp_qgis/styles/answers.py" />
   <source>uncertain: ±{} % or more</source>
   <translation>incertain : ±{} % ou plus</translation>
  </message>
  <message>
   <location filename="geodp_qgis/styles/answers.py" />
   <source>{}, at least</source>
   <translation>{}, au moins</translation>
  </message>
  <message>
   <location filename="geodp_qgis/styles/answers.py" />
   <source>{}, at most</source>
   <translation>{}, au plus</translation>
  </message>
  <message>
   <location filename="geodp_qgis/styles/counts.py" />
   <source>counts</source>
   <translation>comptages</translation>
  </message>
  <message>
   <location filename="geodp_qgis/styles/counts.py" />
   <source>NOT private</source>
   <translation>NON privé</translation>
  </message>
  <message>
   <location filename="geodp_qgis/styles/counts.py" />
   <source>Private counts, {}, {}, {}</source>
   <translation>Comptages privés, {}, {}, {}</translation>
  </message>
  <message>
   <location filename="geodp_qgis/styles/counts.py" />
   <source>Private density, {}, {}, {}</source>
   <translation>Densité privée, {}, {}, {}</translation>
  </message>
  <message>
   <location filename="geodp_qgis/styles/counts.py" />
   <source>Private counts clamped, {}, {}, {}</source>
   <translation>Comptages privés écrêtés, {}, {}, {}</translation>
  </message>
  <message>
   <location filename="geodp_qgis/styles/shades.py" />
   <source>{}, uncertain ones grey</source>
   <translation>{}, l’incertain en gris</translation>
  </message>
  <message>
   <location filename="geodp_qgis/styles/shades.py" />
   <source>{} as rates</source>
   <translation>{} en taux</translation>
  </message>
  <message>
   <location filename="geodp_qgis/vectors.py" />
   <source>A layer that geodp made is needed; this one cannot be opened.</source>
   <translation>Il faut une couche créée par geodp ; celle-ci ne peut pas être ouverte.</translation>
  </message>
  <message>
   <location filename="geodp_qgis/vectors.py" />
   <source>The release must be the file that geodp wrote, not a service or a copy in memory.</source>
   <translation>La publication doit être le fichier écrit par geodp, pas un service ni une copie en mémoire.</translation>
  </message>
  <message>
   <location filename="geodp_qgis/vectors.py" />
   <source>Copies that QGIS exports have lost them: copy the file itself.</source>
   <translation>Les copies que QGIS exporte les ont perdues : copiez le fichier lui-même.</translation>
  </message>
  <message>
   <location filename="geodp_qgis/vectors.py" />
   <source>The layer {} cannot be opened.</source>
   <translation>La couche {} ne peut pas être ouverte.</translation>
  </message>
  <message>
   <location filename="geodp_qgis/vectors.py" />
   <source>The output layer cannot be written: {}</source>
   <translation>La couche de sortie ne peut pas être écrite : {}</translation>
  </message>
  <message>
   <location filename="geodp_qgis/weights.py" />
   <source>The raster of weights cannot be opened.</source>
   <translation>Le raster de poids ne peut pas être ouvert.</translation>
  </message>
  <message>
   <location filename="geodp_qgis/weights.py" />
   <source>The raster of weights must be a file, not a service: save it as a GeoTIFF first.</source>
   <translation>Le raster de poids doit être un fichier, pas un service : enregistrez-le d’abord en GeoTIFF.</translation>
  </message>
  <message>
   <location filename="geodp_qgis/weights.py" />
   <source>The raster of weights needs a CRS; this layer has none: set it first.</source>
   <translation>Le raster de poids a besoin d’un SCR ; cette couche n’en a pas : définissez-le d’abord.</translation>
  </message>
  <message>
   <location filename="geodp_qgis/weights.py" />
   <source>The raster of weights cannot be read to its end.</source>
   <translation>Le raster de poids ne peut pas être lu jusqu’au bout.</translation>
  </message>
  <message>
   <location filename="geodp_qgis/weights.py" />
   <source>The raster of weights cannot be brought into the CRS of the grid: cut it to the extent first.</source>
   <translation>Le raster de poids ne peut pas être converti dans le SCR de la grille : découpez-le d’abord selon l’emprise.</translation>
  </message>
  <message>
   <location filename="geodp_qgis/weights.py" />
   <source>The raster of weights must have one band; this one has {}: save the one that is meant as a file of its own.</source>
   <translation>Le raster de poids doit avoir une seule bande ; celui-ci en a {} : enregistrez celle qu’il faut dans un fichier à part.</translation>
  </message>
  <message>
   <location filename="core/pipeline/mechanism.py" />
   <source>adding noise</source>
   <translation>ajout du bruit</translation>
  </message>
  <message>
   <location filename="core/pipeline/mechanism.py" />
   <source>looking closer where it pays</source>
   <translation>regard plus fin là où c’est utile</translation>
  </message>
  <message>
   <location filename="core/pipeline/mechanism.py" />
   <source>choosing the cells</source>
   <translation>choix des cellules</translation>
  </message>
  <message>
   <location filename="core/pipeline/mechanism.py" />
   <source>choosing the grid</source>
   <translation>choix de la grille</translation>
  </message>
  <message>
   <location filename="core/pipeline/pipeline.py" />
   <source>preparing</source>
   <translation>préparation</translation>
  </message>
  <message>
   <location filename="core/pipeline/pipeline.py" />
   <source>counting</source>
   <translation>comptage</translation>
  </message>
  <message>
   <location filename="core/pipeline/pipeline.py" />
   <source>recording the spend</source>
   <translation>inscription de la dépense</translation>
  </message>
 </context>
</TS>
