output "archive_s3" {
  description = "What the variable archive_s3 of infra takes."
  value = {
    bucket     = aws_s3_bucket.archive.id
    region     = var.region
    role       = aws_iam_role.archive.arn
    erase_role = aws_iam_role.erase.arn
  }
}
