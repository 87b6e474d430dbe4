"""`python -m tools`, and what the console command `rulespec` runs."""

import gc
import sys
from typing import NoReturn

from .cli import main as command_line

# New objects between two searches for cycles.  What a game is read into lives as long as the process: looking through it again
# after every 700 new objects takes a quarter of the time of `lint`.
NEW_OBJECTS = 100_000


def main() -> NoReturn:
    """Run the command line and leave with its exit code."""
    gc.set_threshold(NEW_OBJECTS)
    sys.exit(command_line())


if __name__ == "__main__":
    main()
