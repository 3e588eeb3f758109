"""Draw pictures and pages: words, marks, sheets, SVG, the report."""
