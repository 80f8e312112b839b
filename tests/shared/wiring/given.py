"""`python -m tests.shared.wiring.given CODE` is `python -c CODE` where there are modules only."""

import sys

if __name__ == "__main__":
    # modules that read settings get those of this program
    for name in [name for name in sys.modules if name.startswith("shared.wiring")]:
        del sys.modules[name]
    exec(compile(sys.argv.pop(1), "<string>", "exec"), {"__name__": "__main__"})
