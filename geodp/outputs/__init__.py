"""What a release is written to: rasters, vector cells, maps, reports."""
