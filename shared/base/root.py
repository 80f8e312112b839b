"""Where lull lies."""

from pathlib import Path
from typing import Final

import shared

#: the root of the repository, and of a function's bundle: what `shared` lies in, beside `agents` and `docs`
ROOT: Final = Path(shared.__file__).resolve().parents[1]
