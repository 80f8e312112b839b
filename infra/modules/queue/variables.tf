variable "region" {
  description = "The queue's region."
  type        = string
}

variable "name" {
  description = "The queue's name. A deleted queue's name stays taken for 7 days."
  type        = string

  validation {
    condition     = can(regex("^[A-Za-z0-9-]{1,100}$", var.name))
    error_message = "A queue's name is 1 to 100 letters, digits and hyphens."
  }
}

variable "caller_account" {
  description = "The name of the account that the queue's tasks are delivered by."
  type        = string
}

variable "at_once" {
  description = "How many tasks run at the same time."
  type        = number

  validation {
    condition     = var.at_once >= 1 && var.at_once <= 5000
    error_message = "A queue runs 1 to 5000 tasks at once."
  }
}

variable "retries" {
  description = "What happens to a task that fails. It is given up when it was tried that often and for that long, both."
  type = object({
    attempts        = number
    for_at_least_s  = number
    first_after_s   = number
    longest_after_s = number
    doublings       = number
  })

  validation {
    condition     = var.retries.attempts >= 1
    error_message = "A task without an end to its attempts hides that it can never succeed."
  }
}

variable "paused" {
  description = "Whether tasks wait instead of being delivered."
  type        = bool
  default     = false
}
