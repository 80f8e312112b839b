variable "project" {
  description = "The project's id."
  type        = string
}

variable "name" {
  description = "The prefix of the names of metrics and alerts."
  type        = string
}

variable "functions" {
  description = "Names of functions: those with metrics of their own (webhook, tick, keeper), those that call models (askers), and all."
  type        = object({ webhook = string, tick = string, keeper = string, askers = list(string), all = list(string) })

  validation {
    condition     = length(setsubtract(concat([var.functions.webhook, var.functions.tick, var.functions.keeper], var.functions.askers), var.functions.all)) == 0
    error_message = "all holds webhook, tick, keeper and those that ask models too."
  }
}

variable "ticks_queue" {
  description = "The name of the ticks' queue."
  type        = string
}

variable "labels" {
  description = "Labels of alerts and notification channels, which do not get the provider's default labels."
  type        = map(string)
  default     = {}
}

variable "alert_emails" {
  description = "E-mail addresses to which alerts are sent."
  type        = set(string)
  default     = []
}

variable "limits" {
  description = "Limits above which alerts are raised."
  type        = object({ errors = number, tick_seconds = number, late_seconds = number, model_usd_per_day = number, refused = number })
}

variable "paused" {
  description = "Whether schedules are paused. Then no canary is sent, and the alert for missing canaries is disabled."
  type        = bool
  default     = false
}
