"""Write a release: rasters, vector cells, maps, reports."""
