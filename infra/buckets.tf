# The functions' bundles. What a deployment replaced stays for a month, for a step back. Another region is another name,
# so that the bundles are uploaded there, which an unchanged name would hide.
module "sources" {
  source = "./modules/bucket"

  name               = "${var.project}-${var.name}-sources-${local.suffix}"
  location           = var.region
  keep_replaced_days = 30
  delete_files       = true

  depends_on = [google_project_service.api]
}

# Conversations as JSONL (docs/archive.md), where the database is, whatever becomes of the region. A file that is written
# again keeps what it was.
module "archive" {
  source = "./modules/bucket"
  count  = var.archive ? 1 : 0

  name         = local.archive_bucket
  location     = local.archive_location
  delete_files = var.delete_data

  depends_on = [google_project_service.api]
}

# What models are shown of the files that people sent, where the database is, and files of conversations in the console.
# The first are copies of what Telegram has; of the second the descriptions stay. They go after some weeks, and with the
# deployment, so that none lies somewhere of which nothing is known.
module "media" {
  source = "./modules/bucket"

  name              = local.media_bucket
  location          = local.archive_location
  delete_after_days = var.media_days
  delete_files      = true

  depends_on = [google_project_service.api]
}

# What people asked for of what is kept of them, until it is sent, where the database is. It is deleted once it is sent;
# what nobody took goes by itself, and with the deployment.
module "takeouts" {
  source = "./modules/bucket"

  name              = local.takeout_bucket
  location          = local.archive_location
  delete_after_days = 2
  delete_files      = true

  depends_on = [google_project_service.api]
}

# The archive outlives `terraform destroy` too.
import {
  for_each = var.archive && var.adopt_archive ? toset([local.archive_bucket]) : toset([])
  to       = module.archive[0].google_storage_bucket.this
  id       = each.key
}

locals {
  # what Firestore calls a multi-region, Cloud Storage calls otherwise
  multi_regions    = { eur3 = "EU", nam5 = "US", nam7 = "US" }
  archive_location = lookup(local.multi_regions, local.database_location, local.database_location)
  archive_bucket   = "${var.project}-${var.name}-archive"
  media_bucket     = "${var.project}-${var.name}-media"
  takeout_bucket   = "${var.project}-${var.name}-takeouts"
  erasure_bucket   = "${var.project}-${var.name}-erasures"
  # what Firestore allows at most, whatever was or will be wanted (variables-data.tf)
  longest_backup_days = 98
  backup_days         = max(var.backups.daily_days, var.backups.weekly_days, local.recovery_days)
  archive_roles       = { for function, role in google_project_iam_custom_role.archive : function => "projects/${var.project}/roles/${role.role_id}" }
  erasures_role       = "projects/${var.project}/roles/${google_project_iam_custom_role.erasures.role_id}"
  takeout_roles       = { for use, role in google_project_iam_custom_role.takeouts : use => "projects/${var.project}/roles/${role.role_id}" }
  media_roles         = { for use, role in google_project_iam_custom_role.media : use => "projects/${var.project}/roles/${role.role_id}" }
}

# Whoever archives need not read what is there. To write over a file is to delete it, and the bucket keeps the older one.
# What erases finds every version of a file, and deletes it.
resource "google_project_iam_custom_role" "archive" {
  for_each = var.archive ? {
    summarize = { id = "archive", description = "Store files, also in the place of others.", finds = [] }
    erase     = { id = "archive_erase", description = "Find, delete and store files.", finds = ["storage.objects.list"] }
  } : {}

  role_id     = "${replace(var.name, "-", "_")}_${each.value.id}_${local.suffix}"
  title       = "${var.name}: ${replace(each.value.id, "_", " ")}"
  description = each.value.description
  permissions = concat(["storage.objects.create", "storage.objects.delete"], each.value.finds)

  depends_on = [google_project_service.api]
}

# It was the only one, and a deleted role's id stays taken.
moved {
  from = google_project_iam_custom_role.archive[0]
  to   = google_project_iam_custom_role.archive["summarize"]
}

# What erases need not read the list; to write over a file is to delete it.
resource "google_project_iam_custom_role" "erasures" {
  role_id     = "${replace(var.name, "-", "_")}_erasures_${local.suffix}"
  title       = "${var.name}: list of erasures"
  description = "Store files, also in the place of others."
  permissions = ["storage.objects.create", "storage.objects.delete"]

  depends_on = [google_project_service.api]
}

# Whoever gathers need not read what is there: it lists what is below one name, to delete it.
resource "google_project_iam_custom_role" "takeouts" {
  for_each = {
    writer = {
      description = "Store parts, and delete what was sent."
      permissions = ["storage.objects.create", "storage.objects.delete", "storage.objects.list"]
    }
    reader = { description = "Read parts, to send them.", permissions = ["storage.objects.get"] }
    eraser = { description = "Find and delete parts.", permissions = ["storage.objects.delete", "storage.objects.list"] }
  }

  role_id     = "${replace(var.name, "-", "_")}_takeouts_${each.key}_${local.suffix}"
  title       = "${var.name}: ${each.key} of takeouts"
  description = each.value.description
  permissions = each.value.permissions

  depends_on = [google_project_service.api]
}

# Each predefined role that reads files lists them too, and each that stores them deletes.
resource "google_project_iam_custom_role" "media" {
  for_each = {
    writer = { description = "Store files, and read them.", permissions = ["storage.objects.create", "storage.objects.get"] }
    reader = { description = "Read files.", permissions = ["storage.objects.get"] }
    eraser = { description = "Delete files.", permissions = ["storage.objects.delete"] }
  }

  role_id     = "${replace(var.name, "-", "_")}_media_${each.key}_${local.suffix}"
  title       = "${var.name}: ${each.key} of media"
  description = each.value.description
  permissions = each.value.permissions

  depends_on = [google_project_service.api]
}
