# The owner's page. It is separate from the other functions: it calls some of them, so its account must exist first.
locals {
  # The path at which owners sign in. It is no secret, but is not published: all other addresses look empty.
  console_door = substr(sha256("console ${terraform_data.deployment.id}"), 0, 24)
}

module "console" {
  source = "./modules/function"

  project     = var.project
  region      = var.region
  name        = local.names["console"]
  entry_point = "console"
  description = local.functions["console"].description
  url         = local.urls["console"]
  runtime     = var.runtime
  bundle      = { path = "${var.bundles}/console.zip", bucket = module.sources.name }
  build       = { account = module.build.account, repository = module.build.repository }
  after       = [module.datastore.database]

  limits = merge(local.functions["console"].limits, {
    min_instances = coalesce(try(var.instances["console"].min, null), 0)
    max_instances = coalesce(try(var.instances["console"].max, null), local.functions["console"].limits.max_instances)
  })

  environment = merge(
    local.environment_of_all,
    {
      LULL_ROUTES = jsonencode({
        queues = { for queue in local.functions["console"].enqueues :
          queue => { name = module.queue[queue].id, invoker = module.queue[queue].caller.email } if queue != "ticks"
        }
        functions = { for function in local.functions["console"].calls : function => local.urls[function] if function != "tick" }
      })
    },
    local.functions["console"].environment,
    { for name in local.optional_settings["console"] : name => var.settings[name] if contains(keys(var.settings), name) },
  )
  secrets = { for variable, secret in local.functions["console"].secrets : variable => module.secret[secret] }

  is_public = local.functions["console"].is_public
  callers   = {}
  project_roles = {
    database = { role = module.datastore.roles[local.functions["console"].database], condition = module.datastore.condition }
  }
  enqueues = { for queue in local.functions["console"].enqueues : queue => module.queue[queue] }
  buckets  = { media = { name = module.media.name, role = local.media_roles[local.functions["console"].media] } }

  depends_on = [google_project_service.api]
}
