"""`python -m tools`, and what the console command `rulespec` runs."""

import sys
from typing import NoReturn

from rulespec.system import gc_pause

from .cli import main as command_line


def main() -> NoReturn:
    """Run the command line and leave with its exit code."""
    gc_pause.of_one_command = True
    sys.exit(command_line())


if __name__ == "__main__":
    main()
