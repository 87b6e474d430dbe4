"""The rules of tabletop games as data: read from YAML, checked, and played.

`load` gives a checked game by a path or an id, or raises `RulespecError` with every fault; `check` gives both what could be
made and all that was found; `list_games` tells what is shipped. `Game` sets a checked game up for some players, and `State` is a
position of it; all that `interpreter` offers is offered here too, under one name in a checkout and where a wheel is installed.

Public are these names, and the environments in `rulespec.envs`; other modules below this one are its own, and change without notice.
`__init__.pyi` says what is offered and where it is defined, to type checkers and to this module. The checker and the interpreter
take a while to import: what only asks for the version or for help should not wait for them.
"""

from rulespec.system.offers import names as __dir__  # noqa: F401
from rulespec.system.offers import offered
from rulespec.system.version import __version__ as __version__

__getattr__ = offered
