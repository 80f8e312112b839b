terraform {
  # write-only arguments and ephemeral variables keep secrets out of the state
  required_version = ">= 1.11"

  required_providers {
    google = {
      source  = "hashicorp/google"
      version = "~> 8.7"
    }
  }
}

provider "google" {
  project        = var.project
  region         = var.region
  default_labels = local.labels

  # the budget API needs a quota project, which a user's own credentials do not have
  user_project_override = true
  billing_project       = var.project
}
