# The function that reads web pages and decodes files. It is separate from the other functions: they call it, so their
# accounts must exist first. It decodes data from strangers, so its account has no role in the project, and it gets no
# secret.
module "reader" {
  source = "./modules/function"

  project     = var.project
  region      = var.region
  name        = local.names["reader"]
  entry_point = "reader"
  description = local.functions["reader"].description
  url         = local.urls["reader"]
  runtime     = var.runtime
  bundle      = { path = "${var.bundles}/reader.zip", bucket = module.sources.name }
  build       = { account = module.build.account, repository = module.build.repository }
  after       = [module.datastore.database]

  limits = merge(local.functions["reader"].limits, {
    min_instances = coalesce(try(var.instances["reader"].min, null), 0)
    max_instances = coalesce(try(var.instances["reader"].max, null), local.functions["reader"].limits.max_instances)
  })

  environment = merge(
    local.environment_of_all,
    { for name in local.optional_settings["reader"] : name => var.settings[name] if contains(keys(var.settings), name) },
  )

  is_public = local.functions["reader"].is_public
  callers   = { for caller in local.functions["reader"].called_by : caller => module.function[caller].account }

  depends_on = [google_project_service.api]
}
