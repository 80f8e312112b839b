variable "name" {
  description = "The bucket's name. It must be unique among all buckets of Cloud Storage."
  type        = string

  validation {
    condition     = can(regex("^[a-z0-9][a-z0-9._-]{1,61}[a-z0-9]$", var.name))
    error_message = "A bucket's name is 3 to 63 small letters, digits, dots, hyphens and underscores."
  }
}

variable "location" {
  description = "The bucket's location: a region, EU or US. A bucket cannot move, so a new location needs a new name."
  type        = string
}

variable "keep_replaced_days" {
  description = "Days for which replaced or deleted files are kept. Null: forever."
  type        = number
  default     = null
}

variable "delete_after_days" {
  description = "Days after which each file is deleted; if set, the bucket keeps no older versions. Null: files are never deleted."
  type        = number
  default     = null
}

variable "delete_files" {
  description = "Whether a destroy deletes the bucket and its files. Otherwise the bucket remains, and is only removed from the state."
  type        = bool
  default     = false
}
