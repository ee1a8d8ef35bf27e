# The developer's manual in short: every gate is a target, and `make test` runs them all.

PYTHON ?= python3
VENV   := .venv
PY     := $(VENV)/bin/python

# One environment in two steps: `demo` needs only the first (what a user installs), the gates need both.
# Each step runs again only when one of its inputs is newer than its stamp.
RUNTIME := $(VENV)/.runtime-stamp
DEV     := $(VENV)/.dev-stamp
PIP     := $(PY) -m pip --disable-pip-version-check install -qq -c constraints.txt

# Coverage marks: these rooms in full, lines and branches; the whole above a floor that only rises.
FULL_ROOMS := note formats store guards govern
FLOOR      := 85

comma := ,
empty :=
space := $(empty) $(empty)
FULL  := $(subst $(space),$(comma),$(FULL_ROOMS:%=*/tacit/%/*))

.DEFAULT_GOAL := help
.PHONY: help demo test lint types arch deps unit format crash fuzz bench eval e2e firstuse site sbom team cursor vscode clean

help: ## show this list
	@awk -F ':.*## ' '/^[a-z0-9]+:.*## / { printf "  make %-8s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

demo: $(RUNTIME) ## see Tacit at work in a throw-away folder
	@$(PY) -m demo

test: lint types arch deps unit ## all gates: what must pass before a change lands
	@echo "── all gates passed"

lint: $(DEV) ## ruff: rules and format
	@echo "── lint"
	@$(PY) -m ruff check -q .
	@$(PY) -m ruff format -q --check . || { echo "Not formatted: run 'make format'." >&2; exit 1; }

types: $(DEV) ## mypy, strict
	@echo "── types"
	@$(PY) -m mypy --no-error-summary

arch: $(DEV) ## import-linter: which room may know which
	@echo "── arch"
	@$(VENV)/bin/lint-imports --no-logo

deps: $(DEV) ## deptry: what is imported is declared, and the reverse
	@echo "── deps"
	@$(PY) -m deptry src

unit: $(DEV) ## pytest with the coverage marks
	@echo "── unit"
	@PYTHONWARNDEFAULTENCODING=1 $(PY) -m pytest -q -n 2 --inline-snapshot=disable --cov --cov-report=
	@echo "── coverage: $(FULL_ROOMS) in full"
	@$(PY) -m coverage report --include='$(FULL)' --fail-under=100
	@echo "── coverage: everything, at least $(FLOOR) %"
	@$(PY) -m coverage report --fail-under=$(FLOOR)

format: $(DEV) ## let ruff format and fix what it safely can
	@$(PY) -m ruff check -q --fix-only .
	@$(PY) -m ruff format -q .

crash: $(DEV) ## kill Tacit at every disk step and write down what survived
	@$(PY) -m tests.crash.campaign --json benchmarks/results/crash.json

fuzz: $(DEV) ## try every reader of foreign bytes with made-up input for an hour
	@$(PY) -m tests.fuzz.campaign --json benchmarks/results/fuzz.json

bench: $(DEV) ## measure speed, size and growth, and Tacit beside others; an hour; CACHE=folder keeps what is fetched
	@$(PY) -m benchmarks.run $(if $(CACHE),--cache $(CACHE))
	@$(PY) scripts/make_comparison.py

eval: $(DEV) ## measure quality, fail if a figure became worse; DATA=folder adds public sets, KEEP=1 takes them as they are
	@$(PY) -m evals.run $(if $(DATA),--data $(DATA)) $(if $(KEEP),--keep) --results evals/results

e2e: $(DEV) ## seven real hosts against a scripted model; needs root and npm, CACHE=folder keeps the clients
	@$(PY) -m tests.e2e.hosts $(HOSTS) $(if $(CACHE),--cache $(CACHE)) $(if $(HOSTS),,--docs docs/hosts)
	@$(if $(HOSTS),,$(PY) -m tests.e2e.wired --docs docs/hosts)

cursor: $(DEV) ## the runtime of Cursor's SDK runs the hooks and starts the server; needs root and a package index
	@$(PY) -m tests.e2e.cursor $(if $(CACHE),--cache $(CACHE)) --docs docs/hosts

vscode: $(DEV) ## VS Code's workbench with the server, and its picture; needs root, npm and Chromium
	@$(PY) -m tests.e2e.vscode $(if $(CACHE),--cache $(CACHE)) --docs docs/hosts

firstuse: $(DEV) ## be a new user: install with pipx and uv into an empty home, follow the README; needs a package index
	@$(PY) scripts/first_use.py

site: $(DEV) ## make the documents a website in build/site, in both languages
	@$(PY) scripts/make_site.py

sbom: $(DEV) ## write the bill of materials to dist/
	@$(PY) scripts/make_sbom.py

team: $(DEV) ## load and faults against the team server: kills, a full disk, a replica; takes half an hour
	@$(PY) -m tests.team.campaign --json benchmarks/results/team-faults.json

clean: ## remove the environment, caches and builds
	@rm -rf $(VENV) build dist .coverage .coverage.* htmlcov .hypothesis .import_linter_cache \
	  .mypy_cache .pytest_cache .ruff_cache
	@find src tests -name __pycache__ -type d -prune -exec rm -rf {} +

$(RUNTIME): pyproject.toml constraints.txt
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { \
	  echo "Tacit needs Python 3.11 or newer, and '$(PYTHON)' is not. Try: make PYTHON=python3.12 ..." >&2; exit 1; }
	@echo "── environment: $(VENV)"
	@$(PYTHON) -m venv --clear $(VENV)
	@$(PIP) -e .
	@touch $@

$(DEV): $(RUNTIME)
	@echo "── environment: developer tools"
	@$(PIP) -e '.[dev]'
	@touch $@
