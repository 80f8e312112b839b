# The list of forgotten people, by id and time, in the database's location. If the database is lost, an older backup
# does not contain these erasures. Backups outlive the deployment, and their retention never changes. So the bucket
# outlives the deployment, too, and keeps each file for longer than any backup can exist.
module "erasures" {
  source = "./modules/bucket"

  name              = local.erasure_bucket
  location          = local.archive_location
  delete_after_days = local.longest_backup_days + 7
  delete_files      = var.delete_data

  depends_on = [google_project_service.api]
}

# The bucket outlives `terraform destroy`, as the database does; this brings it back under Terraform.
import {
  for_each = var.adopt_erasures ? toset([local.erasure_bucket]) : toset([])
  to       = module.erasures.google_storage_bucket.this
  id       = each.key
}
