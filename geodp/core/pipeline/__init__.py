"""Make a release: kinds of cells as people ask for them, their mechanisms, guards, all steps."""
