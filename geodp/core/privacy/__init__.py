"""Keep count of ε and draw exact noise.

Budgets are exact fractions; accounts and ledgers remember what was spent; `noise` and
`noise_tables` are the only sources of randomness. What is protected is said by `unit` and
`protection`.
"""
