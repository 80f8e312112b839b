# The archive's other place: a bucket in AWS, and two roles, each of which one Google account may take for an hour at a time.
# AWS knows accounts.google.com by itself: there is no provider to be made, and no key anywhere.

resource "aws_s3_bucket" "archive" {
  # checkov:skip=CKV_AWS_18: who takes a role stands in CloudTrail, and nobody reads it but for a restore
  # checkov:skip=CKV_AWS_144: this is the copy
  # checkov:skip=CKV_AWS_145: S3's own key does; another would need rights for the roles, and cost
  # checkov:skip=CKV2_AWS_61: nothing in it goes by itself
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

# Each role is one account's: what stores files cannot become what deletes them.
data "aws_iam_policy_document" "trust" {
  for_each = { archive = var.archive_identity, erase = var.erase_identity }

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
      values   = [each.value]
    }
    condition {
      test     = "StringEquals"
      variable = "accounts.google.com:sub"
      values   = [each.value]
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
  description          = "Stores lull's conversations, for the Google account ${var.archive_identity}."
  assume_role_policy   = data.aws_iam_policy_document.trust["archive"].json
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

resource "aws_iam_role" "erase" {
  name                 = "${var.role_name}-erase"
  description          = "Erases whom lull is to forget, for the Google account ${var.erase_identity}."
  assume_role_policy   = data.aws_iam_policy_document.trust["erase"].json
  max_session_duration = 3600
}

# It finds every version of a file by its name, deletes them, and stores what others said in it. It can read none. It is
# always said which version goes, for which s3:DeleteObject is not needed.
data "aws_iam_policy_document" "erase" {
  statement {
    actions   = ["s3:DeleteObjectVersion", "s3:PutObject"]
    resources = ["${aws_s3_bucket.archive.arn}/conversations/*"]
  }
  statement {
    actions   = ["s3:ListBucketVersions"]
    resources = [aws_s3_bucket.archive.arn]

    condition {
      test     = "StringLike"
      variable = "s3:prefix"
      values   = ["conversations/*"]
    }
  }
}

resource "aws_iam_role_policy" "erase" {
  name   = "erase"
  role   = aws_iam_role.erase.id
  policy = data.aws_iam_policy_document.erase.json
}
