# Where Cloud Build leaves the functions' containers. Each deployment leaves one; two old ones allow a step back.
resource "google_artifact_registry_repository" "containers" {
  # checkov:skip=CKV_GCP_84: it holds code that is public and no data; a key of one's own costs money and can be lost

  location      = var.region
  repository_id = "${var.name}-functions"
  description   = "Containers of the functions of ${var.name}."
  format        = "DOCKER"

  cleanup_policies {
    id     = "keep-the-newest"
    action = "KEEP"

    most_recent_versions {
      keep_count = 3
    }
  }
  cleanup_policies {
    id     = "delete-the-old"
    action = "DELETE"

    condition {
      older_than = "2592000s"
    }
  }
}

# New projects' default accounts may build nothing, older ones' may do everything.
resource "google_service_account" "builder" {
  account_id   = "${var.name}-build"
  display_name = "${var.name}-build"
  description  = "Builds the functions' containers."
}

resource "google_artifact_registry_repository_iam_member" "builder" {
  location   = var.region
  repository = google_artifact_registry_repository.containers.name
  role       = "roles/artifactregistry.writer"
  member     = google_service_account.builder.member
}

resource "google_project_iam_member" "logs" {
  project = var.project
  role    = "roles/logging.logWriter"
  member  = google_service_account.builder.member
}

resource "google_storage_bucket_iam_member" "sources" {
  bucket = var.sources
  role   = "roles/storage.objectViewer"
  member = google_service_account.builder.member
}

# Cloud Functions copies a bundle into a bucket of its own, which it makes with the project's first function.
resource "google_project_iam_member" "copies" {
  project = var.project
  role    = "roles/storage.objectViewer"
  member  = google_service_account.builder.member

  condition {
    title       = "bundles-only"
    description = "Only the buckets in which Cloud Functions keeps its copies of the bundles."
    expression  = "resource.name.startsWith(\"projects/_/buckets/gcf-v2-sources-\")"
  }
}
