variable "name" {
  description = "The bucket's name, which no other bucket in the world has."
  type        = string

  validation {
    condition     = can(regex("^[a-z0-9][a-z0-9._-]{1,61}[a-z0-9]$", var.name))
    error_message = "A bucket's name is 3 to 63 small letters, digits, dots, hyphens and underscores."
  }
}

variable "location" {
  description = "Where its files are kept: a region, or EU or US. Elsewhere it would be another bucket, so give that another name."
  type        = string
}

variable "keep_replaced_days" {
  description = "How many days a replaced or deleted file is kept. Null: for ever."
  type        = number
  default     = null
}

variable "delete_after_days" {
  description = "After how many days each file is deleted, of which no older version is kept then. Null: never."
  type        = number
  default     = null
}

variable "delete_files" {
  description = "Whether destroying the bucket deletes it with what is in it; else it stays where it is, and is only forgotten."
  type        = bool
  default     = false
}
