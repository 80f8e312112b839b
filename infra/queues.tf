locals {
  # Tasks at once, at most as many as the instances can run: if a full function rejects tasks, the whole queue slows
  # down.
  at_once = { for name, function in local.functions :
    name => function.limits.concurrency * coalesce(try(var.instances[name].max, null), function.limits.max_instances)
  }

  queues = {
    # A failed tick is retried for an hour, at growing intervals; after that, the sweep wakes its chat.
    ticks = {
      at_once = local.at_once["tick"]
      retries = { attempts = 20, for_at_least_s = 3600, first_after_s = 1, longest_after_s = 300, doublings = 8 }
    }
    # These retries are for a failed function; the sweep retries files that could not be described. The first retry is
    # soon because somebody may wait for an answer to a voice message.
    media = {
      at_once = local.at_once["describe_media"]
      retries = { attempts = 5, for_at_least_s = 0, first_after_s = 5, longest_after_s = 300, doublings = 6 }
    }
    # Work that nobody waits for, such as making notes of resting conversations, with one task for each conversation.
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
