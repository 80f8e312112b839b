# The functions' bundles. What a deployment replaced stays for a month, for a step back.
module "sources" {
  source = "./modules/bucket"

  name               = "${var.project}-${var.name}-sources"
  region             = var.region
  keep_replaced_days = 30
  delete_files       = true

  depends_on = [google_project_service.api]
}

# Conversations as JSONL (docs/archive.md). A file that is written again keeps what it was.
module "archive" {
  source = "./modules/bucket"
  count  = var.archive ? 1 : 0

  name         = local.archive_bucket
  region       = var.region
  delete_files = var.delete_data

  depends_on = [google_project_service.api]
}

locals {
  archive_bucket = "${var.project}-${var.name}-archive"
  archive_roles  = [for role in google_project_iam_custom_role.archive : "projects/${var.project}/roles/${role.role_id}"]
}

# Whoever archives need not read what is there. To write over a file is to delete it, and the bucket keeps the older one.
resource "google_project_iam_custom_role" "archive" {
  count = var.archive ? 1 : 0

  role_id     = "${replace(var.name, "-", "_")}_archive_${local.suffix}"
  title       = "${var.name}: archive"
  description = "Store files, also in the place of others."
  permissions = ["storage.objects.create", "storage.objects.delete"]
}
