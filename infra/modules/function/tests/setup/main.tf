# What a function is put into: a bucket for its bundle, a queue, and a secret.

terraform {
  required_providers {
    google = {
      source  = "hashicorp/google"
      version = "~> 8.7"
    }
  }
}

module "sources" {
  source = "../../../bucket"

  name     = "acme-function-lull-sources"
  location = "europe-west1"
}

module "queue" {
  source = "../../../queue"

  region         = "europe-west1"
  name           = "lull-ticks-1a2b3c"
  caller_account = "lull-ticks"
  at_once        = 10
  retries        = { attempts = 3, for_at_least_s = 0, first_after_s = 1, longest_after_s = 10, doublings = 2 }
}

module "secret" {
  source = "../../../secret"

  name          = "lull-webhook-secret"
  value         = "not a secret"
  value_version = 1
}

output "bucket" {
  description = "The bucket's name."
  value       = module.sources.name
}

output "queue" {
  description = "The queue."
  value       = module.queue
}

output "secret" {
  description = "The secret."
  value       = module.secret
}
