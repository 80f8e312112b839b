locals {
  database_location = coalesce(var.database_location, var.region)
}

module "datastore" {
  source = "./modules/datastore"

  project     = var.project
  name        = var.name
  location    = local.database_location
  suffix      = local.suffix
  backups     = var.backups
  delete_data = var.delete_data

  # The indexes do not need this account. They start after it because the functions wait for both: while the indexes are
  # built, the account's permissions take effect (functions.tf).
  indexes_after = [module.build.account]

  depends_on = [google_project_service.api]
}

# A database outlives `terraform destroy`; this brings it back under Terraform.
import {
  for_each = var.adopt_database ? toset(["(default)"]) : toset([])
  to       = module.datastore.google_firestore_database.this
  id       = "projects/${var.project}/databases/${each.key}"
}
