"""What all tests share."""

import os

os.environ.setdefault("PERFECTPLAY_FAULTS", "raise")  # an error of the compiler itself fails the test
