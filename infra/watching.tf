module "observability" {
  source = "./modules/observability"

  project = var.project
  name    = var.name
  functions = {
    webhook   = local.names["webhook"]
    tick      = local.names["tick"]
    describer = local.names["describe_media"]
    keeper    = local.names["maintain"]
    all       = values(local.names)
  }
  ticks_queue  = module.queue["ticks"].name
  labels       = local.labels
  alert_emails = var.alert_emails
  limits       = var.alert_limits
  paused       = var.paused

  depends_on = [google_project_service.api]
}

module "budget" {
  source = "./modules/budget"
  count  = var.billing_account == null ? 0 : 1

  billing_account = var.billing_account
  project         = var.project
  name            = "${var.name} ${var.environment}"
  units           = var.monthly_budget.units

  depends_on = [google_project_service.api]
}
