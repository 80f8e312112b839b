variable "project" {
  description = "The project's id."
  type        = string
}

variable "region" {
  description = "The region in which the containers are stored."
  type        = string
}

variable "name" {
  description = "The prefix of the names."
  type        = string
}

variable "sources" {
  description = "The bucket with the bundles."
  type        = string
}
