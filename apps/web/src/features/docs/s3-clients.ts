export interface S3Pair {
  accessKeyId: string
  secretAccessKey: string
}

/** Stands for a pair that the reader has. */
export const SAMPLE_PAIR: S3Pair = { accessKeyId: 'TN…', secretAccessKey: '…' }

export const s3Clients = ['rclone', 'aws', 'restic', 'boto3', 's3cmd', 'mc', 'javascript'] as const
export type S3Client = (typeof s3Clients)[number]

/** How clients are configured: files where they have one, so that the secret is not in the history of a shell. */
export function s3Configurations(url: string, { accessKeyId, secretAccessKey }: S3Pair): Record<S3Client, string> {
  const host = url.replace(/^https?:\/\//, '')
  return {
    rclone: `# ~/.config/rclone/rclone.conf
[tidenet]
type = s3
provider = Other
access_key_id = ${accessKeyId}
secret_access_key = ${secretAccessKey}
endpoint = ${url}
region = us-east-1

# rclone lsd tidenet:
# rclone sync ./photos tidenet:photos`,
    aws: `# ~/.aws/config
[profile tidenet]
aws_access_key_id = ${accessKeyId}
aws_secret_access_key = ${secretAccessKey}
endpoint_url = ${url}
region = us-east-1
s3 =
  signature_version = s3v4
  addressing_style = path

# aws s3 mb s3://photos --profile tidenet
# aws s3 sync ./photos s3://photos --profile tidenet
# aws s3 presign s3://photos/cat.jpg --expires-in 3600 --profile tidenet`,
    restic: `# ~/tidenet.env, mode 0600
export AWS_ACCESS_KEY_ID=${accessKeyId}
export AWS_SECRET_ACCESS_KEY=${secretAccessKey}
export RESTIC_REPOSITORY=s3:${url}/backup

# . ~/tidenet.env
# restic init
# restic backup ~/documents`,
    boto3: `import boto3
from botocore.config import Config

s3 = boto3.client(
    "s3",
    endpoint_url="${url}",
    region_name="us-east-1",
    aws_access_key_id="${accessKeyId}",
    aws_secret_access_key="${secretAccessKey}",
    config=Config(signature_version="s3v4", s3={"addressing_style": "path"}),
)
s3.create_bucket(Bucket="documents")
s3.upload_file("report.pdf", "documents", "2026/report.pdf")`,
    s3cmd: `# ~/.s3cfg
[default]
access_key = ${accessKeyId}
secret_key = ${secretAccessKey}
host_base = ${host}
host_bucket = ${host}
use_https = ${url.startsWith('https:') ? 'True' : 'False'}
bucket_location = us-east-1

# s3cmd mb s3://photos
# s3cmd sync ./photos/ s3://photos/`,
    mc: `# ~/.mc/config.json
{
  "version": "10",
  "aliases": {
    "tidenet": {
      "url": "${url}",
      "accessKey": "${accessKeyId}",
      "secretKey": "${secretAccessKey}",
      "api": "S3v4",
      "path": "on"
    }
  }
}`,
    javascript: `import { S3Client } from '@aws-sdk/client-s3'

const s3 = new S3Client({
  endpoint: '${url}',
  region: 'us-east-1',
  forcePathStyle: true,
  credentials: { accessKeyId: '${accessKeyId}', secretAccessKey: '${secretAccessKey}' },
})`,
  }
}
