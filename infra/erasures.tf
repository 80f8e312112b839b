# Who was forgotten, as numbers and moments, where the database is: if that is lost, a backup of before tells nothing of it.
# Backups outlive the deployment and keep the days that they were made with, so this outlives both: the bucket stays, and
# each of its files is there for longer than any backup can be.
module "erasures" {
  source = "./modules/bucket"

  name              = local.erasure_bucket
  location          = local.archive_location
  delete_after_days = local.longest_backup_days + 7
  delete_files      = var.delete_data

  depends_on = [google_project_service.api]
}

# It outlives `terraform destroy`, as the database does.
import {
  for_each = var.adopt_erasures ? toset([local.erasure_bucket]) : toset([])
  to       = module.erasures.google_storage_bucket.this
  id       = each.key
}
