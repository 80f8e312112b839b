# One block for each function: what it does, who may call it, what it reads, what it may touch, and how large it is.
# Its name is that of its folder in functions/ and of the function in its main.py. `optional` are the settings that have
# a default in the code, besides those of every function (docs/configuration.md). Nothing in a block may refer to a
# module: the functions' accounts are needed to make those.

locals {
  functions = {
    webhook = {
      description = "Stores what Telegram sends and has a tick look at it."
      is_public   = true # Telegram has no Google identity; the secret header is what it shows
      called_by   = []
      environment = { LULL_AGENTS = join(",", sort(var.agents)) }
      optional    = []
      secrets     = { LULL_WEBHOOK_SECRET = "webhook-secret" }
      database    = "inbox"
      enqueues    = ["ticks"]
      limits      = { memory = "512Mi", timeout_s = 30, concurrency = 80, max_instances = 10 }
    }

    tick = {
      description = "Reads what was written in one chat, decides, plans and answers."
      is_public   = false
      called_by   = ["ticks", "schedule"]
      environment = var.vertex_ai ? { GOOGLE_GENAI_USE_ENTERPRISE = "true" } : {}
      optional = [
        "GEMINI_BASE_URL",
        "GOOGLE_CLOUD_LOCATION",
        "LULL_ACTIVE_S",
        "LULL_COMPRESSION",
        "LULL_CONTEXT_MESSAGES",
        "LULL_CONTEXT_TOKENS",
        "LULL_FOLLOW_UP_S",
        "LULL_JUDGE_MODEL",
        "LULL_JUDGE_TIMEOUT_S",
        "LULL_LEASE_S",
        "LULL_LONGEST_WAIT_S",
        "LULL_MODEL",
        "LULL_MODELS",
        "LULL_MODEL_TICKS",
        "LULL_MODEL_TIMEOUT_S",
        "LULL_MODEL_TRIES",
        "LULL_PROMPT_FORMAT",
        "LULL_RETRY_S",
        "LULL_STREAMING",
        "LULL_TASK_TRIES",
        "TELEGRAM_API_URL",
      ]
      secrets = merge(
        # the secret is for the daily registration: whoever has the tokens could give Telegram any secret anyway
        { LULL_BOT_TOKENS = "bot-tokens", LULL_WEBHOOK_SECRET = "webhook-secret" },
        var.vertex_ai ? {} : { GEMINI_API_KEY = "gemini-api-key" },
      )
      database = "user"
      enqueues = ["ticks"]
      # a tick mostly waits for the model; the time-out ends before the task's deadline of 600 s does
      limits = { memory = "1Gi", timeout_s = 570, concurrency = 40, max_instances = 10 }
    }

    summarize = {
      description = "Runs what is due by the clock: wakes what no tick came for, archives what was said."
      is_public   = false
      called_by   = ["schedule"]
      environment = merge(
        { LULL_AGENTS = join(",", sort(var.agents)) },
        var.archive ? { LULL_ARCHIVE_BUCKET = local.archive_bucket } : {},
        var.archive_s3 == null ? {} : { LULL_ARCHIVE_S3 = jsonencode(var.archive_s3) },
      )
      optional = ["LULL_SWEEP_GRACE_S"]
      secrets  = {}
      database = "sweep"
      enqueues = ["ticks"]
      # it ends before its schedule's attempt does
      limits = { memory = "512Mi", timeout_s = 170, concurrency = 4, max_instances = 1 }
    }
  }

  settings_of_all   = ["LULL_LATER_S", "LULL_LOG_FORMAT", "LULL_QUIET_GROUP_S", "LULL_QUIET_PRIVATE_S"]
  optional_settings = { for name, function in local.functions : name => concat(local.settings_of_all, function.optional) }

  names = { for function in keys(local.functions) : function => "${var.name}-${replace(function, "_", "-")}" }

  # A function cannot ask for its own address while it is made, and the tick needs it to put itself off. This one follows
  # from the name, and is an audience that the function accepts; module function checks it against the real one.
  urls = { for function, name in local.names :
    function => "https://${var.region}-${var.project}.cloudfunctions.net/${name}"
  }
}

module "function" {
  source   = "./modules/function"
  for_each = local.functions

  project     = var.project
  region      = var.region
  name        = local.names[each.key]
  entry_point = each.key
  description = each.value.description
  url         = local.urls[each.key]
  runtime     = var.runtime
  bundle      = { path = "${var.bundles}/${each.key}.zip", bucket = module.sources.name }
  build       = { account = module.build.account, repository = module.build.repository }

  # It needs the database and its indexes. To build those takes minutes, within which Google comes to know everywhere what
  # the accounts may do: a build that starts sooner is refused its own bundle.
  after = [module.datastore.database]

  limits = merge(each.value.limits, {
    min_instances = coalesce(try(var.instances[each.key].min, null), 0)
    max_instances = coalesce(try(var.instances[each.key].max, null), each.value.limits.max_instances)
  })

  environment = merge(
    {
      GOOGLE_CLOUD_PROJECT = var.project
      LULL_QUEUE           = module.queue["ticks"].id
      LULL_TICK_URL        = local.urls["tick"]
      LULL_INVOKER         = module.queue["ticks"].caller.email
    },
    each.value.environment,
    { for name in local.optional_settings[each.key] : name => var.settings[name] if contains(keys(var.settings), name) },
  )
  secrets = { for variable, secret in each.value.secrets : variable => module.secret[secret] }

  is_public = each.value.is_public
  callers = { for caller in each.value.called_by :
    caller => caller == "schedule" ? module.schedule.caller.member : module.queue[caller].caller.member
  }
  project_roles = merge(
    { database = { role = module.datastore.roles[each.value.database], condition = module.datastore.condition } },
    each.key == "tick" && var.vertex_ai ? { vertex_ai = { role = "roles/aiplatform.user", condition = null } } : {},
  )
  enqueues = { for queue in each.value.enqueues : queue => module.queue[queue] }
  buckets = { for bucket in each.key == "summarize" ? module.archive : [] :
    "archive" => { name = bucket.name, role = one(local.archive_roles) }
  }

  depends_on = [google_project_service.api]
}
