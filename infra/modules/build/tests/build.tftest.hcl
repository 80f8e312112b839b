provider "google" {
  project = "acme-build"
}

run "setup" {
  module {
    source = "../bucket"
  }
  variables {
    name     = "acme-build-lull-sources"
    location = "europe-west1"
  }
}

run "the_builder_may_read_bundles_and_write_containers" {
  variables {
    project = "acme-build"
    region  = "europe-west1"
    name    = "lull"
    sources = run.setup.name
  }
  assert {
    condition     = output.account == "projects/acme-build/serviceAccounts/lull-build@acme-build.iam.gserviceaccount.com"
    error_message = "The account is ${output.account}."
  }
  assert {
    condition     = output.repository == "projects/acme-build/locations/europe-west1/repositories/lull-functions"
    error_message = "The repository is ${output.repository}."
  }
  assert {
    condition     = strcontains(one(google_project_iam_member.copies.condition).expression, "gcf-v2-sources-")
    error_message = "The builder may read every bucket."
  }
}
