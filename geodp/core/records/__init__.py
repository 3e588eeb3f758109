"""Read records one row at a time: ids, groups, bounds on what a person adds, sources.

What is here is private. A record may change its own row and nothing else.
"""
