variable "project" {
  description = "The project's id."
  type        = string
}

variable "name" {
  description = "The prefix of the names."
  type        = string
}

variable "location" {
  description = "The database's location: a region or a multi-region. It can never be changed."
  type        = string

  validation {
    condition     = can(regex("^(eur3|nam5|nam7|[a-z]+-[a-z]+[0-9]+)$", var.location))
    error_message = "A location is a region like europe-west1, or eur3, nam5 or nam7."
  }
}

variable "indexes_after" {
  description = "Resources that must exist before the indexes are built. The database does not wait for them."
  type        = list(string)
  default     = []
}

variable "suffix" {
  description = "A suffix that makes the ids of custom roles new, since the ids of deleted roles stay reserved."
  type        = string
}

variable "backups" {
  description = "Days for which daily and weekly backups are kept."
  type        = object({ daily_days = number, weekly_days = number })
}

variable "delete_data" {
  description = "Whether a destroy deletes the database. Otherwise the database is protected and remains, and its documents still expire."
  type        = bool
  default     = false
}
