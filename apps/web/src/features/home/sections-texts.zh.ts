import type { Texts } from './sections-texts.en.ts'

export const texts: Texts = {
  how: {
    eyebrow: '工作原理',
    title: '无需信任任何人',
    intro: '节点属于素不相识的人，因此每个字节都由接收方校验：节点先校验数据块再签收，您的程序先校验再呈现。',
    steps: [
      {
        title: '分块并计算哈希',
        text: '文件按 256 KiB 分成数据块，逐块计算哈希，再由哈希构成一棵树。树根即为 CID，与文件内容唯一对应。',
        link: '什么是 CID',
        slug: 'what-is-a-cid',
      },
      {
        title: '在节点之间复制',
        text: '一个节点接收文件并签发回执，其他节点从它那里拉取副本并校验。某个节点失联后，其副本会在其他节点上重新生成。',
        link: '副本、抽查与修复',
        slug: 'replicas-audits-repair',
      },
      {
        title: '多节点下载，到达即校验',
        text: '下载时同时向多个节点请求。每个数据块到达后立即校验，出错或太慢的块改从其他节点获取。',
        link: '下载如何校验',
        slug: 'how-a-download-is-verified',
      },
    ],
    drawings: {
      cut: '一个文件被分成四个数据块，由其哈希得出树根，即 CID。',
      copy: '一个节点持有文件，另外四个节点拉取副本。其中一个失联，副本在其他节点上重新生成。',
      fetch: '数据块来自三个节点。其中一块有误被拒绝，同一块改由另一个节点提供。',
    },
  },
  services: {
    eyebrow: '可租用的服务',
    title: '一个网络，多种服务',
    intro: '每项服务都标明当前状态。尚不能下单的服务可以提交需求，我们会通过电子邮件答复。',
    all: '全部服务',
    list: [
      {
        to: '/tss',
        name: 'storage',
        title: '云存储',
        text: '文件与文件夹，带密码和有效期的分享链接，细分权限的密钥，上传前加密，并提供 SDK 和命令行工具。',
      },
      {
        to: '/tc2',
        name: 'containers',
        title: '容器与算力',
        text: '按小时租用 CPU、内存和磁盘，用测试币在链上付款。',
      },
      {
        to: '/pcdn',
        name: 'pcdn',
        title: 'PCDN 与 CDN',
        text: '由靠近访问者的节点分发内容。分享的文件如今已由最快的节点提供。',
      },
      {
        to: '/aidata',
        name: 'aiData',
        title: 'AI 数据采集',
        text: '在网站条款允许的范围内，通过出租的住宅 IP 采集公开网页。',
      },
      { to: '/aiproxy', name: 'aiProxy', title: 'AI 智能体代理', text: '为智能体提供稳定的 IP，可按国家选择。' },
    ],
  },
  code: {
    eyebrow: '面向开发者',
    title: '几行代码，网页与 Node 通用',
    intro: 'SDK 负责计算哈希、上传到节点、从多个节点并行下载，并校验每个数据块。示例代码都由本仓库的测试运行。',
    label: '上传并分享文件',
    copy: '复制代码',
    docs: '开发文档',
    api: 'API 文档',
    comments: { key: '在控制台创建的密钥', link: '有效期七天、带提取码的链接' },
  },
  owners: {
    eyebrow: '面向设备所有者',
    title: '出租您的设备',
    intro: '节点只是一个程序、一条命令。在路由器后面，它通过中继为浏览器提供服务，无需任何设置。',
    kinds: [
      { title: '边缘节点，L2', text: '存放副本并提供给用户。任何人均可运行，建议 2 核、2 GB 内存、10 GiB 存储。' },
      {
        title: '候选节点，L1',
        text: '接收上传，再分发给其他节点。须能从外部访问，建议 4 核、8 GB 内存、500 GiB 存储。',
      },
      {
        title: '验证节点，L1',
        text: '除存储外还负责抽查：其他节点必须出示所持有的数据块。要求 16 核、16 GB 内存、2 TB 存储。',
      },
    ],
    earn: '每台设备每月，以网络代币计',
    earnHow: '目前设备获得积分，可兑换测试币。查看实际收益与计算公式。',
    get: '获取节点程序',
    article: '运行节点：分步说明',
  },
  claims: {
    eyebrow: '目标',
    title: '目标与实测',
    intro: '本站的每个数字均由网络实测，或标明为目标。',
    pcdn: { value: '75%', what: 'PCDN 成本降低', how: '对比大型分发网络的公开价格。目前尚未出售流量。' },
    storage: { value: '90%', what: '存储成本降低', how: '对比大型对象存储的公开价格。本测试网的存储免费。' },
    uptime: {
      value: '99.99%',
      what: '在线率',
      how: '由每个节点的状态记录计算，取全部节点近 30 天（或自加入以来）的平均值。',
    },
    ips: {
      value: '200,000',
      what: '住宅 IP',
      how: '按在线节点统计，不区分是否为住宅 IP。',
    },
    countries: {
      value: '100+',
      what: '国家',
      how: '按在线节点统计。',
    },
    cashback: { value: '6%', what: '合作伙伴返现', how: '服务开售后开始。合作伙伴现在即可登记意向。' },
  },
  articles: {
    eyebrow: '学习',
    title: '最新文章',
    all: '全部文章',
    minutes: (count) => `${count} 分钟`,
    types: { BASICS: '基础', NEWS: '动态', CASES: '案例' },
  },
  end: {
    title: '上传文件，查看副本分布',
    text: '无需账号，最大 100 MiB，保存 24 小时。注册后可长期保存文件，并设置提取码分享。',
    try: '上传文件',
    start: '免费注册',
  },
}
