import type { Texts } from './texts.en.ts'

export const texts: Texts = {
  eyebrow: '积分兑换',
  title: '用 TNT4 兑换积分',
  intro: '合作方 AI 服务支持用 TNT4 兑换积分。本页计算兑换价格，在签名前展示每一步，并保留记录。',
  calculate: '计算价格',
  ask: '接通时通知我',
  state: '合作方兑换尚未接通。价格计算器可以使用，无需连接钱包，也不会收费。',
  drawing:
    '一个 TNT4 合 0.0508 美元，一美元合 400 积分，因此一个 TNT4 合 20.32 积分；享受优惠后，0.75 个 TNT4 即可兑换同样多。',

  stepsTitle: '四步完成一次兑换',
  stepsIntro: '第三步现在可用，其余步骤在合作方接通之前不可用。',
  off: '合作方兑换接通之前不可用。',
  wallet: { title: '连接钱包', text: '须为您账号所绑定的钱包。', button: '连接钱包' },
  account: {
    title: '填写合作方账号',
    text: '填写 UID 或邮箱。先由合作方确认账号存在，再进行后续步骤。',
    label: '合作方的 UID 或邮箱',
    button: '验证',
  },
  points: {
    title: '填写积分',
    label: '积分',
    hint: (least, most) => `${least} 至 ${most} 之间的整数。`,
    picks: '常用数量',
    problems: {
      missing: '请填写积分数量。',
      whole: '请填写整数，例如 1,000。',
      least: (least) => `至少 ${least} 积分。`,
      most: (most) => `最多 ${most} 积分。`,
    },
  },
  confirm: {
    title: '确认并签名',
    text: '钱包会显示金额与备注，备注中包含订单号。确认交易时请勿修改备注，否则手续费将被扣除且兑换失败。',
    button: '确认',
  },

  quoteTitle: '价格',
  quote: {
    credits: '积分',
    value: '价值',
    rate: '汇率',
    rateText: '1 TNT4 = 0.0508 美元',
    perUsd: '1 美元 = 400 积分',
    full: '优惠前',
    discount: '限时优惠',
    due: '应付',
    saved: '节省',
  },
  usd: (amount) => `${amount} 美元`,
  tnt4: (amount) => `${amount} TNT4`,
  rounding: '结果向上取整到六位小数，即 TNT4 的最小精度，中间步骤不取整。',
  validity: '接通之后，报价在 60 秒内有效。如果签名之前汇率变化，将重新计算并再次请您确认。',

  recordsTitle: '您的兑换记录',
  columns: ['订单号', '账号', '积分', 'TNT4', '状态', '时间'],
  none: '暂无兑换记录，目前尚未开放兑换。',
  noneText: '所有兑换记录都会列在这里，包括失败的。',
  statesTitle: '兑换的几种状态',
  states: [
    ['已完成', '合作方已将积分入账。'],
    ['未完成', '已付款，尚未入账。系统会再次尝试，您无需操作。'],
    ['失败', '未付款，或付款时修改了备注。已付款项将在扣除链上手续费后退回。'],
  ],

  requestTitle: '接通时通知我',
  requestIntro: '如果您在使用合作方服务，可以在这里告诉我们。开放兑换时，我们会通知您。',
  hints: ['需要多少积分，多久一次', '是否已持有 TNT4，在哪个钱包里', '哪些环节绝不能出错'],
  textLabel: '您想兑换什么，我们需要知道什么？',
}
