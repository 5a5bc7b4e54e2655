"""Ctrl-C ends the program even where Python cannot notice it."""

import signal
import subprocess
import sys

import pytest

MACHINE_CODE = """
import numba
from exchequer.cli import interrupts

@numba.njit(nogil=True)
def spin(x):
    while x > 0:
        x += 2
        if x > 1 << 40:
            x = 1
    return x

interrupts.GRACE = 0.2
interrupts.always_interruptible()
assert spin(-1) == -1
while True:
    try:
        print("spinning", flush=True)
        spin(1)
    except KeyboardInterrupt:  # it came before the machine code
        pass
"""
IN_THREADS = MACHINE_CODE.replace("import numba\n", """\
import numba
from concurrent.futures.thread import ThreadPoolExecutor  # an interrupt of an import may be lost
""", 1).replace("        spin(1)", """\
        with ThreadPoolExecutor(1) as pool:
            list(pool.map(spin, [1]))""")
POLITE = MACHINE_CODE.partition("while True:\n    try:")[0] + """
try:
    print("spinning", flush=True)
    while True:
        pass
except KeyboardInterrupt:
    print("saved", flush=True)
"""


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has another Ctrl-C")
@pytest.mark.parametrize("program", [MACHINE_CODE, IN_THREADS], ids=["main thread", "threads"])
def test_machine_code_that_never_ends(program):
    with subprocess.Popen([sys.executable, "-c", program], stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE, text=True) as process:
        assert process.stdout.readline() == "spinning\n"
        process.send_signal(signal.SIGINT)
        _, said = process.communicate(timeout=60)
    assert process.returncode == 130
    assert "exchequer: interrupted" in said and "EXCHEQUER_PYTHON=1" in said


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has another Ctrl-C")
def test_a_program_that_ends_by_itself_is_left_alone():
    with subprocess.Popen([sys.executable, "-c", POLITE], stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE, text=True) as process:
        assert process.stdout.readline() == "spinning\n"
        process.send_signal(signal.SIGINT)
        said, errors = process.communicate(timeout=60)
    assert (process.returncode, said, errors) == (0, "saved\n", "")


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has another Ctrl-C")
def test_a_command_that_loses_nothing_says_so_also_from_machine_code():
    head, loop, rest = IN_THREADS.partition("while True:")
    body = "\n".join(f"    {line}" for line in (loop + rest).splitlines())
    program = f'{head}with interrupts.farewell("Interrupted. Go on with --resume."):\n{body}\n'
    with subprocess.Popen([sys.executable, "-c", program], stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE, text=True) as process:
        assert process.stdout.readline() == "spinning\n"
        process.send_signal(signal.SIGINT)
        _, said = process.communicate(timeout=60)
    assert process.returncode == 2
    assert said == "exchequer: Interrupted. Go on with --resume.\n"
