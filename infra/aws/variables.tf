variable "bucket" {
  description = "The bucket's name. It must be unique among all buckets of AWS."
  type        = string

  validation {
    condition     = can(regex("^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$", var.bucket))
    error_message = "A bucket's name is 3 to 63 small letters, digits, dots and hyphens."
  }
}

variable "region" {
  description = "The AWS region of the bucket, such as eu-west-1."
  type        = string
  default     = "eu-west-1"

  validation {
    condition     = can(regex("^[a-z]{2}(-[a-z]+)+-[0-9]$", var.region))
    error_message = "region is a region of AWS, like eu-west-1."
  }
}

variable "role_name" {
  description = "The name of the role that archives. The name of the role that erases is the same with `-erase` appended."
  type        = string
  default     = "lull-archive"
}

variable "archive_identity" {
  description = "The number of the Google account that archives: the output archive_identity of infra."
  type        = string

  validation {
    condition     = can(regex("^[0-9]{15,30}$", var.archive_identity))
    error_message = "archive_identity is the account's number, not its e-mail address."
  }
}

variable "erase_identity" {
  description = "The number of the Google account that erases people's data: the output erase_identity of infra."
  type        = string

  validation {
    condition     = can(regex("^[0-9]{15,30}$", var.erase_identity))
    error_message = "erase_identity is the account's number, not its e-mail address."
  }

  validation {
    condition     = var.erase_identity != var.archive_identity
    error_message = "erase_identity is another account than archive_identity: what archives deletes nothing."
  }
}
