# Needs Python >= 3.11 and a C++ compiler, nothing else: each target makes and reuses .venv, a virtual environment.
# A stamp in .venv says what is installed; it is written last, so that what was cut short is begun again.

.NOTPARALLEL:
.SUFFIXES:
.DEFAULT_GOAL := help
.PHONY: help demo test test-all mutate coverage lint docs figures look bench rivals routing choice test-gpu clean

PYTHON =
INSTANCE =
ROOM =
TESTS =
ARGS =
AGAINST =
LOSS =
SAVE =

pip = .venv/bin/python -m pip --disable-pip-version-check
pythons = $(or $(PYTHON),python3 python3.13 python3.12 python3.11)
schema = .venv/bin/check-jsonschema --quiet --builtin-schema vendor.
forms = $(filter-out %/config.yml,$(wildcard .github/ISSUE_TEMPLATE/*.yml))
rooms = metaheur problems neighborhoods parallel tests examples

help:
	@echo 'make demo      solve an instance on this machine: make demo INSTANCE=tai30a.dat'
	@echo 'make test      run the tests'
	@echo 'make test-all  run those, too, that take long or need a cluster of processes'
	@echo 'make mutate    change code, and list the changes that no test notices: ROOM=metaheur/stop'
	@echo 'make coverage  run the tests, and list the lines of Python that none of them reaches'
	@echo 'make lint      check style, types and layout'
	@echo 'make docs      build the site: build/site/index.html'
	@echo 'make figures   render tables and pictures of README and docs from records'
	@echo 'make look      open each page of the site in a browser: does it fit, can it be read?'
	@echo 'make bench     run the benchmarks; AGAINST=build/bench/....json compares with an earlier run, LOSS=0.1;'
	@echo '               SAVE=yes renews the records of docs/results'
	@echo 'make rivals    compare with other packages, on one core, and render docs/rivals.md'
	@echo 'make routing   compare published routing instances with rivals: ARGS="data/*.vrp --jobs 8 --seconds 10"'
	@echo 'make choice    compare solve with single searches and rivals, on one core'
	@echo 'make test-gpu  run the tests that need a GPU, with the python3 and the packages of this machine'
	@echo 'make clean     remove .venv, builds and caches'
	@echo
	@echo 'test, test-all, coverage, bench and test-gpu hand ARGS on to pytest: make test ARGS="-k swap"'
	@echo 'Every target takes PYTHON=..., the Python to make .venv from (>= 3.11); after a change, make clean first.'

demo: .venv/.cupy
	@.venv/bin/python -m metaheur bench $(INSTANCE)

test: .venv/.test
	@.venv/bin/python -m pytest -n auto --dist worksteal -m 'not thorough' $(ARGS)

test-all: .venv/.all
	@.venv/bin/python -m pytest -n auto --dist worksteal $(ARGS)

# One place of the code is changed at a time: which changes does no test notice? All folders, or those of ROOM; with the
# tests of a folder, and TESTS beside them: make mutate ROOM=metaheur/stop TESTS=tests/door ARGS="--most 100 --seed 2"
mutate: .venv/.test
	@.venv/bin/python .ci/mutate.py $(ROOM) $(if $(TESTS),--tests $(TESTS)) $(ARGS)

# With the lines that processes of tests reach: see pyproject.toml.
coverage: .venv/.coverage
	@.venv/bin/python -m pytest -n auto --dist worksteal -m 'not thorough' \
	    --cov --cov-report=term-missing:skip-covered $(ARGS)

# The linters all run, so that one look shows everything; the target fails when one did.
lint: .venv/.lint
	@status=0; \
	.venv/bin/ruff check . || status=1; \
	.venv/bin/ruff format --check . || status=1; \
	.venv/bin/mypy --strict --explicit-package-bases metaheur tests examples .ci/gpu.py || status=1; \
	find $(rooms) -type f \( -name '*.cuh' -o -name '*.cpp' \) \
	    -exec .venv/bin/clang-format --dry-run --Werror {} + || status=1; \
	$(schema)github-workflows .github/workflows/*.yml || status=1; \
	$(schema)github-issue-config .github/ISSUE_TEMPLATE/config.yml || status=1; \
	$(schema)github-issue-forms $(forms) || status=1; \
	$(schema)citation-file-format CITATION.cff || status=1; \
	exit $$status

# Every warning is an error; nothing is fetched. What did not change since the last time is not read again. Three
# processes share six runs of pages, which two cores finish at about the same time.
# A build that was interrupted leaves no build/.site; then nothing of it is used again.
docs: .venv/.docs
	@[ -f build/.site ] || rm -rf build/site build/doctrees
	@rm -f build/.site
	@.venv/bin/python -m sphinx --nitpicky --fail-on-warning --quiet --jobs 3 \
	    --conf-dir docs --doctree-dir build/doctrees . build/site
	@touch build/.site
	@.venv/bin/python .ci/site.py build/site && echo 'build/site/index.html'

figures: .venv/.test
	@for script in building/figures building/outputs pictures/concepts pictures/program_cards pictures/walks pictures/draw_tours; do \
	    PYTHONPATH=. .venv/bin/python docs/$$script.py || exit 1; \
	done

# It needs Chromium, and writes pictures of some pages into build/pictures.
look: docs
	@.venv/bin/python .ci/look.py build/site build/pictures

# The options of pyproject.toml but for --benchmark-skip, which pytest-benchmark refuses beside --benchmark-only.
# It compares devices, so it wants CuPy where there is a GPU. It writes its rounds into build/bench; AGAINST=file, one of
# these, compares with it, and fails where a rate lost more than LOSS, by default a tenth. SAVE=yes renews the records of
# its tables in docs/records/measured, from which make figures renders pages.
bench: .venv/.test .venv/.cupy
	@METAHEUR_ROUNDS=build/bench METAHEUR_AGAINST='$(AGAINST)' METAHEUR_LOSS='$(LOSS)' METAHEUR_SAVE='$(SAVE)' .venv/bin/python -m pytest -o addopts='--import-mode=importlib --strict-config --strict-markers' \
	    --benchmark-only tests/benchmarks $(ARGS)

# Names of comparisons may follow: make rivals ARGS="filters"; --check only tries a line of each. The rivals have an environment of their own.
rivals: .venv/.rivals
	@.venv/rivals/bin/python -m tests.benchmarks.processor_clock tests.benchmarks.rivals $(ARGS)

# Files of routing instances, and options: make routing ARGS="data/*.vrp --seconds 10 --seeds 5 --jobs 16".
routing: .venv/.rivals
	@.venv/rivals/bin/python -m tests.benchmarks.routing $(ARGS)

# solve beside the best single search and rivals: make choice ARGS="--problems tours --seconds 1 5 --seeds 3 --save";
# --jobs, --pairs and --gpus for an idle machine of many cores and GPUs, --minutes and --answers for parts of the grid.
choice: .venv/.rivals
	@.venv/rivals/bin/python -m tests.benchmarks.choice $(ARGS)

# For a machine with a GPU that may have no network: no .venv; it takes python3 (or PYTHON=...) as it is, and asks
# for the packages of the extra `test` and for CuPy. Tests marked `cuda` would skip without a GPU: here that is an error.
# Then compute-sanitizer, where it is there, looks at every kernel.
test-gpu:
	@export PYTHONPATH=".$${PYTHONPATH:+:$$PYTHONPATH}"; python='$(or $(PYTHON),python3)'; \
	$$python .ci/gpu.py check && $$python -m pytest -m cuda -rs $(ARGS) || exit 1; \
	if ! command -v compute-sanitizer >/dev/null; then echo 'compute-sanitizer is not there: left out.'; exit; fi; \
	for tool in memcheck racecheck synccheck; do \
	    compute-sanitizer --tool $$tool --error-exitcode 1 --print-level warn $$python .ci/sanitize.py || exit 1; \
	done

clean:
	rm -rf .venv build dist *.egg-info .benchmarks .coverage .coverage.* .hypothesis .mypy_cache .pytest_cache .ruff_cache
	find $(rooms) -type d -name __pycache__ -prune -exec rm -rf {} +

.venv/.python:
	@$(find_python); \
	if $(has_pip); then echo "Using the virtual environment .venv as it is."; \
	else \
	    echo "Making the virtual environment .venv with $$python ..."; \
	    "$$python" -m venv --clear .venv >/dev/null 2>&1 && $(has_pip) || { \
	        "$$python" -m venv --clear --without-pip .venv && \
	        "$$python" -m pip --python .venv/bin/python install --quiet pip && $(has_pip); \
	    } || { \
	        rm -rf .venv; \
	        echo "$$python can make no virtual environment: it lacks the modules venv and ensurepip, or pip >= 22.3." >&2; \
	        echo "Maybe install them (on Debian and Ubuntu: apt install python3-venv), or name another: make PYTHON=..." >&2; \
	        exit 1; \
	    }; \
	fi
	@touch $@

.venv/.package: extras =
.venv/.test: extras = [bridges,test]
.venv/.all: extras = [bridges,cluster,test]
.venv/.coverage: extras = [bridges,coverage,test]
.venv/.lint: extras = [lint,test]
.venv/.docs: extras = [docs]

.venv/.package .venv/.test .venv/.all .venv/.coverage .venv/.lint .venv/.docs: .venv/.python pyproject.toml
	@echo 'Installing metaheur$(extras) into .venv ...'
	@$(pip) install --quiet --editable '.$(extras)' || { $(no_network); }
	@touch $@

.venv/.rivals: .venv/.python pyproject.toml
	@.venv/bin/python -m venv --clear .venv/rivals
	@.venv/rivals/bin/python -m pip --disable-pip-version-check install --quiet --editable '.[rivals]' || { $(no_network); }
	@touch $@

# CuPy where a driver starts and finds a GPU; without CuPy everything still runs, on the CPU. No stamp is left where
# there was no GPU or no CuPy, so that the next time looks again.
.venv/.cupy: .venv/.package
	@extra=$$(.venv/bin/python .ci/gpu.py extra); \
	if [ -n "$$extra" ]; then \
	    echo "Installing CuPy into .venv (extra $$extra, the one for this driver) ..."; \
	    if $(pip) install --quiet --editable ".[$$extra]"; then touch $@; \
	    else echo 'CuPy could not be installed: going on with the CPU.' >&2; fi; \
	fi

find_python = python=; \
	for candidate in $(pythons); do \
	    if "$$candidate" -c 'import sys; sys.exit(sys.version_info < (3, 11))' >/dev/null 2>&1; then \
	        python=$$candidate; break; \
	    fi; \
	done; \
	if [ -z "$$python" ]; then \
	    echo 'metaheur needs Python >= 3.11, and none was found; tried: $(pythons).' >&2; \
	    echo "Maybe install one, or name it: make PYTHON=/path/to/python3" >&2; \
	    exit 1; \
	fi

has_pip = .venv/bin/python -c 'import sys, pip; sys.exit(sys.version_info < (3, 11))' >/dev/null 2>&1

no_network = echo "pip could not install the packages named in pyproject.toml; its message is above." >&2; \
	echo "Maybe the package index cannot be reached from here." >&2; \
	exit 1
