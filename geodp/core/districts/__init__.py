"""Check layers of polygons that share borders: which district holds a point, trees of districts.

Everything here is public and is fixed before a point is read.
"""
