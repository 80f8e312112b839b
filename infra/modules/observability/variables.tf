variable "project" {
  description = "The project's id."
  type        = string
}

variable "name" {
  description = "What the names of metrics and alerts begin with."
  type        = string
}

variable "functions" {
  description = "The names of the functions that are told apart, of those that ask models, and of all."
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
  description = "Labels of alerts and of who is told; the provider's own do not reach them."
  type        = map(string)
  default     = {}
}

variable "alert_emails" {
  description = "Who is told."
  type        = set(string)
  default     = []
}

variable "limits" {
  description = "When the alerts speak."
  type        = object({ errors = number, tick_seconds = number, late_seconds = number, model_usd_per_day = number, refused = number })
}

variable "paused" {
  description = "Whether the schedules wait: then no canary goes, and nobody is told that none passed."
  type        = bool
  default     = false
}
