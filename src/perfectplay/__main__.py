"""python -m perfectplay."""

import sys

from perfectplay.cli import main

if __name__ == "__main__":
    sys.exit(main())
