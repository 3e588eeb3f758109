# `make demo` and `make test` need Python (3.10 or newer) and make, and set up the rest themselves.

PYTHON  ?= python3
BIN     := .venv/bin
OLDEST  := .venv-oldest
CORE    := .venv-core
PIP_ARGS := --quiet --disable-pip-version-check
# Two workers suit small machines; `make unit PYTEST_ARGS="-k grid"` runs a selection.
PYTEST_ARGS ?= -n 2

# The QGIS tests use the Python that QGIS was built for, in an environment that sees its modules.
QGIS_VENV := .venv-qgis
QGIS_PYTHON := /usr/bin/python3
QGIS_PACKAGES := qgis xvfb xauth python3-venv
QGIS_PYTEST_ARGS ?= -q
# A newer QGIS is that of this Debian release, in a folder of its own: 3.44; trixie alone has 3.40.
QGIS_NEW := trixie-backports
QGIS_NEW_FOLDER := .cache/qgis-$(QGIS_NEW)
HAVE_QGIS = command -v xvfb-run >/dev/null && command -v qgis_process.bin >/dev/null && \
	$(QGIS_PYTHON) -c 'import qgis.core, ensurepip' 2>/dev/null

# Of each dependency the oldest version that pyproject.toml allows and that has a wheel for the Python
# at hand; what those need in turn is as new as they bear.
OLDEST_PIP = UV_PYTHON_DOWNLOADS=never $(BIN)/uv pip install --quiet --python $(1) --only-binary :all:
OLDEST_EXTRAS := plots opendp dask postgis duckdb xarray
OLDEST_TESTS ?= tests/sources tests/outputs tests/cli tests/test_recorded.py

.DEFAULT_GOAL := help
.DELETE_ON_ERROR:
.PHONY: help setup demo test lint types unit slow test-oldest plugin test-qgis test-qgis-new qgis-new-if-asked benchmarks dist docs audit clean gdalinfo postgis compiler browser

help:  ## list the targets
	@grep -E '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | awk -F ':.*## ' '{printf "  make %-13s %s\n", $$1, $$2}'

setup: $(BIN)/.installed-dev  ## install geodp with everything that development needs into .venv

demo: $(BIN)/.installed-plots  ## a first release from the sample data, with a map and a report
	$(BIN)/geodp demo

test: lint types unit slow test-oldest test-qgis qgis-new-if-asked  ## everything that must pass: style, types, tests, oldest versions, QGIS

lint: $(BIN)/.installed-dev  ## ruff: rules and layout
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

types: $(BIN)/.installed-dev  ## mypy, strict, over the package and the study
	$(BIN)/mypy

unit: $(BIN)/.installed-dev gdalinfo compiler  ## the everyday tests and the package's examples (under two minutes)
	$(BIN)/pytest -m "not slow" $(PYTEST_ARGS)

slow: $(BIN)/.installed-dev postgis compiler browser  ## tests that start clusters and databases, kill processes, fill memory
	$(BIN)/pytest -m slow $(PYTEST_ARGS)

# The tests start a PostGIS of their own. Where it can be installed it is; where not, the tests
# say loudly that they left it out, and fail with CI=true.
postgis:
	@if ! ls /usr/share/postgresql/*/extension/postgis.control >/dev/null 2>&1 && \
		[ "$$(id -u)" = 0 ] && command -v apt-get >/dev/null; then \
		echo "Installing PostgreSQL with PostGIS for the tests (once) ..."; \
		apt-get update -qq && DEBIAN_FRONTEND=noninteractive \
		apt-get install -y -qq --no-install-recommends postgresql postgresql-postgis >/dev/null || \
		echo "PostGIS could not be installed: its tests will be left out."; fi

# The page of a release is tried in a real browser, where one can be installed.
browser:
	@command -v chromium >/dev/null && command -v chromedriver >/dev/null || { [ "$$(id -u)" = 0 ] && \
		command -v apt-get >/dev/null && echo "Installing Chromium for the tests (once) ..." && \
		apt-get update -qq && DEBIAN_FRONTEND=noninteractive \
		apt-get install -y -qq --no-install-recommends chromium chromium-driver >/dev/null; } || \
		echo "Chromium is missing: install chromium and chromium-driver to run every test."

# Power cuts of the ledger are rebuilt from its system calls, which a small library in C records.
compiler:
	@command -v cc >/dev/null || { [ "$$(id -u)" = 0 ] && command -v apt-get >/dev/null && \
		apt-get update -qq && apt-get install -y -qq --no-install-recommends gcc libc6-dev >/dev/null; } || \
		echo "A C compiler is missing: install the package gcc to run every test."

# Versions as old as pyproject.toml allows. Old libraries warn about each other, hence no errors by
# warnings; the longest random tests are left out. And the core must run where there is NumPy and
# nothing else, as in a stock QGIS: in an environment without geopandas an import that strays fails.
# There the wheel is installed, and the tests are those of the sdist, so that both are seen to be
# whole. The usual pytest options ask for plugins and for doctests of the whole package, hence the
# empty addopts.
test-oldest: $(CORE)/.installed $(OLDEST)/.installed  ## the oldest versions that pyproject.toml allows; the core with NumPy alone
	@$(call versions,$(CORE),The core alone,numpy)
	rm -rf $(CORE)/dist
	$(BIN)/python -m build --no-isolation --outdir $(CORE)/dist . >/dev/null
	$(call OLDEST_PIP,$(CORE)) --no-deps --reinstall $(CORE)/dist/geodp-*.whl
	tar -xzf $(CORE)/dist/geodp-*.tar.gz -C $(CORE)/dist
	cd $(CORE)/dist/geodp-*/ && GEODP_FEWER_EXAMPLES=10 $(abspath $(CORE))/bin/pytest tests/core \
		-o addopts= -o pythonpath=tests --import-mode=importlib -p no:cacheprovider
	@$(call versions,$(OLDEST),The library,numpy|geopandas|pandas|shapely|pyproj|pyogrio|pyarrow|rasterio|click|rich)
	GEODP_FEWER_EXAMPLES=10 PYTHONPATH=. $(OLDEST)/bin/python -m pytest -m "not slow" $(PYTEST_ARGS) \
		-o filterwarnings=default -p no:cacheprovider -k "not test_any_" $(OLDEST_TESTS)

versions = echo "=== $(2), with" $$($(BIN)/uv pip freeze --quiet --python $(1) | grep -E '^($(3))==') "==="

plugin:  ## the QGIS plugin as a zip in dist/
	$(PYTHON) qgis_plugin/build.py dist

# QGIS runs in the system's own Python. Where QGIS is missing and cannot be installed, the tests are
# left out with a loud word; continuous integration (CI=true) insists on them.
test-qgis: $(BIN)/.installed-dev  ## the plugin in a real QGIS, on the command line and on a virtual screen
	@if ! ($(HAVE_QGIS)) && [ "$$(id -u)" = 0 ] && command -v apt-get >/dev/null; then \
		echo "Installing QGIS (once; some minutes and 2 GB) ..."; \
		apt-get update -qq && DEBIAN_FRONTEND=noninteractive \
		apt-get install -y -qq --no-install-recommends $(QGIS_PACKAGES) >/dev/null; fi
	@if $(HAVE_QGIS); then \
		[ -e $(QGIS_VENV)/.installed ] || { $(QGIS_PYTHON) -m venv --system-site-packages $(QGIS_VENV) && \
		$(QGIS_VENV)/bin/python -m pip install $(PIP_ARGS) 'pytest>=8.2' && \
		{ $(QGIS_VENV)/bin/python -m pip install $(PIP_ARGS) --target $(QGIS_VENV)/qt6 PyQt6 || true; } && \
		touch $(QGIS_VENV)/.installed; } && echo "=== The plugin in QGIS ===" && \
		GEODP_PYTHON=$(abspath $(BIN))/python GEODP_QT6=$(abspath $(QGIS_VENV))/qt6 \
		QT_QPA_PLATFORM=offscreen \
		$(QGIS_VENV)/bin/python -m pytest -c tests/qgis/pytest.ini tests/qgis $(QGIS_PYTEST_ARGS); \
	else \
		echo "*********************************************************************"; \
		echo "*** The QGIS tests did NOT run: QGIS or xvfb-run is missing here. ***"; \
		echo "*** On Debian: apt-get install $(QGIS_PACKAGES)"; \
		echo "*********************************************************************"; \
		[ "$$CI" != true ]; fi

# In a folder with another Debian, in a namespace of its own: tests/qgis/newer.sh. Needs root.
test-qgis-new:  ## the same in a newer QGIS, in a chroot (root; ten minutes and 4 GB the first time)
	@if [ "$$(id -u)" != 0 ] || ! command -v apt-get >/dev/null; then \
		echo "A newer QGIS is installed by debootstrap, as root on Debian: not here."; exit 1; fi
	@command -v debootstrap >/dev/null || { apt-get update -qq && \
		apt-get install -y -qq --no-install-recommends debootstrap >/dev/null; }
	@tests/qgis/newer.sh test $(QGIS_NEW_FOLDER) $(QGIS_NEW) tests/qgis $(QGIS_PYTEST_ARGS)

qgis-new-if-asked:
	@if [ "$$GEODP_QGIS_NEW" = true ]; then $(MAKE) test-qgis-new; else \
		echo "*********************************************************************"; \
		echo "*** A newer QGIS was NOT tried: 'make test-qgis-new' does it.     ***"; \
		echo "*********************************************************************"; fi

benchmarks: $(BIN)/.installed-dev  ## speed and accuracy against peers, as ratios
	@for name in accuracy coverage forecast layers scale speed within; do PYTHONPATH=. $(BIN)/python benchmarks/$$name.py || exit 1; done

dist: $(BIN)/.installed-dev  ## wheel and sdist in dist/, checked
	rm -f dist/geodp-*.whl dist/geodp-*.tar.gz
	$(BIN)/python -m build --no-isolation --outdir dist .
	$(BIN)/python -m twine check --strict dist/geodp-*

docs: $(BIN)/.installed-dev  ## the documentation as a site in dist/site; needs no network
	$(BIN)/python -m sphinx -W --keep-going -q -b html docs dist/site
	@echo "Open dist/site/index.html in a browser."

audit: $(BIN)/.installed-dev  ## attack everything at length: releases, ledgers, files (some ten minutes)
	-$(BIN)/python -m pip install $(PIP_ARGS) -e '.[fuzz]'  # where it installs
	$(BIN)/python tests/campaign.py

clean:  ## remove the environments, caches and built files
	@for folder in .cache/qgis-*; do [ ! -d "$$folder" ] || tests/qgis/newer.sh clean "$$folder" || exit 1; done
	rm -rf --one-file-system .cache
	rm -rf .venv $(OLDEST) $(CORE) $(QGIS_VENV) dist .mypy_cache .ruff_cache .pytest_cache .hypothesis geodp-demo
	find . -name __pycache__ -type d -prune -exec rm -rf {} +

# The tests reopen rasters with gdalinfo, which no Python package brings. Where it cannot be
# installed, that one test is skipped, or fails if CI is set.
gdalinfo:
	@command -v gdalinfo >/dev/null || { [ "$$(id -u)" = 0 ] && command -v apt-get >/dev/null && \
		apt-get update -qq && apt-get install -y -qq --no-install-recommends gdal-bin; } || \
		echo "gdalinfo is missing: install the package gdal-bin to run every test."

# --- set-up: each stamp is made once, and again when pyproject.toml changes ---------------------

$(BIN)/.installed-plots: pyproject.toml | $(BIN)/pip
	@echo "Installing geodp and what it needs into .venv (once; a few minutes) ..."
	$(BIN)/python -m pip install $(PIP_ARGS) -e '.[plots]'
	@touch $@

$(BIN)/.installed-dev: pyproject.toml | $(BIN)/pip
	@echo "Installing geodp and its development tools into .venv (once; a few minutes) ..."
	$(BIN)/python -m pip install $(PIP_ARGS) -e '.[dev]'
	@touch $@ $(BIN)/.installed-plots

$(CORE)/.installed: pyproject.toml | $(BIN)/.installed-dev
	$(BIN)/uv venv --quiet --clear --python $(BIN)/python $(CORE)
	$(call OLDEST_PIP,$(CORE)) --resolution lowest-direct "$$(grep -o 'numpy>=[0-9.]*' pyproject.toml)"
	$(call OLDEST_PIP,$(CORE)) pytest hypothesis
	@touch $@

$(OLDEST)/.installed: pyproject.toml | $(BIN)/.installed-dev
	@echo "Installing the oldest versions that geodp allows into $(OLDEST) (once) ..."
	$(BIN)/uv venv --quiet --clear --python $(BIN)/python $(OLDEST)
	$(call OLDEST_PIP,$(OLDEST)) --resolution lowest-direct -r pyproject.toml $(OLDEST_EXTRAS:%=--extra %)
	$(call OLDEST_PIP,$(OLDEST)) pytest pytest-xdist hypothesis exactextract fast-histogram rio-cogeo
	@touch $@

# Debian keeps the part of venv that brings pip (ensurepip) in a package of its own.
$(BIN)/pip:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 10))' || \
		{ echo "geodp needs Python 3.10 or newer: install it, or name it with 'make PYTHON=...'."; exit 1; }
	@if ! $(PYTHON) -c 'import ensurepip' 2>/dev/null && \
		[ "$$(id -u)" = 0 ] && command -v apt-get >/dev/null; then \
		apt-get update -qq && apt-get install -y -qq python3-venv; fi
	@$(PYTHON) -c 'import ensurepip' 2>/dev/null || \
		{ echo "Python's venv module is incomplete: install the package python3-venv and try again."; exit 1; }
	$(PYTHON) -m venv .venv
