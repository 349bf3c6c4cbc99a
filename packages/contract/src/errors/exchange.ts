import { template, text } from './entry.ts'

/** Errors of the points exchange. */
export const exchange = {
  exchangeNotConfigured: text(
    'Exchanges are not available: no partner service is connected.',
    '暂不支持 TNT4 兑换：尚未接入合作方服务。',
    2100,
  ),
  exchangeNoToken: text(
    'Exchanges are not available: the chain of this portal has no TNT4.',
    '暂不支持 TNT4 兑换：本站所接入的区块链没有 TNT4。',
    2101,
  ),
  /** The text begins as the specification gives it. */
  exchangeAccountUnknown: text(
    'Account does not exist. Check the UID or e-mail address.',
    '账号不存在，请检查 UID 或邮箱地址。',
    2102,
  ),
  exchangePartnerUnavailable: text(
    'Connection failed: the partner service does not respond. Please try again in a moment.',
    '连接失败：合作方服务暂时没有响应，请稍后再试。',
    2103,
  ),
  exchangePoints: template<{ min: number; max: number }>(
    2104,
    ({ min, max }) => `Enter a whole number of credits from ${min} to ${max}.`,
    ({ min, max }) => `积分须为 ${min} 至 ${max} 之间的整数。`,
  ),
  exchangeUnknown: text('This exchange does not exist.', '兑换订单不存在。', 2105),
  exchangeEnded: text('This exchange has ended. Create a new one.', '该兑换订单已结束，请重新发起兑换。', 2106),
  exchangeOpen: template<{ max: number }>(
    2107,
    ({ max }) => `You have ${max} unpaid exchanges. Pay or cancel one of them first.`,
    ({ max }) => `您有 ${max} 个待支付的兑换订单，请先支付或取消其中之一。`,
  ),
  exchangeNoTestCoins: text(
    'This portal does not give out TNT4: its chain is not a test network.',
    '本站不发放 TNT4：所接入的区块链不是测试网。',
    2108,
  ),
  exchangeStep: text(
    'The state of the exchange does not allow this any more. Reload it to see its current state.',
    '兑换订单的状态已变化，无法执行该操作，请刷新后查看。',
    2109,
  ),
}
