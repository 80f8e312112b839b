"""What the owner's commands begin with: their modules, and the code of the functions, read for their bundles."""

from infra.bundle import ROOT, function_names
from infra.imports import imported_files
from operations import commands, deployed, place
from operations.deployment import deploying, destroying, proving, registering

BEGINS_WITH = (commands, deployed, place, deploying, destroying, proving, registering)

for function in function_names():
    imported_files(ROOT / "functions" / function / "main.py", ROOT)
