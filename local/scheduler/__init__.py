"""Cloud Scheduler on this machine: calls the local functions at the times of the jobs in `infra/schedules.yaml`.

`python -m local.scheduler --function summarize=URL`. It supports these features of the real service: unix-cron with
time zones, the headers, one run of a job at a time, attempts with a deadline, retries with growing pauses up to the
next scheduled time, forced runs, and pausing. Its OIDC tokens are unsigned (`local/cloud_tasks/oidc.py`). It lacks the
management API, and does not make up for runs missed while it was down.
"""
