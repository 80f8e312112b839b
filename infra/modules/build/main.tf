# Cloud Build stores the functions' containers here, one for each function and deployment. The two previous ones of each
# are kept, so that a deployment can be undone.
resource "google_artifact_registry_repository" "containers" {
  # checkov:skip=CKV_GCP_84: it contains public code and no data; a customer-managed key costs money and can be lost

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

# Builds need their own account: the default account may build nothing in new projects, and do everything in older ones.
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

# Cloud Functions copies bundles into its own bucket, which it creates with the project's first function.
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
