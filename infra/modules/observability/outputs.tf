output "dashboard_url" {
  description = "The URL of the dashboard in the Google Cloud console."
  value       = "https://console.cloud.google.com/monitoring/dashboards/builder/${basename(google_monitoring_dashboard.this.id)}?project=${var.project}"
}
