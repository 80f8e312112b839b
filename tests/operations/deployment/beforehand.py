"""What `make deploy` begins with: its own modules, and the code of the functions as it is read for their bundles."""

from infra.bundle import ROOT, functions
from infra.imports import imported_files
from operations.deployment import deploying, destroying, proving, registering

BEGINS_WITH = (deploying, destroying, proving, registering)

for function in functions():
    imported_files(ROOT / "functions" / function / "main.py", ROOT)
