"""Machine code in memory: whatever it is made of, it is loaded, and runs."""

from __future__ import annotations

import ctypes
import subprocess
import sys

import pytest

from perfectplay.compiler.emitting import Loaded, object_code, quick_code

CLEARS = """
declare ptr @memset(ptr, i32, i64)
define i64 @f(ptr %place, i64 %size) {
  %done = call ptr @memset(ptr %place, i32 0, i64 %size)
  ret i64 %size
}
"""
TABLE = "@table = internal constant [4 x i64] [i64 1, i64 2, i64 3, i64 4]\n"
READS = """
define i64 @g(i64 %at) {
  %place = getelementptr [4 x i64], ptr @table, i64 0, i64 %at
  %value = load i64, ptr %place
  ret i64 %value
}
"""


@pytest.mark.parametrize("text", [CLEARS, TABLE + CLEARS + READS], ids=["no data", "constants"])
@pytest.mark.parametrize("made", [object_code, quick_code], ids=["optimised", "quick"])
def test_code_that_calls_the_c_library_is_loaded_without_data_of_its_own(text, made):
    program = (  # in a process of its own, which a fault of the loader would end
        "import sys; from perfectplay.compiler.emitting import Loaded; "
        "Loaded(sys.stdin.buffer.read()); print('loaded')"
    )
    done = subprocess.run([sys.executable, "-c", program], input=made(text), capture_output=True)
    assert (done.returncode, done.stdout.strip(), done.stderr) == (0, b"loaded", b"")


def test_what_was_loaded_runs():
    loaded = Loaded(object_code(TABLE + CLEARS + READS))
    memory = (ctypes.c_ubyte * 16)(*range(1, 17))
    clear = ctypes.CFUNCTYPE(ctypes.c_int64, ctypes.c_void_p, ctypes.c_int64)(loaded.address("f"))
    assert clear(ctypes.addressof(memory), 15) == 15
    assert [*memory] == [0] * 15 + [16]
    read = ctypes.CFUNCTYPE(ctypes.c_int64, ctypes.c_int64)(loaded.address("g"))
    assert [read(at) for at in range(4)] == [1, 2, 3, 4]
