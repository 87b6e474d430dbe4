"""The console command `rulespec`, which is also `python -m rulespec`.

The command line is the package `tools` of a checkout. A wheel carries it as `rulespec._tools`, so
that no top-level package called `tools` lands among other people's. Only this module knows of both
places: it is the one module of the language that reaches up to the command line.
"""

import sys
from importlib import import_module
from pathlib import Path


def main() -> None:
    """Run the command line, from the wheel or from the checkout this file belongs to."""
    package = Path(__file__).resolve().parent
    if (package / "_tools").is_dir():
        command_line = "rulespec._tools"
    else:
        # In front, so that another project's `tools` cannot be taken for ours.
        sys.path.insert(0, str(package.parent))
        command_line = "tools"
    import_module(f"{command_line}.__main__").main()


if __name__ == "__main__":
    main()
