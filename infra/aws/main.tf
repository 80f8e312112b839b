# The archive's other place: a bucket in AWS, and a role that one Google account may take for an hour at a time. AWS knows
# accounts.google.com by itself: there is no provider to be made, and no key anywhere.

resource "aws_s3_bucket" "archive" {
  # checkov:skip=CKV_AWS_18: who writes stands in CloudTrail, and nobody reads it but for a restore
  # checkov:skip=CKV_AWS_144: this is the copy
  # checkov:skip=CKV_AWS_145: S3's own key does; another would need rights for the role, and cost
  # checkov:skip=CKV2_AWS_61: nothing in it is ever to be deleted
  # checkov:skip=CKV2_AWS_62: nobody waits for its files

  bucket = var.bucket
}

resource "aws_s3_bucket_public_access_block" "archive" {
  bucket = aws_s3_bucket.archive.id

  block_public_acls       = true
  block_public_policy     = true
  ignore_public_acls      = true
  restrict_public_buckets = true
}

resource "aws_s3_bucket_ownership_controls" "archive" {
  bucket = aws_s3_bucket.archive.id

  rule {
    object_ownership = "BucketOwnerEnforced"
  }
}

# A file that is written again keeps what it was.
resource "aws_s3_bucket_versioning" "archive" {
  bucket = aws_s3_bucket.archive.id

  versioning_configuration {
    status = "Enabled"
  }
}

resource "aws_s3_bucket_server_side_encryption_configuration" "archive" {
  bucket = aws_s3_bucket.archive.id

  rule {
    apply_server_side_encryption_by_default {
      sse_algorithm = "AES256"
    }
  }
}

data "aws_iam_policy_document" "trust" {
  statement {
    actions = ["sts:AssumeRoleWithWebIdentity"]

    principals {
      type        = "Federated"
      identifiers = ["accounts.google.com"]
    }
    # of a service account's token, `aud` is the account's number here, and `oaud` whom the token is for
    condition {
      test     = "StringEquals"
      variable = "accounts.google.com:aud"
      values   = [var.google_identity]
    }
    condition {
      test     = "StringEquals"
      variable = "accounts.google.com:sub"
      values   = [var.google_identity]
    }
    condition {
      test     = "StringEquals"
      variable = "accounts.google.com:oaud"
      values   = ["lull-archive"]
    }
  }
}

resource "aws_iam_role" "archive" {
  name                 = var.role_name
  description          = "Stores lull's conversations, for the Google account ${var.google_identity}."
  assume_role_policy   = data.aws_iam_policy_document.trust.json
  max_session_duration = 3600
}

# It can neither read what is there nor delete any version of it.
data "aws_iam_policy_document" "store" {
  statement {
    actions   = ["s3:PutObject"]
    resources = ["${aws_s3_bucket.archive.arn}/conversations/*"]
  }
}

resource "aws_iam_role_policy" "store" {
  name   = "store"
  role   = aws_iam_role.archive.id
  policy = data.aws_iam_policy_document.store.json
}
