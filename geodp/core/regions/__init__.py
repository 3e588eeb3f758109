"""Compare polygons and boxes with cells: overlaps, shares of the support, points inside.

Everything here is public and is fixed before a point is read.
"""
