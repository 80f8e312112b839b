# None of these is ever in a plan or in the state. Terraform wants the values at every run, but writes them only when
# their number in secret_versions is another than before.

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
  description = "What Telegram sends with each update, so that nobody else can: 32 to 256 letters, digits, _ and -."
  type        = string
  sensitive   = true
  ephemeral   = true

  validation {
    condition     = can(regex("^[A-Za-z0-9_-]{32,256}$", var.webhook_secret))
    error_message = "webhook_secret is 32 to 256 letters, digits, _ and - (openssl rand -hex 32 makes one)."
  }
}

variable "gemini_api_key" {
  description = "The key of Gemini's API. Null with vertex_ai."
  type        = string
  default     = null
  sensitive   = true
  ephemeral   = true

  validation {
    condition     = var.vertex_ai == (var.gemini_api_key == null)
    error_message = "gemini_api_key is needed without vertex_ai, and of no use with it."
  }
}

variable "secret_versions" {
  description = "A number for each secret's value. Another number writes the value anew and restarts the functions that read it."
  type = object({
    bot_tokens     = optional(number, 1)
    webhook_secret = optional(number, 1)
    gemini_api_key = optional(number, 1)
  })
  default = {}
}
