"""What the canary needs is what its adapters offer."""

from shared.adapters.doors import HttpDoors
from shared.adapters.firestore.canaries import FirestoreCanaries
from shared.ports.canary import Canaries, Doors


def test_the_adapters_fit_the_ports() -> None:
    for port, adapter in ((Doors, HttpDoors), (Canaries, FirestoreCanaries)):
        wanted = {name for name in vars(port) if not name.startswith("_")}
        assert wanted
        assert wanted <= vars(adapter).keys()
