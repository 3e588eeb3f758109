"""Hold the privacy boundary: true counts go in, noisy numbers come out."""
