"""The local model: a small model on this machine, or a model server that runs already, behind one address."""
