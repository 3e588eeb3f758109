"""Put a release together: the pipeline, releases and their groups, differences, forecasts."""
