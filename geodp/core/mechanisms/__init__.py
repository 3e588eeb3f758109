"""Decide what to ask the kernel: tuners and scores, growth of trees."""
