"""Imports of the operator's commands and of the functions, loaded before the tests fork."""

from infra.bundle import ROOT, function_names
from infra.imports import imported_files
from operations import commands, deployed, place
from operations.deployment import deploying, destroying, proving, registering

BEGINS_WITH = (commands, deployed, place, deploying, destroying, proving, registering)

for function in function_names():
    imported_files(ROOT / "functions" / function / "main.py", ROOT)
