"""Describe public space: domains, supports, grids, trees of cells, areas on the ground.

Everything here is public and is fixed before a point is read.
"""
