variable "project" {
  description = "The project's id."
  type        = string
}

variable "name" {
  description = "What the names begin with."
  type        = string
}

variable "location" {
  description = "Where the documents are kept: a region or a multi-region. It can never be changed."
  type        = string

  validation {
    condition     = can(regex("^(eur3|nam5|nam7|[a-z]+-[a-z]+[0-9]+)$", var.location))
    error_message = "A location is a region like europe-west1, or eur3, nam5 or nam7."
  }
}

variable "indexes_after" {
  description = "What must be there before the indexes are built. The database does not wait for it."
  type        = list(string)
  default     = []
}

variable "suffix" {
  description = "What makes the custom role's id one that was not used before."
  type        = string
}

variable "backups" {
  description = "For how many days daily and weekly backups are kept."
  type        = object({ daily_days = number, weekly_days = number })
}

variable "delete_data" {
  description = "Whether destroying this deletes the database; else it is protected, and left behind with what expires in it."
  type        = bool
  default     = false
}
