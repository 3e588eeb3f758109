"""Share what every room needs: errors, array types, sums, compact text, whole files.

Nothing here knows about space or privacy.
"""
