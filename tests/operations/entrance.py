"""`python -m tests.operations.entrance FILE MODULE …` is `python -m MODULE …` with a file as its input."""

import os
import runpy
import sys

if __name__ == "__main__":
    _, file, module, *arguments = sys.argv
    os.dup2(os.open(file, os.O_RDONLY), 0)
    sys.argv = [module, *arguments]
    runpy.run_module(module, run_name="__main__", alter_sys=True)
