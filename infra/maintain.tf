# The function that maintains the deployment itself. It is separate from the other functions because it needs the
# webhook's real address, which is known only after the webhook is created. The address is a setting: no function that
# tasks can call may tell Telegram an address.
module "maintain" {
  source = "./modules/function"

  project     = var.project
  region      = var.region
  name        = local.names["maintain"]
  entry_point = "maintain"
  description = local.functions["maintain"].description
  url         = local.urls["maintain"]
  runtime     = var.runtime
  bundle      = { path = "${var.bundles}/maintain.zip", bucket = module.sources.name }
  build       = { account = module.build.account, repository = module.build.repository }
  after       = [module.datastore.database]

  limits = merge(local.functions["maintain"].limits, {
    min_instances = coalesce(try(var.instances["maintain"].min, null), 0)
    max_instances = coalesce(try(var.instances["maintain"].max, null), local.functions["maintain"].limits.max_instances)
  })

  environment = merge(
    local.environment_of_all,
    local.functions["maintain"].environment,
    {
      LULL_CLOCK = module.schedule.callers["maintain"].email
      # during a canary, each of these functions checks the services that it needs
      LULL_ROUTES = jsonencode({ functions = {
        for name, function in local.functions : name => local.urls[name] if contains(function.called_by, "maintain")
      } })
      LULL_CONSOLE_URL   = "${module.console.uri}/${local.console_door}"
      LULL_SUMMARIZE_URL = local.urls["summarize"]
      LULL_WEBHOOK_URL   = module.function["webhook"].uri
    },
    { for name in local.optional_settings["maintain"] : name => var.settings[name] if contains(keys(var.settings), name) },
  )
  secrets = { for variable, secret in local.functions["maintain"].secrets : variable => module.secret[secret] }

  # only Cloud Scheduler may call it: no queue delivers to it, so that it never gets the body of a task
  is_public = local.functions["maintain"].is_public
  callers   = { schedule = module.schedule.callers["maintain"].member }
  project_roles = {
    database = { role = module.datastore.roles[local.functions["maintain"].database], condition = module.datastore.condition }
  }

  depends_on = [google_project_service.api]
}
