"""Machine code by numba: nothing outside `compiler` knows what is in here."""
