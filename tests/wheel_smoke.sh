#!/usr/bin/env bash
# Builds the wheel, installs it into an environment of its own and uses it from a folder that is
# not the checkout, beside another package that owns the name `interpreter`: lists the games, lints each
# of them, plays one with nobody at the keyboard.
#
#   make wheel-smoke          or    PYTHON=.venv/bin/python tests/wheel_smoke.sh
#
# PYTHON needs `build` and `hatchling`, as the dev extra has them.
set -euo pipefail

root="$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)"
cd "$root"
python="${PYTHON:-python3}"
scratch="$(mktemp -d)"
trap 'rm -rf "$scratch"' EXIT

echo "== build"
"$python" -m build --wheel --no-isolation --outdir "$scratch/dist" . >"$scratch/build.log" 2>&1 ||
    { cat "$scratch/build.log" >&2; exit 1; }
wheel=("$scratch"/dist/*.whl)
echo "${wheel[0]##*/}"

echo "== install"
"$python" -m venv "$scratch/venv"
"$scratch/venv/bin/python" -m pip --disable-pip-version-check install -qq "${wheel[0]}"

echo "== another package called interpreter"
site="$("$scratch/venv/bin/python" -c 'import sysconfig; print(sysconfig.get_path("purelib"))')"
[ ! -e "$site/interpreter" ] || { echo "the wheel installs a top-level interpreter" >&2; exit 1; }
mkdir "$site/interpreter"
echo 'OWNER = "somebody else"' >"$site/interpreter/__init__.py"

unset PYTHONPATH
export RULESPEC_CACHE="$scratch/cache"
mkdir "$scratch/elsewhere"
cd "$scratch/elsewhere"
rulespec="$scratch/venv/bin/rulespec"

echo "== imports"
"$scratch/venv/bin/python" - "$root" <<'PYTHON'
import importlib.util
import sys
from pathlib import Path

import interpreter
import rulespec
from rulespec.interpreter.bots import RandomBot
from rulespec.system.resources import games_dir, schemas_dir

root = Path(sys.argv[1])
for place in (Path(rulespec.__file__), Path(rulespec.interpreter.__file__), games_dir(), schemas_dir()):
    assert place.exists(), f"{place} is missing"
    assert not place.is_relative_to(root), f"{place} is in the checkout"
assert interpreter.OWNER == "somebody else" and rulespec.interpreter is not interpreter
state = rulespec.Game(rulespec.load("tic_tac_toe"), players=2).new_state(seed=7)
while not state.is_terminal():
    state.apply_action(state.legal_actions()[0])
assert sum(state.returns()) == 0 and isinstance(state, rulespec.State)
for name in ("tools", "games", "schemas", "tests"):
    assert importlib.util.find_spec(name) is None, f"the wheel installs a top-level {name}"
PYTHON

echo "== rulespec list"
"$rulespec" list

for file in "$root"/games/*/game.yaml; do
    game="$(basename "$(dirname "$file")")"
    echo "== rulespec lint --no-variants $game"
    "$rulespec" lint --no-variants "$game"
done

echo "== rulespec play tic_tac_toe"
"$rulespec" play tic_tac_toe </dev/null

echo "== native play"
if "${CC:-cc}" --version >/dev/null 2>&1 && [[ "${wheel[0]}" != *-none-any.whl ]]; then
    "$rulespec" build tic_tac_toe
    "$rulespec" play tic_tac_toe --backend native </dev/null
else
    echo "not here: there is no C compiler, or there were no headers of Python"
fi

echo "== python -m rulespec list"
"$scratch/venv/bin/python" -m rulespec list >/dev/null

echo "wheel-smoke: all good"
