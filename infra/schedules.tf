# The jobs themselves are in schedules.yaml, which `make dev` fires too.

module "schedule" {
  source = "./modules/schedule"

  region         = var.region
  caller_account = "${var.name}-schedule"
  paused         = var.paused
  jobs = { for job in yamldecode(file("${path.module}/schedules.yaml")).schedules :
    "${var.name}-${job.name}" => {
      description      = job.description
      schedule         = job.schedule
      time_zone        = job.time_zone
      url              = local.urls[job.function]
      body             = replace(jsonencode(job.body), "WEBHOOK_URL", module.function["webhook"].uri)
      attempt_deadline = job.attempt_deadline
    } if job.name != "archive" || var.archive || var.archive_s3 != null
  }

  depends_on = [google_project_service.api]
}
