"""Which version this is, and since when it runs. The build reads the number from here."""

import time

__version__ = "0.1.0"
IMPORTED = time.time()  # a file of this package that was changed later may not be what runs
