import type { Texts } from './services-texts.en.ts'

export const texts: Texts = {
  eyebrow: '产品服务',
  title: '闲置设备能提供的服务',
  intro: '闲置设备有四种资源可以出租：存储、带宽、算力与 IP。每项服务使用其中几种，下表列出各项服务的实时状态。',
  start: '从存储开始',
  table: '查看全部服务',
  drawing:
    '设备的四种资源与使用它们的服务：存储用于云存储与 PCDN，带宽用于云存储、PCDN、AI 数据与 AI 代理，算力用于容器，IP 用于 AI 数据与 AI 代理。实线表示服务已可用。',
  resources: { storage: '存储', bandwidth: '带宽', processor: '算力', address: 'IP' },

  tableTitle: '全部服务及其当前状态',
  tableIntro: '“现已可用”表示服务已在本网络上运行，无需申请即可使用。',
  columns: { service: '服务', does: '服务内容', state: '状态', price: '价格', begin: '开始使用' },
  simulatedPartner: '合作方为模拟，其积分没有价值。',
  services: {
    storage: {
      name: '云存储',
      does: '文件与文件夹存储在出租设备上，支持分享链接、API 密钥、加密与下载校验。',
      price: '免费：100 MiB，每月下载流量 1 GiB。VIP：按需商定。',
      begin: '试传文件',
    },
    anonymous: {
      name: '匿名上传',
      does: '单个文件最大 100 MiB，保存 24 小时，链接可下载 20 次。',
      price: '免费',
      begin: '匿名上传文件',
    },
    acceleration: {
      name: '分发加速',
      does: '在读者附近增加文件或文件夹的副本，并展示加速前后的实测时间。',
      price: '包含在 VIP 和企业套餐中',
      begin: '比较套餐',
    },
    thirdParty: {
      name: '第三方副本',
      does: '在其他存储网络上另存五到十份副本，为期 360 至 549 天。',
      price: '包含在 VIP 和企业套餐中',
      begin: '比较套餐',
    },
    network: {
      name: '节点程序',
      does: '出租自己设备的存储空间，节点的每次抽查与传输均公开可查。',
      price: '免费，设备可获得积分',
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
      does: '按规则采集各地访客看到的公开网页，并存为数据集。',
      price: '尚无价目表',
      begin: '描述需求',
    },
    aiProxy: {
      name: 'AI 智能体代理',
      does: '智能体的一次任务始终使用同一个 IP。',
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
      does: '将十分钟以内的音频转成文字，支持十种语言。',
      price: '免费，每天 3 次',
      begin: '试用',
    },
    exchange: {
      name: 'TNT4 兑换',
      does: '用 TNT4 兑换合作方 AI 服务的积分。',
      price: (usd, credits) => `1 TNT4 合 ${usd} 美元，即 ${credits} 合作方积分`,
      begin: '去兑换',
    },
  },

  chooseTitle: '您需要什么？',
  choose: [
    ['备份文件', '加密上传，下载时逐块校验。', '/tss', '云存储'],
    ['把文件发给别人', '可设有效期、提取码和下载次数的链接。', '/Upload', '上传文件'],
    ['用程序存取文件', '带权限的 API 密钥、SDK 与命令行。', '/developer', '开发者'],
    ['出租闲置设备', '运行节点，只需一个程序和一个文件夹。', '/download', '下载节点'],
  ],

  claimTitle: '常见宣传数字',
  claimIntro: '此类网络的常见宣传，以及本网络目前的实际依据。',
  claims: {
    cheaper: { value: '90%', what: '存储更便宜', how: '推出付费套餐后，将与大型云的标价对比。' },
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
    earnings: { value: '$5–30', what: '每台设备每月', how: '目前设备获得积分，可兑换测试币。' },
  },

  toEarn: '设备实际收益、计算公式与收益计算器',

  statesTitle: '各种状态的含义',
  states: {
    available: '本站刚刚检测过，服务所需的条件均已具备，现在即可使用。',
    unavailable: '本版本包含此服务，但本站目前缺少所需条件，原因见上表。',
    request: '由运营人员按申请开通。在答复之前，不作任何承诺。',
    planned: '服务尚未推出。其页面说明规划内容，以及目前可用的部分。',
  },

  questions: [
    {
      q: '为什么展示还不存在的服务？',
      a: '需求决定优先开发哪些服务，限制、价格与规则也可以提前讨论。规划中的服务都会明确标注。',
    },
    {
      q: '使用存储需要代币吗？',
      a: '不需要。使用存储只需邮箱，试传文件无需账号。测试币用于购买容器，可免费领取。',
    },
    {
      q: '由谁运营？',
      a: '设备属于各自的所有者。本站的服务器负责管理账号、为文件选择节点并抽查节点，不保存您的文件。语音转文字的录音除外：录音在数据库中保存到转写完成后一天。',
    },
  ],
}
