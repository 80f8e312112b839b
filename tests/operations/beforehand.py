"""Modules that the operator's commands import, and the functions' code, loaded before the tests fork them."""

from infra.bundle import ROOT, function_names
from infra.imports import imported_files
from operations import commands, deployed, place
from operations.deployment import deploying, destroying, proving, registering

BEGINS_WITH = (commands, deployed, place, deploying, destroying, proving, registering)

for function in function_names():
    imported_files(ROOT / "functions" / function / "main.py", ROOT)
