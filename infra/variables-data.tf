variable "adopt_database" {
  description = "Import the project's default database, since it exists already, perhaps from an earlier deployment."
  type        = bool
  default     = false
}

variable "adopt_archive" {
  description = "Import the archive's bucket, since it exists already from an earlier deployment."
  type        = bool
  default     = false
}

variable "adopt_erasures" {
  description = "Import the bucket that lists forgotten people, since it exists already from an earlier deployment."
  type        = bool
  default     = false
}

variable "delete_data" {
  description = "Let `terraform destroy` delete the database, the archive and the list of forgotten people. Apply this before the destroy."
  type        = bool
  default     = false
}

variable "backups" {
  description = "Days for which daily and weekly backups of the database are kept; at most 98."
  type        = object({ daily_days = optional(number, 7), weekly_days = optional(number, 56) })
  default     = {}

  validation {
    condition     = alltrue([for days in values(var.backups) : days >= 1 && days <= 98])
    error_message = "backups are kept for 1 to 98 days (14 weeks)."
  }
}

variable "archive" {
  description = "Archive conversations each night as JSONL in a bucket that keeps every version of a file."
  type        = bool
  default     = false
}

variable "archive_s3" {
  description = "An S3 bucket in which conversations are archived, too, and the roles for it: the output archive_s3 of infra/aws."
  type        = object({ bucket = string, region = string, role = string, erase_role = optional(string) })
  default     = null

  validation {
    condition = var.archive_s3 == null || can([
      for role in concat([var.archive_s3.role], compact([var.archive_s3.erase_role])) :
      regex("^arn:aws[a-z-]*:iam::[0-9]{12}:role/.+$", role)
    ])
    error_message = "archive_s3's role looks like arn:aws:iam::123456789012:role/lull-archive, and so does its erase_role."
  }
}

variable "media_days" {
  description = "Days after which stored photos, videos and audio of people are deleted. Their descriptions are kept."
  type        = number
  default     = 30

  validation {
    condition     = var.media_days >= 1 && floor(var.media_days) == var.media_days
    error_message = "media_days is a whole number of days, at least 1."
  }
}
