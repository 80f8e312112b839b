"""The inventory of infra: what Terraform plans in each scenario, written by `make inventory` and compared whole."""
