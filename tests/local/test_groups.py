import os
import signal
import subprocess
import sys

from local.groups import ask_to_end, kill_group
from local.processes import ROOT
from tests.local.watching import is_alive, wait_until

PARENT = """
import subprocess, sys, time
from local.groups import tied_to_parent
child = [sys.executable, '-c', 'import time; time.sleep(600)']
print(subprocess.Popen(tied_to_parent(child)).pid, flush=True)
time.sleep(600)
"""


def test_a_signal_to_a_group_that_is_gone_does_nothing() -> None:
    ended = subprocess.Popen([sys.executable, "-c", "pass"], start_new_session=True)
    ended.wait()
    wait_until(lambda: not is_alive(ended.pid))
    ask_to_end(ended.pid)
    kill_group(ended.pid)


def test_what_is_to_end_with_its_parent_does() -> None:
    parent = subprocess.Popen([sys.executable, "-c", PARENT], cwd=ROOT, stdout=subprocess.PIPE, text=True)
    assert parent.stdout is not None
    child = int(parent.stdout.readline())
    assert is_alive(child)
    os.kill(parent.pid, signal.SIGKILL)
    parent.wait()
    parent.stdout.close()
    wait_until(lambda: not is_alive(child))
