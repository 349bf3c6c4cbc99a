import type { Texts } from './start-texts.en.ts'

export const texts: Texts = {
  title: '快速开始',
  intro: '从创建 API 密钥到完成首次经校验的上传，不到两分钟。',
  createKey: '创建 API 密钥',
  keyTitle: '1. 创建密钥',
  keyText:
    '密钥仅显示一次，请用它替换下方的 tnk_…；S3 访问密钥会一并显示。为智能体创建密钥时，建议设置权限、到期时间和流量上限。',
  uploadTitle: '2. 上传并校验',
  ways: {
    cli: {
      title: '命令行',
      text: '需要 Node.js 20.19 或更高版本。命令行会将 CID 与节点回执核对，并校验下载的每个数据块。',
    },
    sdk: { title: 'SDK', text: '适用于 Node.js 20.19 或更高版本及浏览器。下载的每个数据块都按 CID 校验。' },
    curl: { title: 'curl', text: '需要 curl 和 openssl。自行计算 CID，与节点返回的 CID 比对。' },
    s3: { title: 'S3', text: '需要 rclone 和 API 密钥附带的 S3 访问密钥。rclone 会重新下载文件并逐字节比对。' },
    mcp: { title: 'MCP', text: '需要 Node.js 20.19 或更高版本。像智能体一样，用一条消息调用上传文件的工具。' },
  },
  noS3: '本网络未提供 S3 Endpoint。可自行运行网关，详见下方的“S3”。',
  agentsTitle: '接入智能体',
  agentsText: '将以下任一配置加入支持 MCP（Model Context Protocol）的应用。',
  doors: {
    local: {
      title: '在您的电脑上',
      text: '智能体可上传和下载本地文件，但仅限 --root 指定的文件夹。读取的内容均经校验。',
    },
    portal: {
      title: '通过门户',
      text: '无需安装。读取或上传文件时，智能体会获得存储节点的地址，数据不经过门户。',
    },
  },
  agentFacts: [
    '工具：列出、读取、上传和分享文件，查看用量与上限，查询工作区价格。',
    '密钥限定智能体的能力：权限、文件夹、到期时间，以及每月的流量和下单上限。',
    '每次调用工具都会记入账号活动，并注明密钥名称。',
  ],
  nextTitle: '更多',
  next: {
    api: 'HTTP API',
    s3: 'S3：客户端配置与限制',
    ipfs: 'IPFS：按 CID 发布和读取内容',
    imports: '导入：从网址、IPFS 或其他 S3',
    developer: '示例、错误码与限制',
    llms: 'llms.txt：供语言模型阅读的文档',
  },
}
