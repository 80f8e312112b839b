resource "google_storage_bucket" "this" {
  # checkov:skip=CKV_GCP_62: Cloud Audit Logs record reads and writes; logs in another bucket would add nothing

  name                        = var.name
  location                    = var.location
  uniform_bucket_level_access = true
  public_access_prevention    = "enforced"
  force_destroy               = var.delete_files
  deletion_policy             = var.delete_files ? "DELETE" : "ABANDON" # a bucket with files cannot be deleted

  versioning {
    enabled = var.delete_after_days == null
  }

  # how long Google keeps deleted files, besides older versions; with `delete_files`, none at all
  soft_delete_policy {
    retention_duration_seconds = var.delete_files ? 0 : 604800
  }

  dynamic "lifecycle_rule" {
    for_each = var.keep_replaced_days == null ? [] : [var.keep_replaced_days]

    content {
      action {
        type = "Delete"
      }
      condition {
        days_since_noncurrent_time = lifecycle_rule.value
      }
    }
  }

  dynamic "lifecycle_rule" {
    for_each = var.delete_after_days == null ? [] : [var.delete_after_days]

    content {
      action {
        type = "Delete"
      }
      condition {
        age = lifecycle_rule.value
      }
    }
  }

  lifecycle_rule {
    action {
      type = "AbortIncompleteMultipartUpload"
    }
    condition {
      age = 7
    }
  }
}
