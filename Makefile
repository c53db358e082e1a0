# Everything runs in .venv, made from the pinned versions in requirements*.txt.
# Another interpreter: make tree PYTHON=python3.13. Another game: make tree GAME=3x3k3-misere.

PYTHON ?= python3
GAME ?= tictactoe
BIN := .venv/bin
WORKERS = auto
# A worker that a hanging test ends is not replaced: the next one would begin with the same test.
PYTEST = --numprocesses $(WORKERS) --dist loadfile --no-loadscope-reorder --max-worker-restart 0
# The tests of a mark, of the files that have some: each worker loads all others in eight seconds.
MARKED = -m $(1) $$(grep -rlE --include='test_*.py' 'mark.$(1)$(2)' tests)
BENCHES = bench_tree bench_ais bench_laboratory bench_web bench_solve bench_search
INSTALL = bin/pip install --quiet --disable-pip-version-check --require-hashes
INSTALL_CHECKOUT = bin/pip install --quiet --disable-pip-version-check --no-deps --no-build-isolation -e .
COMPILE = uv pip compile pyproject.toml --universal --python-version 3.11 --generate-hashes \
	--no-annotate --no-header --quiet

.DEFAULT_GOAL := help
.PHONY: help tree data audit report verify check anchors quick test programtest attack sparktest lowest lint pagelint format bench shortbench bench-search outside large spark cluster boards names explore site docs screenshots readme dictionary solved lock hashes bom clean

help:  ## show what each target does
	@awk -F ':.*## ' '/^[a-z-]+:.*## / {printf "make %-12s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

tree: .venv/.runtime  ## build the full game tree of GAME (tictactoe), and print what there is
	@$(BIN)/marubatsu tree $(GAME)

data: .venv/.all  ## build every table of GAME, also those of AIs and searches
	@$(BIN)/marubatsu build $(GAME)

verify: .venv/.runtime  ## compare every built file with its manifest
	@$(BIN)/marubatsu verify

check: .venv/.runtime  ## derive the tables of GAME again in SQL
	@$(BIN)/marubatsu check $(GAME)

anchors: .venv/.all  ## compare every number known from elsewhere (solves large games: some minutes, 2 GB)
	@$(BIN)/marubatsu anchors --make 120

quick: .venv/.dev  ## a minute: style of changed files, doctests, laws on small games, each command
	@changed="$$(git diff --name-only --diff-filter=d HEAD -- '*.py'; \
		git ls-files --others --exclude-standard -- '*.py')"; \
		$(BIN)/ruff check $$changed && $(BIN)/ruff format --check $$changed
	@$(BIN)/python -m pytest $(PYTEST) --quiet $(call MARKED,quick)

test: .venv/.dev  ## run the tests but those of Spark and documents (6 minutes on 2 cores; they build their own data)
	@$(BIN)/python -m pytest $(PYTEST)

programtest: .venv/.dev  ## run the tests that use a browser, bubblewrap or a C compiler
	@$(BIN)/python -m pytest $(PYTEST) $(call MARKED,programs,|browser|visit)

sparktest: .venv/.dev .venv/.spark  ## run the tests that start Apache Spark (2 minutes; needs Java)
	@$(BIN)/python -m pytest $(call MARKED,spark)

attack: .venv/.dev  ## try every attack of tests/attacks, and count those that marubatsu withstands
	@MARUBATSU_ATTEMPTS=500 $(BIN)/python -m pytest $(PYTEST) --quiet -rP tests/attacks

lowest: .venv-lowest/.dev  ## run the quick tests with the oldest versions that the base install allows
	@MARUBATSU_SHARED= .venv-lowest/bin/python -m pytest $(PYTEST) --quiet $(call MARKED,quick)

lint: .venv/.dev  ## check style, types, which room imports which, and the code of the page
	@$(BIN)/ruff check
	@$(BIN)/ruff format --check
	@$(BIN)/mypy
	@$(BIN)/lint-imports --no-logo --no-cache
	@if command -v npm >/dev/null; then $(MAKE) --no-print-directory pagelint; \
		else echo "npm is missing: the code of the page is not checked by tsc and ESLint" >&2; fi

pagelint: tools/page/node_modules/.package-lock.json  ## check types and style of the page's code (needs npm)
	@tools/page/node_modules/.bin/tsc -p tools/page
	@tools/page/node_modules/.bin/eslint --config tools/page/eslint.config.js explorer
	@echo "The code of the page is well typed, and ESLint has no complaint."

format: .venv/.dev  ## format the code
	@$(BIN)/ruff format

audit: .venv/.all  ## print which AIs solve GAME strongly, and which weakly
	@$(BIN)/marubatsu build $(GAME) >&2
	@$(BIN)/marubatsu audit --game $(GAME)

report: .venv/.all  ## answer every shipped question about GAME, into reports/
	@$(BIN)/marubatsu build $(GAME) >&2
	@$(BIN)/marubatsu query --all reports --game $(GAME)

bench: .venv/.dev  ## measure builds, searches, matches, boards, the page and solving; assert answers
	@for bench in $(BENCHES); do $(BIN)/python -m tools.benchmarks.$$bench || exit 1; done

shortbench: .venv/.dev  ## the same with the fewest repetitions: asserts the answers, measures little
	@for bench in $(BENCHES); do $(BIN)/python -m tools.benchmarks.$$bench short || exit 1; done

bench-search: .venv/.dev  ## measure the search of 7x6; compare 30,000 values with solutions
	@$(BIN)/python -m tools.benchmarks.bench_search

outside: .venv/.dev  ## try what others wrote, installed apart: solvers, frameworks, readers of tables
	@MARUBATSU_OUTSIDE=2000 $(BIN)/python -m pytest --quiet -rs -o faulthandler_timeout=0 tests/*/test_outside_*.py \
	    tests/page/test_values.py

large: .venv/.dev  ## measure what takes minutes: 4x5k4 solved, 5x5k4-gravity checked in SQL
	@$(BIN)/python -m tools.benchmarks.bench_solve large

explore: .venv/.all  ## show the tables of GAME as a page, from a server on this machine
	@$(BIN)/marubatsu build $(GAME) >&2
	@$(BIN)/marubatsu explore --game $(GAME)

site: .venv/.all  ## write the page about GAME into site/, for the address URL if that is known
	@$(BIN)/marubatsu build $(GAME) >&2
	@$(BIN)/marubatsu site --out site --game $(GAME) $(if $(URL),--url $(URL))

spark: .venv/.spark  ## install Apache Spark into .venv (450 MB; Java comes from the system)

cluster: .venv/.dev .venv/.spark  ## solve a game on a Spark cluster of two workers on this machine
	@$(BIN)/python -m tools.benchmarks.spark_cluster

boards: .venv/.all  ## measure the boards, and write docs/boards.md and their part of docs/series.md
	@$(BIN)/python -m tools.generators.boards_page

docs: .venv/.dev  ## run what the documents show; write them and the API reference as a site
	@$(BIN)/python -m pytest $(PYTEST) --quiet $(call MARKED,documents) >&2
	@$(BIN)/marubatsu build >&2
	@$(BIN)/python -m tools.generators.notebooks >&2
	@rm -rf docs/modules
	@$(BIN)/python -m sphinx -q -W -j auto -b html -d docs/_build/doctrees docs docs/_build/html
	@echo "docs/_build/html/index.html"

screenshots: .venv/.dev  ## take the pictures of the page again (needs chromium)
	@$(BIN)/python -m tools.generators.screenshots

readme: .venv/.dev  ## run what README.md and docs/ show, and write the output into them
	@$(BIN)/python -m tools.generators.run_pages

dictionary: .venv/.runtime  ## write the schemas into data/README.md
	@$(BIN)/python -m tools.generators.dictionary

names: .venv/.runtime  ## write docs/series-names.md from docs/series_names.csv
	@$(BIN)/python -m tools.generators.series_names_page

solved: .venv/.all  ## write docs/solved.md from queries/reference/solved.csv
	@$(BIN)/python -m tools.generators.solved_page

hashes: .venv/.dev  ## build and solve small games, and publish the hashes of their content
	@$(BIN)/python -m tools.generators.content_hashes > queries/reference/content_hashes.csv

lock:  ## pin the newest allowed versions (needs uv and npm)
	@$(COMPILE) --upgrade --extra all --extra spark --group dev --output-file requirements-all.txt
	@$(COMPILE) --group build --constraints requirements-all.txt --output-file requirements.txt
	@$(COMPILE) --resolution lowest-direct --output-file requirements-lowest.txt
	@npm install --prefix tools/page --package-lock-only --silent

bom: .venv/.dev  ## write bom.json: the pinned packages, as a CycloneDX bill of materials
	@$(BIN)/python -W ignore::UserWarning -m cyclonedx_py requirements --output-reproducible \
		--pyproject pyproject.toml --mc-type library --output-file bom.json requirements-all.txt
	@echo bom.json

clean:  ## remove the environment, the caches and every built data set; saved AIs stay
	@rm -rf .venv .venv-lowest tools/page/node_modules .mypy_cache .pytest_cache .ruff_cache .hypothesis docs/_build docs/modules docs/notebooks/en docs/notebooks/ja bom.json
	@for manifest in data/*/manifest.json; do folder="$$(dirname "$$manifest")"; \
		[ ! -d "$$folder" ] || find "$$folder" -mindepth 1 -maxdepth 1 ! -name saved -exec rm -rf {} +; \
		[ ! -d "$$folder" ] || rmdir "$$folder" 2>/dev/null || true; done

.venv/.python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
		{ echo "marubatsu needs Python 3.11 or newer: make PYTHON=/path/to/python3.11 ..." >&2; exit 1; }
	@$(PYTHON) -m venv .venv
	@touch $@

# The environment is complete only when its stamp is there, so an interrupted install is repeated.
.venv/.runtime: .venv/.python requirements.txt pyproject.toml
	@echo "installing pinned dependencies into .venv" >&2
	@.venv/$(INSTALL) -r requirements.txt
	@.venv/$(INSTALL_CHECKOUT)
	@touch $@

# What `solve`, `explore` and plots need besides. Numba also makes builds of all tables fast.
.venv/.all: .venv/.runtime requirements-all.txt
	@echo "installing the libraries of all extras into .venv" >&2
	@.venv/$(INSTALL) --constraint requirements-all.txt 'marubatsu[all]'
	@touch $@

.venv/.dev: .venv/.all
	@echo "installing the tools of development into .venv" >&2
	@.venv/$(INSTALL) --no-compile --constraint requirements-all.txt --group dev
	@touch $@

# What checks the code of the page; npm compares each package with its hash.
tools/page/node_modules/.package-lock.json: tools/page/package-lock.json
	@echo "installing the checkers of the page into tools/page/node_modules" >&2
	@npm ci --prefix tools/page --silent
	@touch $@

.venv/.spark: .venv/.runtime requirements-all.txt
	@echo "installing Apache Spark into .venv" >&2
	@.venv/$(INSTALL) --constraint requirements-all.txt --no-build-isolation 'marubatsu[spark]'
	@touch $@

.venv-lowest/.dev: requirements.txt requirements-all.txt requirements-lowest.txt pyproject.toml
	@echo "installing the oldest versions into .venv-lowest" >&2
	@$(PYTHON) -m venv .venv-lowest
	@.venv-lowest/$(INSTALL) --no-compile -r requirements.txt
	@.venv-lowest/$(INSTALL_CHECKOUT)
	@.venv-lowest/$(INSTALL) --no-compile --constraint requirements-all.txt 'marubatsu[all]' --group test
	@.venv-lowest/$(INSTALL) --no-compile -r requirements-lowest.txt
	@touch $@
