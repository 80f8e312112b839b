terraform {
  required_version = ">= 1.11"

  required_providers {
    aws = {
      source  = "hashicorp/aws"
      version = ">= 5.100, < 7.0"
    }
  }
}

provider "aws" {
  region = var.region

  default_tags {
    tags = { app = "lull", managed_by = "terraform" }
  }
}
