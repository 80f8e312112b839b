"""The code of all functions, a folder for each feature; CONTRIBUTING.md has the map, `.importlinter` the layers."""
