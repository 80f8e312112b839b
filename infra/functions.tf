# functions.yaml declares the functions. This file adds what depends on variables, and creates them.

locals {
  declared_functions = yamldecode(file("${path.module}/functions.yaml")).functions

  functions = { for name, declared in local.declared_functions : name => {
    description = declared.description
    is_public   = contains(declared.called_by, "everybody")
    called_by   = setsubtract(declared.called_by, ["everybody"])
    environment = merge(
      { for setting in setsubtract(try(declared.given, []), local.given_to_maintain) : setting => local.known_settings[setting] },
      try(local.environment_by_variables[name], {}),
    )
    secrets  = merge(try(declared.secrets, {}), try(local.secrets_by_variables[name], {}))
    database = try(declared.database, "")
    media    = try(declared.media, "")
    takeouts = try(declared.takeouts, "")
    enqueues = try(declared.enqueues, [])
    calls    = try(declared.calls, [])
    limits   = declared.limits
  } }

  # days for which deleted data can be recovered without a backup: by point-in-time recovery, and in the archive's
  # bucket
  recovery_days = 7

  # Nothing here may refer to a module, since modules need the functions' accounts.
  known_settings = {
    LULL_AGENTS         = join(",", sort(var.agents))
    LULL_CONSOLE_DOOR   = local.console_door
    LULL_BACKUP_DAYS    = tostring(local.backup_days)
    LULL_ERASURE_BUCKET = local.erasure_bucket
    LULL_LOGIN_CLIENT   = var.console_login_bot
    LULL_MEDIA_BUCKET   = local.media_bucket
    LULL_PRIVACY_URL    = "${local.urls["webhook"]}/privacy.html"
    LULL_READER_URL     = local.urls["reader"]
    LULL_TAKEOUT_BUCKET = local.takeout_bucket
  }

  # Settings that only the function maintain gets are in maintain.tf, because they are derived from the other functions.
  given_to_maintain = ["LULL_CLOCK", "LULL_CONSOLE_URL", "LULL_SUMMARIZE_URL", "LULL_WEBHOOK_URL"]
  environment_by_variables = merge(
    { for name in local.asking_models : name => local.environment_of_models },
    {
      erase     = local.archive_environments["erase"]
      summarize = merge(local.environment_of_models, local.archive_environments["summarize"])
    },
  )
  secrets_by_variables = merge(
    { for name in local.asking_models : name => local.secrets_of_models },
    { console = var.console_login_bot == "" ? {} : { LULL_LOGIN_SECRET = "console-login" } },
  )
  # Each function gets only its own role in AWS. Without an `erase_role`, `erase` gets the role that archives. AWS
  # refuses it to `erase`, which reports this.
  archive_environments = { for function in ["erase", "summarize"] : function => merge(
    var.archive ? { LULL_ARCHIVE_BUCKET = local.archive_bucket } : {},
    var.archive_s3 == null ? {} : { LULL_ARCHIVE_S3 = jsonencode({
      bucket = var.archive_s3.bucket
      region = var.archive_s3.region
      role   = function == "erase" ? coalesce(var.archive_s3.erase_role, var.archive_s3.role) : var.archive_s3.role
    }) },
  ) }

  settings_of_all   = ["LULL_LATER_S", "LULL_LOG_FORMAT", "LULL_QUIET_GROUP_S", "LULL_QUIET_PRIVATE_S"]
  optional_settings = { for name, declared in local.declared_functions : name => concat(local.settings_of_all, try(declared.optional, [])) }

  names = { for function in keys(local.declared_functions) : function => "${var.name}-${replace(function, "_", "-")}" }

  # A function's address is unknown while the function is created, but the tick needs its own to schedule its next run.
  # This address is derived from the name, and the function accepts it as an audience. The module `function` compares it
  # with the real one.
  urls = { for function, name in local.names :
    function => "https://${var.region}-${var.project}.cloudfunctions.net/${name}"
  }
}

locals {
  environment_of_all = {
    GOOGLE_CLOUD_PROJECT = var.project
    LULL_QUEUE           = module.queue["ticks"].id
    LULL_TICK_URL        = local.urls["tick"]
    LULL_INVOKER         = module.queue["ticks"].caller.email
  }
}

module "function" {
  source   = "./modules/function"
  for_each = { for name, function in local.functions : name => function if !contains(["console", "maintain", "reader"], name) }

  project     = var.project
  region      = var.region
  name        = local.names[each.key]
  entry_point = each.key
  description = each.value.description
  url         = local.urls[each.key]
  runtime     = var.runtime
  bundle      = { path = "${var.bundles}/${each.key}.zip", bucket = module.sources.name }
  build       = { account = module.build.account, repository = module.build.repository }

  # The function needs the database and its indexes. Building these takes minutes, in which the accounts' permissions
  # take effect everywhere: an earlier build would not be allowed to read its own bundle.
  after = [module.datastore.database]

  limits = merge(each.value.limits, {
    min_instances = coalesce(try(var.instances[each.key].min, null), 0)
    max_instances = coalesce(try(var.instances[each.key].max, null), each.value.limits.max_instances)
  })

  environment = merge(
    local.environment_of_all,
    # destinations of its jobs, besides the ticks' queue and the tick
    length(setsubtract(concat(each.value.enqueues, each.value.calls), ["ticks", "tick"])) == 0 ? {} : {
      LULL_ROUTES = jsonencode({
        queues = { for queue in each.value.enqueues :
          queue => { name = module.queue[queue].id, invoker = module.queue[queue].caller.email } if queue != "ticks"
        }
        functions = { for function in each.value.calls : function => local.urls[function] if function != "tick" }
      })
    },
    each.value.environment,
    { for name in local.optional_settings[each.key] : name => var.settings[name] if contains(keys(var.settings), name) },
  )
  secrets = { for variable, secret in each.value.secrets : variable => module.secret[secret] }

  is_public = each.value.is_public
  callers = { for caller in each.value.called_by :
    caller => caller == "schedule" ? module.schedule.callers[each.key].member : caller == "maintain" ? module.maintain.account : caller == "console" ? module.console.account : module.queue[caller].caller.member
  }
  project_roles = merge(
    { database = { role = module.datastore.roles[each.value.database], condition = module.datastore.condition } },
    contains(local.asking_models, each.key) && var.vertex_ai ? { vertex_ai = { role = "roles/aiplatform.user", condition = null } } : {},
  )
  enqueues = { for queue in each.value.enqueues : queue => module.queue[queue] }
  buckets = merge(
    { for bucket in contains(["erase", "summarize"], each.key) ? module.archive : [] :
      "archive" => { name = bucket.name, role = local.archive_roles[each.key] }
    },
    each.value.media == "" ? {} : { media = { name = module.media.name, role = local.media_roles[each.value.media] } },
    each.key == "erase" ? { erasures = { name = module.erasures.name, role = local.erasures_role } } : {},
    each.value.takeouts == "" ? {} : { takeouts = { name = module.takeouts.name, role = local.takeout_roles[each.value.takeouts] } },
  )

  depends_on = [google_project_service.api]
}
