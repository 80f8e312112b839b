locals {
  # no more at once than the instances take: what a full function turns away slows the whole queue
  at_once = { for name, function in local.functions :
    name => function.limits.concurrency * coalesce(try(var.instances[name].max, null), function.limits.max_instances)
  }

  queues = {
    # A tick that fails is tried again soon, then ever more slowly, for an hour; after that the sweep wakes its chat.
    ticks = {
      at_once = local.at_once["tick"]
      retries = { attempts = 20, for_at_least_s = 3600, first_after_s = 1, longest_after_s = 300, doublings = 8 }
    }
    # A file that could not be described is looked after by the sweep: this is for a function that failed. Somebody may
    # wait for what was said in a voice message.
    media = {
      at_once = local.at_once["describe_media"]
      retries = { attempts = 5, for_at_least_s = 0, first_after_s = 5, longest_after_s = 300, doublings = 6 }
    }
    # What nobody waits for: conversations that rest are noted, each by a task of its own.
    background = {
      at_once = local.at_once["summarize"]
      retries = { attempts = 5, for_at_least_s = 0, first_after_s = 30, longest_after_s = 3600, doublings = 6 }
    }
  }
}

module "queue" {
  source   = "./modules/queue"
  for_each = local.queues

  region         = var.region
  name           = "${var.name}-${each.key}-${local.suffix}"
  caller_account = "${var.name}-${each.key}"
  at_once        = each.value.at_once
  retries        = each.value.retries
  paused         = var.paused

  depends_on = [google_project_service.api]
}
