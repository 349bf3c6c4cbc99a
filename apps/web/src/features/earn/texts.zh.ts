import type { Texts } from './texts.en.ts'

export const texts: Texts = {
  eyebrow: '面向设备所有者',
  title: '设备收益',
  intro: '设备按下载方签收的流量和客户付费的存储获得积分。公式公开，每小时都有签名凭证，每一天都可以自行重新计算。',
  get: '获取节点程序',
  devices: '我的设备',

  realTitle: '本网络设备的实际收益',
  realIntro: '按已关联账号的设备已结算的小时统计，不作任何推算。',
  median: (points) => `${points} 积分`,
  medianWhat: '或更多（每台设备），半数所有者达到',
  medianHow: (owners, devices, days) =>
    `${days}，${owners} 位所有者的 ${devices} 台设备有收益，且至少一半时间在线。每位所有者只计一次，取其设备的平均值，向下保留一位有效数字。`,
  earning: (count, all) => `${count} / ${all}`,
  earningWhat: '台设备有收益',
  earningHow: (days) => `占所有已关联账号的设备，包括很少在线的设备，${days}。`,
  period: (from, to) => `${from} 至 ${to}（UTC）`,
  tooFew: '所有者太少',
  tooFewText: (devices, owners) =>
    devices === 0
      ? '还没有已关联账号的设备完成一整天，因此没有数据。'
      : `在已结束的日期内，已关联账号的设备有 ${devices} 台；其中有收益且至少一半时间在线的设备，属于 ${owners} 位所有者。不足十位时，中位数会暴露其中一位的收益，因此不公布。`,
  paid: '的存储由客户付费',
  paidHow: '最近一小时的付费占比，与凭证一致。设备保存的数据中，只有这部分产生收益。',
  loading: '正在加载本网络的数据。',
  realFailed: '本网络的数据加载失败。',

  target: '$5–$30',
  targetWhat: '每台设备每月',
  targetHow:
    '这是目标，不是设备的实际收益。积分可兑换测试币 TTNT，而 TTNT 在本网络之外没有价值，因此目前没有设备获得美元收入。',

  formulaTitle: '计算公式',
  formulaIntro: (version) => `版本 ${version}。服务器与您的浏览器运行同一份源代码。新版本不会改变过去各小时的结果。`,
  formula: [
    [
      '流量',
      '每 GB 1 积分',
      '须由下载方校验并签收、由您的设备签名确认发送，并且有人付费：即 VIP 客户当月配额之内的下载。您从自己的设备下载没有收益。',
    ],
    [
      '存储',
      '每 GB 每月 1 积分',
      '按计数的副本计算，再乘以该小时的在线比例、全网付费占比和同址系数。1 GB 为 10⁹ 字节，每月按 720 小时计。',
    ],
  ],
  conditionsTitle: '一小时有收益，须同时满足',
  conditions: [
    '设备有所有者，即已关联账号',
    '设备可信：新的边缘节点须在至少三天内通过 100 次抽查',
    '截至该小时结束的 24 小时内通过过抽查，且该小时内没有未通过的抽查',
  ],
  conditionsNote: '流量计入设备上报的那一小时，但下载开始时设备就须满足这些条件，才有收益。',
  crowdTitle: '同一地址的设备',
  crowdText:
    '每台设备按下列比例获得存储收益，合计不超过一台设备：一台电脑上运行十个节点，仍按一台设备计。考察中的新设备不计入。',
  crowdDevices: '设备数',
  crowdFactor: '每台所得',
  crowdMore: '超过 11',
  crowdOneNth: '1 ÷ 设备数',

  calculatorTitle: '收益计算器',
  calculatorIntro: '按 30 天估算，使用计算收益的同一模块，并假设抽查全部通过。',
  held: '保存的数据（GB）',
  heldHint: '计数的副本。',
  served: '每天提供的下载（GB）',
  servedHint: '已签收且由客户付费。',
  online: '每天在线比例（%）',
  crowd: '同一地址的设备数',
  crowdHint: '含本设备。',
  paidShare: '付费占比（%）',
  paidShareHint: (share) => (share ? `本网络当前为 ${share}。` : '占全网存储的比例。'),
  estimate: '估算',
  perMonth: (points) => `每月 ${points} 积分`,
  parts: (traffic, storage) => `流量 ${traffic}，存储 ${storage}`,
  estimateNote: '仅为估算，不作承诺：设备实际保存和提供多少数据，取决于客户的使用情况。',

  checkTitle: '每一笔都可核对',
  check: [
    ['每天都有明细', '逐小时列出公式的输入；没有收益时说明原因。'],
    ['签名凭证', '小时、下载与每一天都有凭证，其哈希记入公开日志。'],
    ['重新计算', '由浏览器验证凭证并重新计算一天的收益。如果结果不一致，一键即可提交给运营人员。'],
  ],
  verify: '检验凭证',
  article: '如何运行节点',
}
