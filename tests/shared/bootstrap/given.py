"""`python -m tests.shared.bootstrap.given CODE` is `python -c CODE` where there are modules only."""

import sys

if __name__ == "__main__":
    exec(compile(sys.argv.pop(1), "<string>", "exec"), {"__name__": "__main__"})
