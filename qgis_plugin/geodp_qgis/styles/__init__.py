"""How results look when QGIS adds them to the map."""
