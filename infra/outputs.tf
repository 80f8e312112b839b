output "webhook_urls" {
  description = "Where Telegram is to send each agent's updates (setWebhook)."
  value       = { for agent in var.agents : agent => "${module.function["webhook"].uri}/${agent}" }
}

output "console" {
  description = "Where the owner signs in to the console. Nobody else needs to know it."
  value       = "${module.console.uri}/${local.console_door}"
}

output "queues" {
  description = "The queues by what they are for, as their full names."
  value       = { for name, queue in module.queue : name => queue.id }
}

output "dashboard" {
  description = "Where the way of a message can be watched."
  value       = module.observability.dashboard_url
}

output "archive" {
  description = "The bucket of the archived transcripts; null if there is none."
  value       = one(module.archive[*].name)
}

output "erasures" {
  description = "The bucket in which it is told who was forgotten: a restore takes them from there."
  value       = module.erasures.name
}

output "archive_identity" {
  description = "Who writes to an archive in another cloud: archive_identity of infra/aws."
  value       = module.function["summarize"].identity
}

output "erase_identity" {
  description = "Who erases from an archive in another cloud: erase_identity of infra/aws."
  value       = module.function["erase"].identity
}

output "canary_job" {
  description = "The job that sends a canary (make canary); null while everything is paused."
  value       = var.paused ? null : module.schedule.jobs["${var.name}-canary"]
}
