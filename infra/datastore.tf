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

  depends_on = [google_project_service.api]
}

# A database outlives `terraform destroy`; this brings it back under Terraform.
import {
  for_each = var.adopt_database ? toset(["(default)"]) : toset([])
  to       = module.datastore.google_firestore_database.this
  id       = "projects/${var.project}/databases/${each.key}"
}
