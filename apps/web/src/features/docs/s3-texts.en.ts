export const texts = {
  title: 'S3',
  intro:
    'Use Tidenet as object storage from rclone, restic, the AWS CLI and SDKs. Your objects are the files that you see in the portal.',
  createKey: 'Get an access key',
  connect: 'Connect',
  settings: [
    [
      'Keys',
      'An access key ID and a secret come with every API key, and are shown once. They can do what the API key can do.',
    ],
    ['Region', 'Any. Clients that require one take us-east-1.'],
    ['Addressing', 'Path-style: endpoint/bucket/key.'],
    ['Signature', 'Version 4. For presigned URLs, set s3v4 in the AWS CLI and boto3.'],
  ],
  endpoint: 'Endpoint',
  copyEndpoint: 'Copy endpoint',
  noEndpoint:
    'This network has no S3 endpoint. You can run the gateway beside your programs, with your own access key:',
  ownGateway: 'gateway beside your programs',
  clients: 'Configure a client',
  clientNames: {
    rclone: 'rclone',
    aws: 'AWS CLI',
    restic: 'restic',
    boto3: 'boto3',
    s3cmd: 's3cmd',
    mc: 'mc',
    javascript: 'JavaScript',
  },
  configuration: (client: string) => `configuration for ${client}`,
  files: 'Buckets, keys and files',
  facts: [
    [
      'Bucket',
      'A folder at the top level of your files. A folder with a name that S3 clients do not accept is folder-<id>.',
    ],
    ['Key', 'The path below that folder. Files in no folder are in no bucket.'],
    [
      'Unusual keys',
      'Keys that no file name can be are kept exactly. The portal shows a readable name, such as “(empty name)”. Renaming the file in the portal also changes the key.',
    ],
    ['Same names', 'Of several files with one name in a folder, S3 shows the newest.'],
    ['Delete', 'Deleted objects are in the trash for 30 days.'],
    ['Replace', 'Replacing an object keeps what it contained as a version of the file.'],
    [
      'Versions',
      'With versioning enabled for a bucket, versions and deleted objects stay until you delete them. They count as used storage.',
    ],
    ['Lifecycle rules', 'Delete objects, versions and unfinished uploads by age, prefix, tags and size.'],
    [
      'ETag',
      'The MD5 of the bytes; of an upload in parts, the MD5 of the MD5s and the number of parts. Files that came without an MD5 have a stable value that ends with -1.',
    ],
    [
      'Encryption',
      'Encrypted files are downloaded as age files. S3 clients cannot write to encrypted folders: use restic or rclone crypt instead.',
    ],
    ['Folders stored as one item', 'They are listed, but not downloaded over S3. Use the portal or “tidenet get”.'],
  ],
  limits: 'Limits',
  limitRows: [
    ['One request or part', '5 GiB'],
    ['Parts of an upload', '10,000, each at least 5 MiB except the last'],
    ['Unfinished uploads', '7 days'],
    ['Key', '1,024 bytes'],
    ['Metadata', '2 KiB'],
    ['Presigned URL', '7 days'],
    [
      'Cap of traffic',
      'If the API key has one, downloads and uploads count with the size of the object. Ranges of one object count as one download; an upload in parts takes its size, or about three times as much if parts are not a multiple of 256 KiB.',
    ],
  ],
  missing:
    'Not implemented: object lock and public access over S3, encryption by the gateway, and storage classes other than STANDARD. Requests for them get NotImplemented.',
  docs: 'S3 clients',
}

export type Texts = typeof texts
