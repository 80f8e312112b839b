module "build" {
  source = "./modules/build"

  project = var.project
  region  = var.region
  name    = var.name
  sources = module.sources.name

  depends_on = [google_project_service.api]
}
