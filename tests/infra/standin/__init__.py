"""A stand-in for Terraform's Google provider: Google's real schema, and a cloud that is a dictionary.

With it `terraform init, validate, plan, apply, test, import, destroy` really run, offline. This shows that a
configuration is well formed and its parts fit together, but not that Google accepts it.
`python -m tests.infra.standin COMMAND…` runs a command against it.
"""
