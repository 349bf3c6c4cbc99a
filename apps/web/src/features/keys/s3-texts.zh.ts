import type { Texts } from './s3-texts.en.ts'

export const texts: Texts = {
  title: 'S3 访问密钥',
  text: '供 rclone、restic、AWS CLI 等 S3 客户端使用，权限与该 API 密钥相同，并随其失效。',
  id: 'S3 Access Key ID',
  copyId: '复制 S3 Access Key ID',
  secret: 'S3 Secret Access Key',
  copySecret: '复制 S3 Secret Access Key',
  address: '本网络的 S3 Endpoint',
  copyAddress: '复制 S3 Endpoint',
  examples: 'S3 客户端配置',
  clients: {
    rclone: 'rclone',
    aws: 'AWS CLI',
    restic: 'restic',
    boto3: 'boto3',
    s3cmd: 's3cmd',
    mc: 'mc',
    javascript: 'JavaScript',
  },
  configuration: (client) => `${client} 配置`,
  of: (id) => `S3 访问密钥 ${id}`,
  none: '暂无 S3 访问密钥，轮换密钥后即可获得。',
  useTitle: '使用 S3 客户端',
  more: 'S3 的存储桶、键与限制',
}
