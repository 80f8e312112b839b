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

  # not that they need it: the functions wait for both, and so for the time that the indexes take (functions.tf)
  indexes_after = [module.build.account]

  depends_on = [google_project_service.api]
}

# A database outlives `terraform destroy`; this brings it back under Terraform.
import {
  for_each = var.adopt_database ? toset(["(default)"]) : toset([])
  to       = module.datastore.google_firestore_database.this
  id       = "projects/${var.project}/databases/${each.key}"
}
