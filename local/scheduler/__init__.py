"""Cloud Scheduler on this machine: the jobs of `infra/schedules.yaml`, fired at the local functions.

`python -m local.scheduler --function summarize=URL`. What it keeps of the real one: unix-cron with time zones, the
headers, one run of a job at a time, attempts with a deadline, retries with growing pauses up to the next scheduled
moment, forced runs, pausing. Its OIDC tokens are unsigned
(`local/cloud_tasks/oidc.py`). What it leaves out: the management API, and runs missed while it was down.
"""
