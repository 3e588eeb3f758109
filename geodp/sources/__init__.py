"""What the points are: files, databases, clusters."""
