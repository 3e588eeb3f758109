"""Describe kinds of cells: where a point is, outlines, overlaps with regions, how to remake them.

Everything here is public. A new kind of cells is one class in this room.
"""
