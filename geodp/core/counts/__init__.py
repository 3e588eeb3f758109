"""Count records: plans (public) and tallies (private).

A tally holds true counts. Only the kernel may read them.
"""
