"""The paper's evaluation, and the comparison with what else a user could pick.

Nothing here is needed to make a release, so it lies beside the package, in a checkout only. In the
order of the data::

    datasets      points to study, and what stands in for what
    case          a dataset counted once: all that repetitions need
    method        one way to answer boxes under ε; geodp's own tuners
    baselines     the paper's mechanism as printed, and its rivals that are *not* private
    adaptive      AG, a two-level grid          privtree    PrivTree, a noisy quadtree
    hb            HB, a hierarchy of grids      dawa        DAWA, runs along a Hilbert curve
    tree          geodp's adaptive release
    peers         these and plain histograms, as methods
    metrics       relative errors and their spread
    runner        tasks to rows of a CSV file, on all cores, resumable
    experiments   the five experiments          figures     their pictures

``python -m study NAME`` (:mod:`study.commands`) runs them.

The paper is Fanaeepour and Rubinstein, "End-to-End Differentially-Private Parameter Tuning in
Spatial Histograms" (2017). Noise in here comes from NumPy's generator with a seed, which is
right for a study and wrong for a release.
"""
