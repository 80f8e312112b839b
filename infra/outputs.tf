output "webhook_urls" {
  description = "The URL to which Telegram sends each agent's updates (setWebhook)."
  value       = { for agent in var.agents : agent => "${module.function["webhook"].uri}/${agent}" }
}

output "console" {
  description = "The URL at which owners sign in to the console. Nobody else needs to know it."
  value       = "${module.console.uri}/${local.console_door}"
}

output "queues" {
  description = "The full name of each queue."
  value       = { for name, queue in module.queue : name => queue.id }
}

output "dashboard" {
  description = "The URL of the dashboard, which shows the path of messages through lull."
  value       = module.observability.dashboard_url
}

output "archive" {
  description = "The bucket of the archived transcripts; null if there is none."
  value       = one(module.archive[*].name)
}

output "erasures" {
  description = "The bucket that lists forgotten people. Restoring the database needs this list."
  value       = module.erasures.name
}

output "archive_identity" {
  description = "The number of the account that archives: the variable archive_identity of infra/aws."
  value       = module.function["summarize"].identity
}

output "erase_identity" {
  description = "The number of the account that erases from archives: the variable erase_identity of infra/aws."
  value       = module.function["erase"].identity
}

output "canary_job" {
  description = "The scheduled job that `make canary` runs; null while everything is paused."
  value       = var.paused ? null : module.schedule.jobs["${var.name}-canary"]
}
