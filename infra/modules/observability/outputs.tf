output "dashboard_url" {
  description = "The dashboard's page in the console."
  value       = "https://console.cloud.google.com/monitoring/dashboards/builder/${basename(google_monitoring_dashboard.this.id)}?project=${var.project}"
}
