"""Turn published numbers into estimates: partitions, least squares, answers, error bars."""
