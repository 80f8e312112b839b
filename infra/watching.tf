locals {
  # below the daily limit, so that the alert is raised before lull stops answering; five dollars if there is no limit
  day_usd           = try(tonumber(lookup(var.settings, "LULL_DAY_USD", "1")), 6.25)
  model_usd_per_day = coalesce(var.alert_limits.model_usd_per_day, 0.8 * local.day_usd)
}

module "observability" {
  source = "./modules/observability"

  project = var.project
  name    = var.name
  functions = {
    webhook = local.names["webhook"]
    tick    = local.names["tick"]
    keeper  = local.names["maintain"]
    askers  = [for function in local.asking_models : local.names[function]]
    all     = values(local.names)
  }
  ticks_queue  = module.queue["ticks"].name
  labels       = local.labels
  alert_emails = var.alert_emails
  limits       = merge(var.alert_limits, { model_usd_per_day = local.model_usd_per_day })
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
