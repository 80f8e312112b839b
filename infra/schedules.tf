# schedules.yaml lists the jobs; `make dev` runs them, too.

locals {
  jobs = yamldecode(file("${path.module}/schedules.yaml")).schedules
}

module "schedule" {
  source = "./modules/schedule"

  region = var.region
  callers = { for name, function in local.functions :
    name => "${var.name}-clock-${name}" if contains(function.called_by, "schedule")
  }
  paused = var.paused
  jobs = { for job in local.jobs :
    "${var.name}-${job.name}" => {
      function         = job.function
      description      = job.description
      schedule         = job.schedule
      time_zone        = job.time_zone
      url              = local.urls[job.function]
      body             = jsonencode(job.body)
      attempt_deadline = job.attempt_deadline
    } if job.name != "archive" || var.archive || var.archive_s3 != null
  }

  depends_on = [google_project_service.api]
}
