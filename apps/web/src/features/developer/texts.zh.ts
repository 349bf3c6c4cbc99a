import type { Texts } from './texts.en.ts'

export const texts: Texts = {
  copy: (what: string) => `复制：${what}`,
  eyebrow: '面向开发者',
  title: '像调用函数一样使用存储',
  intro:
    '一个密钥、一个地址，适用于所有客户端：Node 和浏览器的 SDK、命令行，以及普通的 HTTP。SDK 和命令行会将下载的每个字节与内容标识核对。',
  createKey: '创建密钥',
  reference: 'API 文档',
  note: '密钥免费。免费套餐包含 100 MiB 存储空间和每月 1 GiB 下载流量。',
  drawing: '程序按内容标识请求文件，节点发送数据块，每个数据块都经哈希比对。',
  drawn: { program: '您的程序', block: '数据块', checked: '哈希 = CID' },

  hubTitle: '从这里开始',
  hub: {
    start: { title: '快速开始', text: '用命令行、SDK、curl、S3 或 MCP，从密钥到首次经校验的上传。' },
    agents: { title: '智能体', text: '通过 MCP 提供工具，密钥可设每月流量与下单上限。' },
    keys: { title: 'API 密钥', text: '每个程序一个，只授予所需权限。仅显示一次，可立即撤销。' },
    sdk: {
      title: 'SDK',
      text: '@tidenet/storage：断点续传、可校验下载、文件夹、分享、密钥。带类型，适用于 Node 20.19 和浏览器。',
    },
    cli: { title: '命令行', text: 'tidenet up、ls、get、share。每条命令都支持 JSON 输出。' },
    ipfs: { title: 'IPFS', text: '按 CID 公开发布文件和文件夹，供浏览器、curl 和 Kubo 读取。' },
    imports: { title: '导入', text: '从网址、IPFS 或其他 S3 导入文件。' },
    s3: { title: 'S3', text: '用 API 密钥附带的访问密钥，连接 rclone、restic、AWS CLI 和各语言 SDK。' },
    api: { title: 'API 阅读器', text: '每个操作的参数、响应和错误，由服务器运行所用的契约生成。' },
    openapi: { title: 'OpenAPI 文档', text: '同一份契约的 JSON 形式，供代码生成和测试使用。' },
    explorer: { title: '网络数据', text: '节点、区域、传输和事件流，无需密钥，对所有人开放。' },
  },

  startTitle: '上传第一个文件',
  start: [
    {
      title: '创建账号和密钥',
      text: '用邮箱注册，然后在密钥页面创建密钥。普通密钥只有选定的权限，管理员密钥拥有全部权限。',
    },
    { title: '设置地址与密钥', text: '下面的所有示例都使用这两个变量。' },
    {
      title: '获取 SDK 或命令行',
      text: '两者都可以用 npm 从本站安装。使用 SDK 时，请把下面的上传示例保存为 upload.mjs 并运行。',
    },
  ],
  variables: '变量',
  sdkCommands: 'SDK',
  cliCommands: '命令行',

  examplesTitle: '每个程序都要做的四件事',
  examplesIntro: '以下均为代码库中的文件。每个版本发布前，都会在测试中逐个运行。',
  steps: {
    upload: { title: '上传', text: '读取文件的同时计算哈希。如果网络上已有相同内容，则无需发送。' },
    list: { title: '列出', text: '文件夹在前，文件在后，最新的在前。第一百页与第一页同样快。' },
    download: { title: '下载', text: '多个节点同时发送不同分段。错误或缓慢的数据块会改由其他节点提供。' },
    share: { title: '分享', text: '带有效期和提取码的链接，服务器和节点都会检查。' },
  },
  ways: { node: 'Node', browser: '浏览器', cli: '命令行', curl: 'curl' },
  browserNote: '网页中的密钥对所有打开网页的人可见。请只授予读取权限，或让用户登录并使用其自己的会话。',
  allExamples: '代码库的 examples/ 文件夹为 SDK 的每个方法各提供一个示例。',

  envelopeTitle: '响应格式',
  envelopeIntro:
    '无论哪个操作，都返回 HTTP 200 和统一的格式。HTTP 4xx 和 5xx 表示未执行任何操作：路径不存在、请求体过大或请求过多。',
  envelopes: [
    { code: '{ "code": 0, "data": … }', text: '成功。各操作的 data 见 API 文档。' },
    {
      code: '{ "code": -1, "err": 10018, "msg": "…" }',
      text: '被拒绝：err 为下表中的编号，msg 为可展示给用户的消息。',
    },
    { code: '{ "code": 401, "msg": "…" }', text: '没有会话、会话已结束，或密钥已被删除。' },
    { code: 'new-token: …', text: '响应头中的新会话令牌，从下一次调用起使用。SDK 会自动处理。' },
  ],

  errorsTitle: '错误码',
  errorsIntro:
    '错误码分为两类：服务器错误（err）和 SDK 返回码（code）。SDK 转达服务器错误时，服务器的错误码保留在 data.err 中。',
  serverErrors: '服务器错误码',
  sdkCodes: 'SDK 返回码',
  columns: { number: '编号', name: '名称', text: '含义' },
  filter: '搜索错误码',
  noMatch: '没有匹配的错误码。',

  limitsTitle: '限制与常量',
  limitsIntro: '与服务器、节点和 SDK 使用的是同一来源。',
  limits: {
    freeStorage: '免费套餐的存储空间',
    freeOutflow: '免费套餐每月下载流量',
    vipStorage: 'VIP 账号的存储空间',
    tempFile: '匿名文件的大小',
    tempLife: '匿名文件的保留时间',
    tempDownloads: '匿名文件的下载次数',
    tempPreviews: '匿名文件每天的预览次数',
    kept: '免费文件的保留时间',
    replicas: '目标副本数（节点不足时与节点数相同）',
    shareVisits: '他人下载一个分享文件的次数',
    keys: '账号的密钥数（免费与 VIP）',
    folders: '账号的文件夹数（免费与 VIP）',
    page: '每页行数（默认与最多）',
    chunk: '文件分块（树的叶块）',
    links: '中间块的链接数',
    shard: '文件夹分片的条目数（超过）',
    nodeFile: '单个节点接收的最大文件',
    concurrency: '下载时同时进行的分块数',
    retries: '在一个节点上的上传尝试次数',
    session: '会话有效期',
  },
  unlimited: '无限制',
  copies: (count: number) => `${count} 个副本`,
  times: (count: number) => `${count} 次`,
  pair: (first: string, second: string) => `${first} / ${second}`,

  streamTitle: '实时观察网络',
  streamIntro: '使用 Server-Sent Events，无需密钥：先给出最近 20 次传输，之后逐次推送；在线节点数变化时也会推送。',
  streamCode: '在终端中接收',
}
