"""The inventory of infra: Terraform's plan of each scenario, written by `make inventory` and compared in full."""
