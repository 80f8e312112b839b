"""Write the inventory again: `make inventory`."""

import os
import tempfile
from pathlib import Path

from infra.bundle import ROOT
from tests.infra.inventory.files import unseen_texts_of
from tests.infra.inventory.planned import inventory_of
from tests.infra.inventory.scenarios import scenarios
from tests.infra.inventory.stored import write_file, write_inventories
from tests.infra.workspace import deploy, write_bundles

with tempfile.TemporaryDirectory() as folder:
    write_bundles(Path(folder, "bundles"))
    made = deploy(Path(folder, "infra"), os.environ["TF_REATTACH_PROVIDERS"], Path(folder, "bundles"))
    write_inventories({name: inventory_of(made.plan(name, **given)) for name, given in scenarios().items()})
write_file("files", unseen_texts_of(ROOT / "infra"))
