"""Show a release: metadata, reopening, bands, legends, styles, pictures, pages."""
