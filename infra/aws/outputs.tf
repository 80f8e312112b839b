output "archive_s3" {
  description = "The value for the variable archive_s3 of infra."
  value = {
    bucket     = aws_s3_bucket.archive.id
    region     = var.region
    role       = aws_iam_role.archive.arn
    erase_role = aws_iam_role.erase.arn
  }
}
