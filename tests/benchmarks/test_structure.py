"""Figures are shown with their aims, and figures that miss their aims are named."""

from benchmarks import structure


def test_what_misses_its_aim_is_named() -> None:
    found = structure.beside_aims({"walk_modules": 36, "walk_returns": 90, "p90_file": 500})
    assert found["aims"] == {"walk_modules": 35, "walk_returns": 90}
    assert found["missed"] == ["walk_modules"]
    assert found["p90_file"] == 500
