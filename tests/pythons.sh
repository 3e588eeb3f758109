#!/bin/sh
# The everyday tests with each Python that pyproject.toml claims, and those of the core with Python 3.9,
# which QGIS 3.22 may run on: NumPy alone, straight from the sources.
#
#   tests/pythons.sh UV VERSION ...
#
# UV is the program uv. A Python is looked for on the PATH and among those of pyenv; nothing is downloaded
# but wheels. A version that is not there is named at the end, and fails the run with CI=true.
set -u

uv=$1
shift
missing='' failed=''

python_of() {
    for program in "$(command -v "python$1")" "$HOME/.pyenv/versions/$1".*/bin/python; do
        if "$program" -c pass 2>/dev/null; then echo "$program"; return; fi
    done
    return 1
}

try() {
    version=$1 folder=./.venv-python$1
    set -- --quiet --python "$folder" --only-binary :all:
    [ -e "$folder/.installed" ] || "$uv" venv --quiet --clear --python "$python" "$folder" || return 1
    if [ "$version" = 3.9 ]; then
        "$uv" pip install "$@" numpy pytest hypothesis && touch "$folder/.installed" || return 1
        PYTHONPATH=. "$folder/bin/python" -m pytest tests/core -q -m 'not slow' -p no:cacheprovider \
            -o addopts= -o pythonpath=tests --import-mode=importlib --hypothesis-profile=everyday
    else
        for extra in plots opendp dask postgis duckdb xarray h3; do set -- "$@" --extra $extra; done
        "$uv" pip install "$@" -r pyproject.toml \
            pytest pytest-xdist hypothesis exactextract fast-histogram rio-cogeo scipy &&
            touch "$folder/.installed" || return 1
        PYTHONPATH=. "$folder/bin/python" -m pytest geodp tests/core tests/sources tests/outputs tests/cli tests/test_recorded.py \
            -q -n 2 -m 'not slow' -p no:cacheprovider --hypothesis-profile=everyday
    fi
}

for version; do
    if python=$(python_of "$version"); then
        echo "=== Python $version: $("$python" --version) ==="
        try "$version" || failed="$failed $version"
    else
        missing="$missing $version"
    fi
done
[ -z "$missing" ] || echo "*** NOT TESTED, since they are not installed: Python$missing ***"
[ -z "$failed" ] || echo "*** FAILED: Python$failed ***"
[ -z "$failed" ] && { [ -z "$missing" ] || [ "${CI:-}" != true ]; }
