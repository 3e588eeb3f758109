"""Say what files of a release hold: columns, bands, metadata, styles; and read them again."""
