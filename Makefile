# `make demo` and `make test` need Python (3.10 or newer) and make, and set up the rest themselves:
# libraries in .venv, and what no Python package brings on the system, where this is Debian and root.
# `SYSTEM_DEPS=no` leaves the system alone.

PYTHON  ?= python3
BIN     := .venv/bin
OLDEST  := .venv-oldest
CORE    := .venv-core
PIP_ARGS := --quiet --disable-pip-version-check
# Two workers suit small machines; `make unit PYTEST_ARGS="-k grid"` runs a selection.
PYTEST_ARGS ?= -n 2
# The tests start Python some hundred times: compiled modules are worth keeping, whatever a container says.
unexport PYTHONDONTWRITEBYTECODE

# Packages of the system for the tests: gdalinfo reopens rasters, cc compiles the recorder of power cuts,
# PostGIS is a source of points, Chromium looks at the page of a release, and the plugin needs QGIS.
SYSTEM_DEPS ?= yes
MISSING = { command -v gdalinfo >/dev/null || echo gdal-bin; \
	command -v cc >/dev/null || echo gcc libc6-dev; \
	ls /usr/share/postgresql/*/extension/postgis.control >/dev/null 2>&1 || echo postgresql postgresql-postgis; \
	command -v chromium >/dev/null && command -v chromedriver >/dev/null || echo chromium chromium-driver; \
	{ $(HAVE_QGIS); } || echo $(QGIS_PACKAGES); }
MAY_INSTALL = [ "$(SYSTEM_DEPS)" != no ] && [ "$$(id -u)" = 0 ] && command -v apt-get >/dev/null
INSTALL = DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends

# The QGIS tests use the Python that QGIS was built for, in an environment that sees its modules.
QGIS_VENV := .venv-qgis
QGIS_PYTHON := /usr/bin/python3
QGIS_PACKAGES := qgis xvfb xauth python3-venv
QGIS_PYTEST_ARGS ?= -q
# A QGIS for each of two workers, with a profile of its own.
QGIS_WORKERS ?= -n 2 --dist loadfile
# A newer QGIS is that of this Debian release, in a folder of its own: 3.44; trixie alone has 3.40.
QGIS_NEW := trixie-backports
QGIS_NEW_FOLDER := .cache/qgis-$(QGIS_NEW)
HAVE_QGIS = command -v xvfb-run >/dev/null && command -v qgis_process.bin >/dev/null && \
	$(QGIS_PYTHON) -c 'import qgis.core, ensurepip' 2>/dev/null

# uv resolves several times as fast as pip; where it reaches no index that pip knows, pip does it.
UV_PIP = UV_PYTHON_DOWNLOADS=never $(BIN)/uv pip install --quiet --python $(1)

# Of each dependency the oldest version that pyproject.toml allows and that has a wheel for the Python
# at hand; what those need in turn is as new as they bear.
OLDEST_PIP = $(call UV_PIP,$(1)) --only-binary :all:
OLDEST_EXTRAS := plots opendp dask postgis duckdb xarray h3
OLDEST_TESTS ?= tests/sources tests/outputs tests/cli tests/test_recorded.py

.DEFAULT_GOAL := help
.DELETE_ON_ERROR:
.NOTPARALLEL:
.PHONY: help setup demo test system-deps lint types unit slow test-oldest test-pythons plugin test-qgis test-qgis-new qgis-new-if-asked benchmarks dist docs audit mutations clean

help:  ## list the targets
	@grep -E '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | awk -F ':.*## ' '{printf "  make %-13s %s\n", $$1, $$2}'

setup: $(BIN)/.installed-dev  ## install geodp with everything that development needs into .venv

demo: $(BIN)/.installed-plots  ## a first release from the sample data, with a map and a report
	$(BIN)/geodp demo

test: system-deps lint types unit slow test-oldest test-qgis qgis-new-if-asked  ## everything that must pass: style, types, tests, oldest versions, QGIS

# What cannot be installed is left out by the tests with a loud word, or fails them with CI=true.
system-deps:  ## install what the tests need of the system and is missing (Debian, as root; SYSTEM_DEPS=no: nothing)
	@missing=$$(echo $$($(MISSING))); \
	if [ -z "$$missing" ]; then echo "Nothing is missing on the system."; \
	elif $(MAY_INSTALL); then \
		echo "Installing with apt-get (once; QGIS takes some minutes and 2 GB): $$missing"; apt-get update -qq; \
		$(MISSING) | while read -r packages; do $(INSTALL) $$packages </dev/null >/dev/null || \
			echo "*** Could not be installed: $$packages ***"; done; \
	else echo "*** Not installed, and not to be installed by this make: $$missing ***"; fi

lint: $(BIN)/.installed-dev  ## ruff: rules and layout
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

types: $(BIN)/.installed-dev  ## mypy, strict, over the package and the study
	$(BIN)/mypy

# Nothing is installed on the system. Properties are tried with a tenth of their examples: tests/profiles.py.
# What is listed as taking seconds in the end is slow by the rule of pyproject.toml.
unit: SYSTEM_DEPS := no
unit: $(BIN)/.installed-dev  ## the everyday tests and the package's examples (a minute or two)
	@missing=$$(echo $$($(MISSING))); [ -z "$$missing" ] || \
		echo "*** Missing here: $$missing. What needs it is left out; 'make system-deps' installs it. ***"
	$(BIN)/pytest -m "not slow" --hypothesis-profile=everyday --durations=5 --durations-min=2 $(PYTEST_ARGS)
	@echo "*** Left out: slow tests, nine of ten examples of properties, oldest versions, QGIS: 'make test'. ***"

slow: $(BIN)/.installed-dev  ## tests that take seconds, start servers, kill processes; properties at full length
	$(BIN)/pytest -m "slow or hypothesis" $(PYTEST_ARGS)

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
	cd $(CORE)/dist/geodp-*/ && $(abspath $(CORE))/bin/pytest tests/core --hypothesis-profile=everyday $(PYTEST_ARGS) \
		-o addopts= -o pythonpath=tests --import-mode=importlib -p no:cacheprovider
	@$(call versions,$(OLDEST),The library,numpy|geopandas|pandas|shapely|pyproj|pyogrio|pyarrow|rasterio|click|rich)
	PYTHONPATH=. $(OLDEST)/bin/python -m pytest -m "not slow" --hypothesis-profile=everyday $(PYTEST_ARGS) \
		-o filterwarnings=default -p no:cacheprovider -k "not test_any_" $(OLDEST_TESTS)

# Each Python that pyproject.toml claims, where it is installed: on the PATH or by pyenv.
test-pythons: $(BIN)/.installed-dev  ## the everyday tests with every Python that is claimed; the core with 3.9
	@UV_PYTHON_DOWNLOADS=never tests/pythons.sh $(abspath $(BIN))/uv 3.9 3.10 3.11 3.12 3.13

versions = echo "=== $(2), with" $$($(BIN)/uv pip freeze --quiet --python $(1) | grep -E '^($(3))==') "==="

plugin:  ## the QGIS plugin as a zip in dist/
	$(PYTHON) qgis_plugin/build.py dist

# QGIS runs in the system's own Python, and `make system-deps` installs it. Where it is missing, the tests
# are left out with a loud word; continuous integration (CI=true) insists on them.
test-qgis: $(BIN)/.installed-dev  ## the plugin in a real QGIS, on the command line and on a virtual screen
	@if $(HAVE_QGIS); then \
		[ -e $(QGIS_VENV)/.ready ] || { $(QGIS_PYTHON) -m venv --system-site-packages $(QGIS_VENV) && \
		$(QGIS_VENV)/bin/python -m pip install $(PIP_ARGS) 'pytest>=8.2' pytest-xdist && \
		{ $(QGIS_VENV)/bin/python -m pip install $(PIP_ARGS) --target $(QGIS_VENV)/qt6 PyQt6 || true; } && \
		touch $(QGIS_VENV)/.ready; } && echo "=== The plugin in QGIS ===" && \
		GEODP_PYTHON=$(abspath $(BIN))/python GEODP_QT6=$(abspath $(QGIS_VENV))/qt6 \
		QT_QPA_PLATFORM=offscreen \
		$(QGIS_VENV)/bin/python -m pytest -c tests/qgis/pytest.ini tests/qgis $(QGIS_WORKERS) $(QGIS_PYTEST_ARGS); \
	else \
		echo "*********************************************************************"; \
		echo "*** The QGIS tests did NOT run: QGIS or xvfb-run is missing here. ***"; \
		echo "*** On Debian: make system-deps"; \
		echo "*********************************************************************"; \
		[ "$$CI" != true ]; fi

# In a folder with another Debian, in a namespace of its own: tests/qgis/newer.sh. Needs root.
test-qgis-new:  ## the same in a newer QGIS, in a chroot (root; ten minutes and 4 GB the first time)
	@if [ "$$(id -u)" != 0 ] || ! command -v apt-get >/dev/null; then \
		echo "A newer QGIS is installed by debootstrap, as root on Debian: not here."; exit 1; fi
	@command -v debootstrap >/dev/null || { $(MAY_INSTALL) && \
		echo "Installing with apt-get: debootstrap" && apt-get update -qq && $(INSTALL) debootstrap >/dev/null; }
	@tests/qgis/newer.sh test $(QGIS_NEW_FOLDER) $(QGIS_NEW) tests/qgis $(QGIS_PYTEST_ARGS)

qgis-new-if-asked:
	@if [ "$$GEODP_QGIS_NEW" = true ]; then $(MAKE) test-qgis-new; else \
		echo "*********************************************************************"; \
		echo "*** A newer QGIS was NOT tried: 'make test-qgis-new' does it.     ***"; \
		echo "*********************************************************************"; fi

benchmarks: $(BIN)/.installed-dev  ## speed and accuracy against peers, as ratios
	@for name in accuracy amounts costs coverage districts forecast groups scale speed within; do PYTHONPATH=. $(BIN)/python benchmarks/$$name.py || exit 1; done

dist: $(BIN)/.installed-dev  ## wheel and sdist in dist/, checked
	rm -f dist/geodp-*.whl dist/geodp-*.tar.gz
	$(BIN)/python -m build --no-isolation --outdir dist .
	$(BIN)/python -m twine check --strict dist/geodp-*

docs: $(BIN)/.installed-dev  ## the documentation as a site in dist/site; needs no network
	$(BIN)/python -m sphinx -W --keep-going -q -b html docs dist/site
	@echo "Open dist/site/index.html in a browser."

audit: $(BIN)/.installed-dev  ## attack everything at length: releases, ledgers, files (a quarter of an hour)
	-$(BIN)/python -m pip install $(PIP_ARGS) -e '.[fuzz]'  # where it installs
	$(BIN)/python tests/campaign.py

mutations: $(BIN)/.installed-dev  ## change single lines that privacy rests on: do the tests notice? (half an hour)
	$(BIN)/python tests/mutations.py

clean:  ## remove the environments, caches and built files
	@for folder in .cache/qgis-*; do [ ! -d "$$folder" ] || tests/qgis/newer.sh clean "$$folder" || exit 1; done
	rm -rf --one-file-system .cache
	rm -rf .venv .venv-python* $(OLDEST) $(CORE) $(QGIS_VENV) dist .mypy_cache .ruff_cache .pytest_cache .hypothesis geodp-demo
	find . -name __pycache__ -type d -prune -exec rm -rf {} +

# --- set-up: each stamp is made once, and again when pyproject.toml changes ---------------------

$(BIN)/.installed-plots: pyproject.toml | $(BIN)/pip
	@echo "Installing geodp and what it needs into .venv (once; a few minutes) ..."
	$(BIN)/python -m pip install $(PIP_ARGS) -e '.[plots]'
	@touch $@

$(BIN)/.installed-dev: pyproject.toml | $(BIN)/pip
	@echo "Installing geodp and its development tools into .venv (once; a few minutes) ..."
	$(BIN)/python -m pip install $(PIP_ARGS) uv
	$(call UV_PIP,.venv) -e '.[dev]' || $(BIN)/python -m pip install $(PIP_ARGS) -e '.[dev]'
	@touch $@ $(BIN)/.installed-plots

$(CORE)/.installed: pyproject.toml | $(BIN)/.installed-dev
	$(BIN)/uv venv --quiet --clear --python $(BIN)/python $(CORE)
	$(call OLDEST_PIP,$(CORE)) --resolution lowest-direct "$$(grep -o 'numpy>=[0-9.]*' pyproject.toml)"
	$(call OLDEST_PIP,$(CORE)) pytest pytest-xdist hypothesis
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
	@if ! $(PYTHON) -c 'import ensurepip' 2>/dev/null && $(MAY_INSTALL); then \
		echo "Installing with apt-get: python3-venv"; apt-get update -qq; $(INSTALL) python3-venv >/dev/null; fi
	@$(PYTHON) -c 'import ensurepip' 2>/dev/null || \
		{ echo "Python's venv module is incomplete: install the package python3-venv and try again."; exit 1; }
	$(PYTHON) -m venv .venv
