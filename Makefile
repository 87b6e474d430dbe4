# make play    play a game; the first run prepares .venv
# make test    ruff, mypy --strict and the test suite
#
# Both need Python 3.11 or newer and make, nothing else. `make help` lists the rest.

# A game that everybody knows, against a bot that looks ahead. Another game starts with the players and the bots that it proposes.
GAME ?= connect_four
BOT := $(if $(filter connect_four,$(GAME)),--bot search:500)
PLAYERS ?=
PLAY_ARGS ?= $(BOT)
SERVE_ARGS ?= --open $(BOT)
PYTEST_ARGS ?= -n 2 --dist worksteal
BENCH_ARGS ?=
MUTATION_ARGS ?=
NATIVE_ARGS ?=
INVENTED ?= 20
SAMENESS_ARGS ?=
TORTURE_ARGS ?= hobbit_card_game
LOAD_ARGS ?=
SITE_ARGS ?=
LAB_TESTS ?=
ENVS_GAMES ?=
BROWSER_ALL ?=
FUZZ_ARGS ?=
FUZZ_SECONDS ?= 60
EQUALITY_GAMES ?= 10000
# Tests that try all of their subject only there, a sample of it otherwise.
EQUALITY_TESTS := \
	tests/interpreter/test_backends.py tests/interpreter/test_invented.py tests/native/test_native_games.py tests/games/test_chess.py tests/games/test_othello.py tests/games/test_family.py tests/language/test_types.py tests/language/test_variants.py tests/games/test_games.py \
	tests/lint/test_flow_oracle.py tests/lint/test_leaks_in_play.py tests/lint/test_newcomer.py tests/ir/test_passes.py tests/interpreter/test_cache.py::test_a_cached_game_is_the_game \
	tests/commands/test_cli_play.py::test_any_game_can_be_played_by_anybody

# The interpreter that makes .venv: `make test PYTHON=/opt/python/bin/python3` chooses one.
PYTHON ?=
CANDIDATES := python3 python3.14 python3.13 python3.12 python3.11 python
VENV := .venv
PY := $(VENV)/bin/python
PIP := $(PY) -m pip --disable-pip-version-check

.DEFAULT_GOAL := help
.PHONY: help play family serve test lint long-test equality native-check editor vscode studio playground generate new-rule new-verb new-function new-code hooks browser-test lab-test bench mutation code-mutation fuzz sameness torture load envs-test pictures docs wheel wheel-smoke clean

help:
	@echo 'make play         play $(GAME)   (GAME=... PLAYERS=... PLAY_ARGS=...)'
	@echo 'make serve        play $(GAME) in a browser   (GAME=... PLAYERS=... SERVE_ARGS=...)'
	@echo 'make test         ruff, mypy and the tests   (PYTEST_ARGS=...)'
	@echo 'make lint         ruff and mypy only'
	@echo 'make long-test    the tests that `make test` leaves out because each takes seconds'
	@echo 'make equality     $(EQUALITY_GAMES) random games of each game end alike on all back ends (on the reference machine as many as make a million decisions); moves of chess and Othello counted deep; all that the tests only sample   (EQUALITY_GAMES=...)'
	@echo 'make native-check  build the C of games, and of invented ones, with sanitizers, and play   (NATIVE_ARGS=... INVENTED=...)'
	@echo 'make editor       ask yaml-language-server what an editor would (needs npm)'
	@echo 'make studio       bundle the libraries of the editor of `rulespec studio` (needs npm)'
	@echo 'make playground   make dist/playground, the studio as a static folder (needs npm)'
	@echo 'make vscode       build dist/*.vsix, the extension for Visual Studio Code, and look at what is in it (needs npm)'
	@echo 'make generate     write the schemas and reference pages again'
	@echo 'make new-rule     begin a lint rule: its module, its code, a game that shows it   (NAME=...)'
	@echo 'make new-verb     begin a verb: its code, a game that plays it, a game of its mistakes   (NAME=... FILE=state)'
	@echo 'make new-function  begin a function of the language   (NAME=... FILE=numbers)'
	@echo 'make new-code     begin the entry of an error: the next code of a file of rulespec/codes/   (FILE=...)'
	@echo 'make hooks        let git check each commit: format, lint, types, generated files'
	@echo 'make browser-test  play in a real browser, look at it with axe-core, take the pictures of the docs (needs chromium and npm; BROWSER_ALL=1 for every game in every way; BROWSER_ARGS=...)'
	@echo 'make lab-test     the tests of studies with a Dask cluster on this machine, whose workers are killed'
	@echo 'make bench        measure speed beside other libraries, write docs/reports/benchmarks.*   (BENCH_ARGS=...)'
	@echo 'make mutation     break the games in small ways, count what lint and cases catch, write docs/reports/mutation.*'
	@echo 'make code-mutation  change the Python code in small ways, count what the tests notice, write docs/reports/code_mutation.*'
	@echo 'make sameness     play the same games over hash seeds, back ends, Pythons and processes, and compare   (SAMENESS_ARGS=...)'
	@echo 'make torture      kill writers of saves, fill their disk, lock their folder, let two write   (TORTURE_ARGS=...)'
	@echo 'make envs-test    every game in OpenSpiel, PettingZoo and Gymnasium, and 300 iterations of CFR (takes half an hour; ENVS_GAMES=... for some)'
	@echo 'make pictures     draw the tables in a terminal that the docs show'
	@echo 'make docs         make the site in dist/site: the handbook with search, and the rulebooks of all games   (SITE_ARGS=...)'
	@echo 'make family       play the families of chess, draughts and whist in step with other libraries and write docs/family.md   (FAMILY_ARGS=english)'
	@echo 'make load         measure a server of tables: delays, sizes, many tables, clients that do harm   (LOAD_ARGS=...)'
	@echo 'make fuzz         look for texts that a reader does not answer   (FUZZ_SECONDS=60 for each reader; FUZZ_ARGS=--keep makes tests of what it reached)'
	@echo 'make wheel        build dist/*.whl'
	@echo 'make wheel-smoke  install that wheel elsewhere and play from it'
	@echo 'make clean        remove .venv and everything that was built'

play: $(VENV)/.web-ready
	@$(PY) -m rulespec play $(GAME) $(if $(PLAYERS),--players $(PLAYERS)) $(PLAY_ARGS)

serve: $(VENV)/.web-ready
	@$(PY) -m rulespec serve $(GAME) $(if $(PLAYERS),--players $(PLAYERS)) $(SERVE_ARGS)

test: lint
	@$(PY) -m pytest $(PYTEST_ARGS)

lint: $(VENV)/.dev-ready
	@$(PY) -m ruff check
	@$(PY) -m ruff format --check --quiet
	@$(PY) -m mypy --strict

equality: $(VENV)/.dev-ready
	@EQUALITY_GAMES=$(EQUALITY_GAMES) $(PY) -m pytest -m '' -n 2 --dist worksteal $(EQUALITY_TESTS)

# What each takes seconds: the large games where a small one is tried by `make test`, hostile games that take their time.
long-test: $(VENV)/.dev-ready
	@$(PY) -m pytest -m long -n 2 --dist worksteal

native-check: $(VENV)/.dev-ready
	@$(PY) -m tools.dev.native_check $(NATIVE_ARGS)
	@$(PY) -m tests.helpers.invented $(VENV)/invented $(INVENTED)
	@$(PY) -m tools.dev.native_check --playouts 200 --walks 20 $(VENV)/invented/*.yaml

# The language server is a program of its own: it goes into a folder below .venv, for the tests of editors only.
editor: $(VENV)/.dev-ready
	@npm install --silent --no-audit --no-fund --prefix $(VENV)/editor yaml-language-server@1.25.0
	@RULESPEC_YAML_SERVER=$(CURDIR)/$(VENV)/editor/node_modules/.bin/yaml-language-server $(PY) -m pytest tests/project/test_editor.py

# npm works in a folder below .venv, and runs no script of a package.
vscode: $(VENV)/.dev-ready
	@rm -rf $(VENV)/vscode && cp -R tools/dev/editors/vscode $(VENV)/vscode && cp LICENSE $(VENV)/vscode
	@cd $(VENV)/vscode && npm ci --silent --ignore-scripts --no-audit --no-fund && npm test --silent
	@version=$$($(PY) -c 'from rulespec.system.version import __version__ as it; print(it)') && mkdir -p dist && cd $(VENV)/vscode && \
		npm version --silent --no-git-tag-version --allow-same-version "$$version" >/dev/null && \
		npm run --silent package -- --out "$(CURDIR)/dist/rulespec-$$version.vsix" >/dev/null && cd $(CURDIR) && \
		RULESPEC_VSIX="dist/rulespec-$$version.vsix" $(PY) -m pytest -q tests/lint/test_vscode.py

# The browser is the system's: chromium of Debian, or any that is named. Its driver and axe-core are there for these tests only.
BROWSER ?= $(shell command -v chromium || command -v chromium-browser || command -v google-chrome)
BROWSER_ARGS ?= -n 2 --dist worksteal

browser-test: $(VENV)/.dev-ready
	@test -n '$(BROWSER)' || { echo 'There is no chromium: `apt install chromium`, or `make browser-test BROWSER=/path/of/it`'; exit 2; }
	@$(PIP) install --quiet --editable '.[dev,browser]'
	@npm install --silent --no-audit --no-fund --prefix $(VENV)/browser axe-core@4.14.1
	@BROWSER_ALL='$(BROWSER_ALL)' RULESPEC_BROWSER='$(BROWSER)' RULESPEC_AXE=$(CURDIR)/$(VENV)/browser/node_modules/axe-core/axe.min.js $(PY) -m pytest tests/browser $(BROWSER_ARGS)

lab-test: $(VENV)/.dev-ready
	@$(PIP) install --quiet --editable '.[dev,lab,mutation]'
	@$(PY) -m pytest tests/research/test_lab.py tests/lab $(LAB_TESTS)

# The libraries of the studio's editor in one file, which is kept: npm works in a folder below .venv, and runs no script of a package.
studio: $(VENV)/.dev-ready
	@$(PY) -m tools.dev.studio

# Python in WebAssembly comes from npm, packages from PyPI, both by their digests.
playground: $(VENV)/.dev-ready
	@$(PY) -m tools.dev.playground $(PLAYGROUND_ARGS)

generate: $(VENV)/.dev-ready
	@$(PY) -m tools.dev.generate

new-rule: $(VENV)/.dev-ready
	@$(PY) -m tools.dev.new_rule $(NAME)

new-verb: $(VENV)/.dev-ready
	@$(PY) -m tools.dev.new_part verb "$(NAME)" $(FILE)

new-function: $(VENV)/.dev-ready
	@$(PY) -m tools.dev.new_part function "$(NAME)" $(FILE)

new-code: $(VENV)/.dev-ready
	@$(PY) -m tools.dev.new_part code $(FILE)

hooks: $(VENV)/.dev-ready
	@$(PY) -m pre_commit install

# The other libraries go into folders of their own below .venv, where only the benchmark sees them.
bench: $(VENV)/.ready
	@$(PY) -m tools.dev.bench --install $(BENCH_ARGS)

# The judge is installed only here.
family: $(VENV)/.dev-ready
	@$(PIP) install --quiet --only-binary open_spiel --editable '.[dev,family,openspiel]'
	@$(PY) -m tools.dev.family $(FAMILY_ARGS)

mutation: $(VENV)/.dev-ready
	@$(PY) -m tools.dev.mutation $(MUTATION_ARGS)

code-mutation: $(VENV)/.dev-ready
	@$(PIP) install --quiet --editable '.[dev,mutation]'
	@PYTHONHASHSEED=0 nice $(PY) -m tools.dev.code_mutation $(MUTATION_ARGS)

# Other Pythons of this machine get what they need in folders of their own below .venv.
sameness: $(VENV)/.ready
	@$(PY) -m tools.dev.sameness $(SAMENESS_ARGS)

torture: $(VENV)/.ready
	@$(PY) -m tools.dev.torture $(TORTURE_ARGS)

# What `make test` tries on a few games, on all of them; or on those that ENVS_GAMES names.
envs-test: $(VENV)/.dev-ready
	@$(PIP) install --quiet --editable '.[dev,openspiel,envs]'
	@$(if $(ENVS_GAMES),ENVS_GAMES='$(ENVS_GAMES)',ENVS_ALL=1) $(PY) -m pytest -n 2 tests/research/test_envs.py tests/research/test_openspiel.py $(if $(ENVS_GAMES),,tests/research/test_learning.py)

# Of the terminal; those of browsers are taken by `make browser-test`.
pictures: $(VENV)/.dev-ready
	@$(PY) -m tools.terminal.pictures

# The handbook with search, and the rulebooks of all games, in dist/site; a dead link is an error.
docs: $(VENV)/.dev-ready
	@$(PIP) install --quiet --editable '.[dev,site]'
	@$(PY) -m tools.dev.site $(SITE_ARGS)

load: $(VENV)/.web-ready
	@$(PY) -m tools.dev.load $(LOAD_ARGS)

# atheris is not there for every system, so it is installed only here.
fuzz: $(VENV)/.dev-ready
	@$(PIP) install --quiet --editable '.[fuzz]'
	@FUZZ_SECONDS=$(FUZZ_SECONDS) $(PY) -m tests.helpers.fuzz $(FUZZ_ARGS)

wheel: $(VENV)/.dev-ready
	@$(PY) -m build --wheel --no-isolation --outdir dist

wheel-smoke: $(VENV)/.dev-ready
	@PYTHON=$(PY) tests/wheel_smoke.sh

clean:
	rm -rf $(VENV) dist build .pytest_cache .mypy_cache .ruff_cache .hypothesis interpreter/native/*.so
	find rulespec interpreter tools tests games -name __pycache__ -type d -prune -exec rm -rf {} +

# One environment, made once and again whenever pyproject.toml changes, or the extension module that an editable install builds. The
# stamps tell how far it is: .ready has what games need, .web-ready what a table in a browser needs as well, .dev-ready the tools of development.

EXTENSION := $(wildcard interpreter/native/*.c interpreter/native/*.h)

$(VENV)/.ready: pyproject.toml $(EXTENSION)
	$(make-venv)
	$(call install,.)
	@touch $@

$(VENV)/.web-ready: pyproject.toml $(EXTENSION)
	$(make-venv)
	$(call install,.[web])
	@touch $(VENV)/.ready $@

# OpenSpiel is compiled in minutes where it has no wheel (Alpine, Macs with Intel): there its tests are left out.
$(VENV)/.dev-ready: pyproject.toml $(EXTENSION)
	$(make-venv)
	$(call install,.[dev])
	@$(PIP) install -qq --only-binary open_spiel --editable '.[openspiel]' 2>/dev/null || \
		echo 'OpenSpiel has no wheel for this machine: the tests that compare with it are left out.'
	@touch $(VENV)/.ready $(VENV)/.web-ready $@

define make-venv
@new_enough() { \
	"$$1" -c 'import sys; sys.exit(sys.version_info < (3, 11))' >/dev/null 2>&1; \
}; \
if new_enough $(PY) && $(PIP) --version >/dev/null 2>&1; then exit 0; fi; \
python=; \
for candidate in $(or $(PYTHON),$(CANDIDATES)); do \
	if new_enough "$$candidate"; then python="$$candidate"; break; fi; \
done; \
if [ -z "$$python" ]; then \
	echo 'Rulespec needs Python 3.11 or newer. Tried: $(or $(PYTHON),$(CANDIDATES)).' >&2; \
	echo 'Install one, or name it: make $(MAKECMDGOALS) PYTHON=/path/to/python3' >&2; \
	exit 1; \
fi; \
echo "Making $(VENV) with $$("$$python" --version) ..."; \
rm -rf $(VENV); \
if ! problem=$$("$$python" -m venv $(VENV) 2>&1); then \
	rm -rf $(VENV); \
	echo "$$python cannot make a virtual environment:" >&2; \
	echo "$$problem" >&2; \
	echo 'Its venv or ensurepip module may be packaged apart; on Debian and Ubuntu:' >&2; \
	echo '    sudo apt install python3-venv' >&2; \
	exit 1; \
fi
endef

define install
@echo 'Installing into $(VENV) ...'
@$(PIP) install -qq --editable '$(1)' || { \
	echo 'pip could not install what Rulespec needs (see above); it needs a package index in reach.' >&2; \
	exit 1; \
}
endef
