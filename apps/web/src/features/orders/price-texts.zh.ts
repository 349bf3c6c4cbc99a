import type { Texts } from './price-texts.en.ts'

export const texts: Texts = {
  eyebrow: '容器价格',
  title: '完整价格，无需登录',
  intro:
    '选择机器配置与时长。显示的价格就是订单的准确价格，与服务器收取、钱包签名的金额一致。测试币可免费领取，在本网络之外没有价值。',
  calculator: '价格计算',
  calculatorIntro: '价格以整币计，只在最后向上取整一次。',
  names: { cpu: 'CPU', ram: '内存', storage: '磁盘', duration: '时长' },
  total: '合计',
  perHour: (price) => `平均每小时 ${price}`,
  claims: (count, amount) =>
    count === 1
      ? `领取一次（${amount}）即可支付。`
      : `需领取 ${count} 次：每次 ${amount}，每天一次，共需 ${count} 天。`,
  how: '价格计算方式',
  part: (name, amount) => `${name}（${amount}）`,
  anHour: '每小时价格',
  counted: '计价小时数',
  countedHours: (count) => `× ${count}`,
  factor: '测试网络收取价目表的比例',
  rounded: '向上取整',
  order: '订购此配置',
  spans: '相同配置，更长时间',
  spansIntro: '最长一个月的总价，以及每小时的价格。',
  span: '时长',
  spanTotal: (symbol) => `合计（${symbol}）`,
  spanHour: (symbol) => `每小时（${symbol}）`,
  spanClaims: '需领取次数',
  tariff: '价目表',
  tariffIntro: (share) =>
    `每档费率只适用于该档内的部分，而非全部数量，因此购买更多时，总价不会反而更低。本网络按价目表的 ${share} 收取。`,
  tier: '区间',
  rate: '费率',
  upTo: (from, to) => `${from} 至 ${to}`,
  rates: {
    cpu: (rate) => `每核每小时 ${rate}`,
    ram: (rate) => `每 GiB 每小时 ${rate}`,
    storage: (rate) => `每 GiB 每小时 ${rate}`,
    duration: (share) => `按小时价格的 ${share} 计`,
  },
  included: '费用与退款',
  rules: (grace, fee) => [
    [
      '链上手续费',
      fee === ''
        ? '每笔交易需以链的原生币支付少量手续费，领取测试币时会一并发放。'
        : `每笔交易的手续费为 ${fee}，领取测试币时会一并发放该币。`,
    ],
    ['不足一小时', '按一小时计，订单最短为一小时。'],
    ['提前终止', '尚未开始的小时会退款：价格 × 未使用小时数 ÷ 总小时数。首个小时始终计费。'],
    ['续费', '支付新总时长的价格与已付金额的差价，总时长最多 720 小时。'],
    ['升级', '新配置按全价支付，原订单未使用的小时在同一笔交易中退款。'],
    ['区域', '两个区域价格相同。'],
    [
      '到期之后',
      grace === undefined
        ? '工作区停止运行，数据免费保留一段时间，随后删除。'
        : `工作区停止运行，数据免费保留 ${grace} 小时，随后删除。`,
    ],
    ['工作区创建失败', '自动全额退款。'],
    [
      '服务中断',
      '服务器约每半分钟检查一次运行中的工作区。若集群无响应达一分钟以上，或丢失了应用，这段时间按所购小时的价格退回您的钱包，以已付金额为限，无需申请；签名凭证会注明测得的时间。应用自行停止或出错不计入，服务器未进行检查的时间也不计入。',
    ],
  ],
  sold: '当前可用情况',
  soldFailed: '可用情况加载失败。',
  regions: { distributed: '分布式集群', centralized: '中心化集群' },
  places: { distributed: '全球', centralized: '香港' },
  ready: '可用',
  notReady: '暂不可用',
  shared: (status, name) => `${status}，与${name}位于同一台机器`,
  chain: '区块链',
  chainReady: '可以付款',
  chainNotReady: '暂时无法付款',
  claim: '领取测试币',
  hours: (count) => `${count} 小时`,
  about: '容器是什么',
}
