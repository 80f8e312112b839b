"""A stand-in for Terraform's Google provider: Google's real schema, and a cloud that is a dictionary.

With it `terraform init, validate, plan, apply, test, import, destroy` really run, offline. It shows that a
configuration is well formed and wired together; it does not show that Google accepts it.
`python -m tests.infra.standin COMMAND…` runs a command against it.
"""
