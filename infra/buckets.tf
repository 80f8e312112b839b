# The functions' bundles. Replaced bundles are kept for a month, so that a deployment can be undone. The suffix, and so
# the name, changes with the region: otherwise Terraform would not upload the bundles to the new region's bucket.
module "sources" {
  source = "./modules/bucket"

  name               = "${var.project}-${var.name}-sources-${local.suffix}"
  location           = var.region
  keep_replaced_days = 30
  delete_files       = true

  depends_on = [google_project_service.api]
}

# Conversations as JSONL (docs/archive.md), in the database's location even if the region changes. When a file is
# overwritten, the bucket keeps its older versions.
module "archive" {
  source = "./modules/bucket"
  count  = var.archive ? 1 : 0

  name         = local.archive_bucket
  location     = local.archive_location
  delete_files = var.delete_data

  depends_on = [google_project_service.api]
}

# Files in the database's location: copies, made for models, of files that people sent at Telegram, and the files of
# conversations in the console. They are deleted after some weeks, and with the deployment, so that no forgotten files
# remain. Telegram still has the former; of the latter, only descriptions remain.
module "media" {
  source = "./modules/bucket"

  name              = local.media_bucket
  location          = local.archive_location
  delete_after_days = var.media_days
  delete_files      = true

  depends_on = [google_project_service.api]
}

# Exports that people requested of their data, in the database's location, until they are sent. An export is deleted
# once it is sent. Exports that were never sent expire, and are deleted with the deployment.
module "takeouts" {
  source = "./modules/bucket"

  name              = local.takeout_bucket
  location          = local.archive_location
  delete_after_days = 2
  delete_files      = true

  depends_on = [google_project_service.api]
}

# The archive outlives `terraform destroy`, too; this brings it back under Terraform.
import {
  for_each = var.archive && var.adopt_archive ? toset([local.archive_bucket]) : toset([])
  to       = module.archive[0].google_storage_bucket.this
  id       = each.key
}

locals {
  # Firestore's multi-regions, and what Cloud Storage calls them
  multi_regions    = { eur3 = "EU", nam5 = "US", nam7 = "US" }
  archive_location = lookup(local.multi_regions, local.database_location, local.database_location)
  archive_bucket   = "${var.project}-${var.name}-archive"
  media_bucket     = "${var.project}-${var.name}-media"
  takeout_bucket   = "${var.project}-${var.name}-takeouts"
  erasure_bucket   = "${var.project}-${var.name}-erasures"
  # the maximum that Firestore allows, since existing backups keep the retention of earlier settings (variables-data.tf)
  longest_backup_days = 98
  backup_days         = max(var.backups.daily_days, var.backups.weekly_days, local.recovery_days)
  archive_roles       = { for function, role in google_project_iam_custom_role.archive : function => "projects/${var.project}/roles/${role.role_id}" }
  erasures_role       = "projects/${var.project}/roles/${google_project_iam_custom_role.erasures.role_id}"
  takeout_roles       = { for use, role in google_project_iam_custom_role.takeouts : use => "projects/${var.project}/roles/${role.role_id}" }
  media_roles         = { for use, role in google_project_iam_custom_role.media : use => "projects/${var.project}/roles/${role.role_id}" }
}

# The archiving function need not read the archive. It needs the permission to delete in order to overwrite a file; the
# bucket keeps the older version. The erasing function lists all versions of a file, and deletes them.
resource "google_project_iam_custom_role" "archive" {
  for_each = var.archive ? {
    summarize = { id = "archive", description = "Create and overwrite files.", finds = [] }
    erase     = { id = "archive_erase", description = "List, delete, create and overwrite files.", finds = ["storage.objects.list"] }
  } : {}

  role_id     = "${replace(var.name, "-", "_")}_${each.value.id}_${local.suffix}"
  title       = "${var.name}: ${replace(each.value.id, "_", " ")}"
  description = each.value.description
  permissions = concat(["storage.objects.create", "storage.objects.delete"], each.value.finds)

  depends_on = [google_project_service.api]
}

# There was only this role once. It is moved, not created again, because a deleted role's id stays reserved.
moved {
  from = google_project_iam_custom_role.archive[0]
  to   = google_project_iam_custom_role.archive["summarize"]
}

# The erasing function need not read the list. It needs the permission to delete in order to overwrite a file.
resource "google_project_iam_custom_role" "erasures" {
  role_id     = "${replace(var.name, "-", "_")}_erasures_${local.suffix}"
  title       = "${var.name}: list of erasures"
  description = "Create and overwrite files."
  permissions = ["storage.objects.create", "storage.objects.delete"]

  depends_on = [google_project_service.api]
}

# The function that writes exports need not read them. It lists the files of one export to delete them.
resource "google_project_iam_custom_role" "takeouts" {
  for_each = {
    writer = {
      description = "Create parts of exports, and delete sent ones."
      permissions = ["storage.objects.create", "storage.objects.delete", "storage.objects.list"]
    }
    reader = { description = "Read parts of exports to send them.", permissions = ["storage.objects.get"] }
    eraser = { description = "List and delete parts of exports.", permissions = ["storage.objects.delete", "storage.objects.list"] }
  }

  role_id     = "${replace(var.name, "-", "_")}_takeouts_${each.key}_${local.suffix}"
  title       = "${var.name}: ${each.key} of takeouts"
  description = each.value.description
  permissions = each.value.permissions

  depends_on = [google_project_service.api]
}

# Custom roles, because each predefined role that can read files can also list them, and each that can create files can
# also delete them.
resource "google_project_iam_custom_role" "media" {
  for_each = {
    writer = { description = "Create and read files.", permissions = ["storage.objects.create", "storage.objects.get"] }
    reader = { description = "Read files.", permissions = ["storage.objects.get"] }
    eraser = { description = "Delete files.", permissions = ["storage.objects.delete"] }
  }

  role_id     = "${replace(var.name, "-", "_")}_media_${each.key}_${local.suffix}"
  title       = "${var.name}: ${each.key} of media"
  description = each.value.description
  permissions = each.value.permissions

  depends_on = [google_project_service.api]
}
