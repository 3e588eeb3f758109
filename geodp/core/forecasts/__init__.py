"""Foresee errors of a release before anything is spent."""
