import type { AddressName } from './addresses.ts'
import { lang } from './lib/texts.ts'

type Descriptions = Partial<Record<AddressName, string>>

/** Page descriptions for search engines and link previews. Only used by prerendering. */
const en: Descriptions = {
  home: 'Rent storage, delivery and compute on devices that people lease out. Files are identified by their hash, copied to several nodes and verified block by block.',
  services: 'All services of the network in one table: what each does, what it costs, and its current state.',
  storage:
    'Cloud storage on leased devices: folders, share links, API keys, encryption before upload, and downloads with every block verified.',
  containers: 'Containers rented by the hour and paid on chain with a test coin: sizes, prices and how an order runs.',
  prices: 'Container prices: a calculator, the full price list, fees and refunds, without an account.',
  pcdn: 'Content delivery from nodes near your visitors, on otherwise idle bandwidth.',
  aiData: 'Collect public web data through leased residential addresses, within rules that protect their owners.',
  aiProxy: 'Stable IP addresses for AI agents: request an address pool and get a reply by e-mail.',
  network:
    'The storage network, live: nodes, areas, copies, audits and transfers, with uptime computed from heartbeats.',
  introduction: 'What Tidenet is: leased devices, verified storage and the token, explained in one page.',
  blockchain: 'What the chain is used for: orders, escrow and rewards, and what stays off the chain.',
  ecology: 'Programs and protocols that Tidenet works with, and how to use them together.',
  learn:
    'Articles about storing, verifying, sharing and running nodes, news about the development, and complete examples.',
  article: 'An article about the storage network.',
  developer: 'Keys, SDK, command line and HTTP API, with examples that are run in our tests.',
  download: 'The node and the command line for Tidenet, ready to run, with checksums.',
  earn: 'What devices of this network really earned, the public formula, a calculator, and how every amount can be checked.',
  verify:
    'Check on your own device whether a receipt of an upload, a download, a payment or earnings is genuine, without an account and offline.',
  about: 'Who Tidenet is for, how it is built, and how to reach us.',
  report:
    'Report content that should not be on this network, by link or CID and without an account, and what happens next.',
  changelog: 'What changed in each release of Tidenet.',
  privacy: 'What Tidenet stores about you, for how long, and what it never does.',
  whisper: 'Turn speech into text: languages, limits and the state of the service.',
  exchange: 'Exchange TNT4 for credits of a partner AI service: rate, limits and records.',
  apiReader: 'Every operation of the Tidenet API: permissions, parameters, responses and errors.',
  start: 'Quick starts with the command line, the SDK, curl, S3 and MCP: from an API key to a first verified upload.',
  s3: 'Use Tidenet from S3 clients: endpoint, keys, configuration of rclone, restic and the AWS CLI, and limits.',
  ipfs: 'Publish files and folders on IPFS with Tidenet: commands, limits, and the public gateway for browsers, curl and Kubo.',
  imports:
    'Import files into Tidenet from a web address, from IPFS by CID, or from a bucket of another S3: commands and limits.',
  newUpload: 'Choose where to upload: a 24-hour link without an account, or an account that stores the file.',
  distribution: 'Where the nodes of Tidenet are, by area. Sign in to see where the copies of your own files are.',
  login: 'Sign in to your Tidenet console by password or by a code sent to your e-mail.',
  tryUpload: 'Upload a file of up to 100 MiB without an account and share its link for 24 hours.',
}

const cn: Descriptions = {
  home: '在用户出租的设备上租用存储、分发与算力。文件以哈希标识，复制到多个节点，逐块校验。',
  services: '网络的全部服务：功能、价格与当前状态。',
  storage: '建在出租设备上的云存储：文件夹、分享链接、API 密钥、上传前加密，下载时逐块校验。',
  containers: '按小时租用、用测试币在链上付款的容器：规格、价格与订单如何运行。',
  prices: '容器的全部价格：计算器、完整价目、手续费与退款规则，无需账号。',
  pcdn: '用闲置带宽，从访客附近的节点分发内容。',
  aiData: '经由出租的住宅 IP 采集公开网页数据，并以规则保护设备所有者。',
  aiProxy: '为 AI 智能体提供稳定的 IP：提交申请，邮件答复。',
  network: '实时的存储网络：节点、区域、副本、抽查与传输，在线率由心跳计算得出。',
  introduction: '一页看懂 Tidenet：出租的设备、可校验的存储与代币。',
  blockchain: '链用来做什么：订单、托管与奖励，以及哪些内容不上链。',
  ecology: '可与 Tidenet 配合使用的程序与协议，以及用法。',
  learn: '关于存储、校验、分享与运行节点的文章，开发动态与完整案例。',
  article: '一篇关于存储网络的文章。',
  developer: '密钥、SDK、命令行与 HTTP API，示例均在测试中运行。',
  download: '可直接运行的 Tidenet 节点与命令行程序，附校验和。',
  earn: '本网络设备的实际收益、公开的计算公式、收益计算器，以及如何核对每一笔收益。',
  verify: '在本机检验上传、下载、付款或收益凭证的真伪，无需账号，可离线使用。',
  about: 'Tidenet 为谁而做、怎样构建、如何联系我们。',
  report: '通过链接或 CID 举报不应出现在本网络中的内容，无需账号，并说明后续如何处理。',
  changelog: 'Tidenet 每个版本的变化。',
  privacy: 'Tidenet 保存哪些关于您的信息、保存多久，以及绝不会做什么。',
  whisper: '把语音转成文字：语言、限制与服务状态。',
  exchange: '用 TNT4 兑换合作方 AI 服务的积分：汇率、限额与记录。',
  apiReader: 'Tidenet API 的全部操作：权限、参数、响应与错误。',
  start: '命令行、SDK、curl、S3 与 MCP 快速开始：从创建 API 密钥到首次经校验的上传。',
  s3: '用 S3 客户端访问 Tidenet：Endpoint、密钥、限制，以及 rclone、restic 和 AWS CLI 的配置。',
  ipfs: '用 Tidenet 将文件和文件夹公开发布到 IPFS：命令、上限，以及供浏览器、curl 和 Kubo 使用的公共网关。',
  imports: '将文件从网址、按 CID 从 IPFS 或从其他 S3 的存储桶导入 Tidenet：命令与上限。',
  newUpload: '选择上传方式：无需账号、24 小时有效的链接，或在账号中长期保存。',
  distribution: 'Tidenet 的节点分布在哪些地区；登录后还可查看自己文件的副本所在。',
  login: '用密码或邮件验证码登录 Tidenet 控制台。',
  tryUpload: '无需账号即可上传不超过 100 MiB 的文件，链接 24 小时内有效。',
}

export const descriptions = (): Descriptions => (lang === 'cn' ? cn : en)
