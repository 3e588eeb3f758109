"""Turn a release into what the eye sees: pixels, classes, best guesses, smooth maps, dots.

Views are drawn from published numbers, and change none of them.
"""
