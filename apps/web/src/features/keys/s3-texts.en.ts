export const texts = {
  title: 'S3 access key',
  text: 'For S3 clients such as rclone, restic and the AWS CLI. It can do what the API key can do, and ends with it.',
  id: 'S3 access key ID',
  copyId: 'Copy S3 access key ID',
  secret: 'S3 secret access key',
  copySecret: 'Copy S3 secret access key',
  address: 'S3 endpoint of this network',
  copyAddress: 'Copy S3 endpoint',
  examples: 'Configuration of S3 clients',
  clients: {
    rclone: 'rclone',
    aws: 'AWS CLI',
    restic: 'restic',
    boto3: 'boto3',
    s3cmd: 's3cmd',
    mc: 'mc',
    javascript: 'JavaScript',
  },
  configuration: (client: string) => `configuration for ${client}`,
  of: (id: string) => `S3 access key ${id}`,
  none: 'No S3 access key yet. Rotate the key to get one.',
  useTitle: 'With S3 clients',
  more: 'Buckets, keys and limits of S3',
}

export type Texts = typeof texts
