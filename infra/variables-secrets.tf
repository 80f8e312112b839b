# Neither plans nor the state contain these values. Terraform needs them at each run, but writes a value only when its
# number in secret_versions changes.

variable "bot_tokens" {
  description = "The bot token of each agent, from BotFather."
  type        = map(string)
  sensitive   = true
  ephemeral   = true

  validation {
    condition     = alltrue([for agent in var.agents : can(regex("^[0-9]+:[A-Za-z0-9_-]+$", var.bot_tokens[agent]))])
    error_message = "bot_tokens needs a token like 123456:ABC-DEF for each of agents."
  }
}

variable "webhook_secret" {
  description = "The secret by which the webhook recognizes Telegram's requests: 32 to 256 letters, digits, _ and -."
  type        = string
  sensitive   = true
  ephemeral   = true

  validation {
    condition     = can(regex("^[A-Za-z0-9_-]{32,256}$", var.webhook_secret))
    error_message = "webhook_secret is 32 to 256 letters, digits, _ and - (openssl rand -hex 32 makes one)."
  }
}

variable "console_secret" {
  description = "The secret that signs the cookies of signed-in owners: at least 32 characters. A new secret signs everybody out."
  type        = string
  sensitive   = true
  ephemeral   = true

  validation {
    condition     = try(length(var.console_secret) >= 32, false)
    error_message = "console_secret has 32 characters at least (openssl rand -hex 32 makes one)."
  }
}

variable "gemini_api_key" {
  description = "The key of Gemini's API. Null with vertex_ai, or if no model is Gemini's."
  type        = string
  default     = null
  sensitive   = true
  ephemeral   = true

  validation {
    condition     = var.vertex_ai ? var.gemini_api_key == null : var.gemini_api_key != null || !local.uses_gemini
    error_message = "gemini_api_key is needed without vertex_ai if a model is Gemini's, and of no use with vertex_ai."
  }
}

variable "model_provider_keys" {
  description = "The API key of each provider in model_providers. Write any word for a server that needs no key."
  type        = map(string)
  default     = {}
  sensitive   = true
  ephemeral   = true

  validation {
    condition     = alltrue([for provider in keys(var.model_providers) : try(length(var.model_provider_keys[provider]) > 0, false)])
    error_message = "model_provider_keys needs a key for each of model_providers; any word for a server that wants none."
  }
  validation {
    condition     = length(setsubtract(keys(var.model_provider_keys), keys(var.model_providers))) == 0
    error_message = "model_provider_keys has a key for a provider that model_providers does not name."
  }
}

variable "console_login_secret" {
  description = "The client secret of console_login_bot's web login, from BotFather."
  type        = string
  default     = null
  sensitive   = true
  ephemeral   = true

  validation {
    condition     = var.console_login_bot == "" || try(length(var.console_login_secret) > 0, false)
    error_message = "console_login_secret is needed with console_login_bot: BotFather shows it beside the web login."
  }
}

variable "secret_versions" {
  description = "A number for each secret. Changing it writes the secret's value again and restarts the functions that read it."
  type = object({
    bot_tokens           = optional(number, 1)
    webhook_secret       = optional(number, 1)
    console_secret       = optional(number, 1)
    gemini_api_key       = optional(number, 1)
    console_login_secret = optional(number, 1)
    model_provider_keys  = optional(number, 1)
  })
  default = {}
}
