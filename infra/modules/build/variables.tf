variable "project" {
  description = "The project's id."
  type        = string
}

variable "region" {
  description = "Where the containers are kept."
  type        = string
}

variable "name" {
  description = "What the names begin with."
  type        = string
}

variable "sources" {
  description = "The bucket with the bundles."
  type        = string
}
