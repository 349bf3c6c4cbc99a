import type { Texts } from './services-texts.en.ts'

export const texts: Texts = {
  eyebrow: '产品服务',
  title: '闲着的设备，能为您做什么',
  intro: '闲置设备有四种资源可以出租：存储、带宽、算力与 IP。每项服务使用其中几种，下表列出各项服务的实时状态。',
  start: '从存储开始',
  table: '查看完整表格',
  drawing:
    '设备拥有的四样东西与由它们组成的服务相连：空间连着存储与 PCDN，线路连着存储、PCDN、AI 数据与 AI 代理，处理器连着容器，地址连着 AI 数据与 AI 代理。实线表示已可用。',
  resources: { room: '空间', line: '线路', processor: '处理器', address: '地址' },

  tableTitle: '全部服务及其真实状态',
  tableIntro: '“现已可用”是指它就在本网络上运行，您无需询问任何人即可开始。',
  columns: { service: '服务', does: '您得到什么', state: '状态', price: '价格', begin: '从这里开始' },
  services: {
    storage: {
      name: '云存储',
      does: '文件与文件夹存放在出租设备上，带链接、密钥、加密与下载校验。',
      price: '免费：100 MiB，每月下载流量 1 GiB。VIP：按需商定。',
      begin: '试传文件',
    },
    anonymous: {
      name: '无需账户的文件',
      does: '一个不超过 100 MiB 的文件，保存 24 小时，链接可供他人下载 20 次。',
      price: '免费',
      begin: '留下一个文件',
    },
    network: {
      name: '节点程序',
      does: '出租自己机器上的空间，节点的每次抽查与传输都可以查到。',
      price: '免费，奖励在规划中',
      begin: '下载',
    },
    pcdn: {
      name: 'PCDN 与 CDN',
      does: '由边缘设备分发下载、视频与更新包。',
      price: '尚无价目表',
      begin: '提交申请',
    },
    aiData: {
      name: 'AI 数据采集',
      does: '按规则采集当地人看到的公开页面，存为数据集。',
      price: '尚无价目表',
      begin: '描述需求',
    },
    aiProxy: {
      name: 'AI 智能体代理',
      does: '智能体做一件事，始终用同一个网络出口。',
      price: '尚无价目表',
      begin: '提交申请',
    },
    containers: {
      name: '容器',
      does: '按小时租用的机器，1 至 32 核，用免费的测试币在链上付款。',
      price: (least) => `每小时 ${least} 起`,
      begin: '查看价格',
    },
    whisper: {
      name: '语音转文字',
      does: '十分钟以内的音频，十种语言，转成文字。',
      price: '免费，每天 3 次',
      begin: '看一看',
    },
    exchange: {
      name: '积分兑换',
      does: '用 TNT4 兑换合作方 AI 服务的积分。',
      price: '1 TNT4 合 0.0508 美元',
      begin: '算一算',
    },
  },

  chooseTitle: '您在找什么？',
  choose: [
    ['想把东西存稳妥', '加密、存入，取回时逐块校验。', '/tss', '云存储'],
    ['想把东西交给别人', '一条有期限、有密码、有次数的链接。', '/Upload', '留下一个文件'],
    ['想让程序来做', '专用的密钥、SDK 与命令行。', '/developer', '开发者'],
    ['有一台闲置的机器', '一个程序、一个文件夹、地图上的一个点。', '/download', '下载节点'],
  ],

  claimTitle: '您可能听过的数字',
  claimIntro: '人们常这样形容这类网络；这里写明本网络今天能拿出什么依据。',
  claims: {
    cheaper: { value: '90%', what: '存储更便宜', how: '有了付费价格之后，与大型云的标价对比。' },
    delivery: { value: '75%', what: 'PCDN 更便宜', how: '将逐地区与公开的分发价格对比。' },
    uptime: {
      value: '99.99%',
      what: '在线率',
      how: '由每个节点的状态记录计算，取全部节点近 30 天（或自加入以来）的平均值。',
    },
    ips: {
      value: '200,000',
      what: '个住宅地址',
      how: '由在线节点统计，不区分是否为住宅地址。',
    },
    countries: {
      value: '100+',
      what: '个国家和地区',
      how: '由在线节点统计。',
    },
    earnings: { value: '$5–30', what: '每台设备每月', how: '奖励尚未发放，因此还没有任何收益。届时将依据结算单显示。' },
  },

  statesTitle: '各种状态的含义',
  states: {
    available: '门户刚刚检测过，服务运行正常，现在即可使用。',
    unavailable: '本版本包含此服务，但本站目前缺少所需条件，原因见上表。',
    request: '其中一部分由真人按申请完成。在他们答复之前，不作任何承诺。',
    planned: '尚不存在。它的页面说明将来是什么样，以及现在能看到什么。',
  },

  questions: [
    {
      q: '为什么展示还不存在的服务？',
      a: '因为大家的需求决定先建什么，也因为范围、价格与规则这些重要的数字可以提前讨论。不存在的服务，绝不会装作存在。',
    },
    {
      q: '使用存储需要代币吗？',
      a: '不需要。存储只要一个邮箱，第一次试传连邮箱都不要。测试币用于容器，而且免费。',
    },
    {
      q: '由谁运营？',
      a: '设备属于各自的主人。门户背后的服务器安排文件、抽查设备、管理账户，从不保存您的文件。',
    },
  ],
}
