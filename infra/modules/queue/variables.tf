variable "region" {
  description = "The queue's region."
  type        = string
}

variable "name" {
  description = "The queue's name. A deleted queue's name stays reserved for 7 days."
  type        = string

  validation {
    condition     = can(regex("^[A-Za-z0-9-]{1,100}$", var.name))
    error_message = "A queue's name is 1 to 100 letters, digits and hyphens."
  }
}

variable "caller_account" {
  description = "The name of the account that delivers the queue's tasks."
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
  description = "Retries of a failed task. It is given up only after both `attempts` tries and `for_at_least_s` seconds."
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
  description = "Whether the queue is paused: tasks are stored, but not delivered."
  type        = bool
  default     = false
}
