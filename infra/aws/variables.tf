variable "bucket" {
  description = "The bucket's name, which no other bucket of AWS has."
  type        = string

  validation {
    condition     = can(regex("^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$", var.bucket))
    error_message = "A bucket's name is 3 to 63 small letters, digits, dots and hyphens."
  }
}

variable "region" {
  description = "Where the files are kept: a region of AWS, like eu-west-1."
  type        = string
  default     = "eu-west-1"

  validation {
    condition     = can(regex("^[a-z]{2}(-[a-z]+)+-[0-9]$", var.region))
    error_message = "region is a region of AWS, like eu-west-1."
  }
}

variable "role_name" {
  description = "The role's name."
  type        = string
  default     = "lull-archive"
}

variable "google_identity" {
  description = "The number of the Google account that archives: the output archive_identity of infra."
  type        = string

  validation {
    condition     = can(regex("^[0-9]{15,30}$", var.google_identity))
    error_message = "google_identity is the account's number, not its e-mail address."
  }
}
