locals {
  secrets = merge(
    {
      bot-tokens     = var.secret_versions.bot_tokens
      console-secret = var.secret_versions.console_secret
      webhook-secret = var.secret_versions.webhook_secret
    },
    local.has_gemini_key ? { gemini-api-key = var.secret_versions.gemini_api_key } : {},
    var.console_login_bot == "" ? {} : { console-login = var.secret_versions.console_login_secret },
    local.has_providers ? { provider-keys = var.secret_versions.model_provider_keys } : {},
  )
  secret_values = {
    bot-tokens     = jsonencode({ for agent in var.agents : agent => var.bot_tokens[agent] })
    console-secret = var.console_secret
    console-login  = var.console_login_secret
    webhook-secret = var.webhook_secret
    gemini-api-key = var.gemini_api_key
    provider-keys  = jsonencode({ for provider in keys(var.model_providers) : provider => var.model_provider_keys[provider] })
  }
}

module "secret" {
  source   = "./modules/secret"
  for_each = local.secrets

  name          = "${var.name}-${each.key}"
  value         = local.secret_values[each.key]
  value_version = each.value

  depends_on = [google_project_service.api]
}
