"""The root folder of the repository or of a function's bundle."""

from pathlib import Path
from typing import Final

import shared

#: the root of the repository or of a function's bundle, which holds `shared` and `agents`
ROOT: Final = Path(shared.__file__).resolve().parents[1]
