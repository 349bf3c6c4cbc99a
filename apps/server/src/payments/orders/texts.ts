import type { ChainProblem } from '@tidenet/chain-client'
import type { Lang, OrderEvent, OutageCause } from '@tidenet/contract'
import { toMinute } from '../../platform/mail/templates.ts'

/** Why a payment is not valid: an error of the chain or wallet, or how the transaction differs from the request. */
export type PaymentProblem = ChainProblem | Mismatch
type Mismatch =
  | 'height'
  | 'payer'
  | 'funds'
  | 'amount'
  | 'order'
  | 'event'
  | 'hash'
  | 'messages'
  | 'contract'
  | 'send'
  | 'late'

export const problemTexts: Record<PaymentProblem, Record<Lang, string>> = {
  rejected: { en: 'Cancelled', cn: '已取消' },
  walletMissing: { en: 'No wallet extension is installed', cn: '未安装钱包插件' },
  unknownChain: { en: 'The wallet does not know this chain', cn: '钱包中未添加该区块链' },
  noGasAccount: {
    en: 'The wallet has no coins for fees yet; claim test coins first',
    cn: '钱包中没有用于支付手续费的代币，请先领取测试币',
  },
  gasFunds: { en: 'The wallet does not have enough coins for the chain fee', cn: '钱包余额不足以支付链上手续费' },
  feeTooLow: { en: 'The fee is lower than the chain requires', cn: '手续费低于链上要求' },
  tokenFunds: { en: 'Insufficient balance, payment failed', cn: '余额不足，支付失败' },
  notOwner: { en: 'Insufficient permission', cn: '权限不足' },
  wrongAmount: { en: 'Transfer amount incorrect', cn: '转账金额错误' },
  badRequest: { en: 'Illegal request', cn: '非法请求' },
  orderExists: { en: 'Order already exists', cn: '订单已存在' },
  orderUnknown: { en: 'Order not found', cn: '订单不存在' },
  capacity: { en: 'Insufficient space', cn: '空间不足' },
  tooLong: {
    en: 'An order lasts at most 720 hours, including all renewals. Choose a shorter duration.',
    cn: '订单时长（含续费）最长为 720 小时，请选择较短的时长。',
  },
  shortened: { en: 'Usage time too short', cn: '使用时长过短' },
  outOfGas: { en: 'The transaction ran out of gas', cn: '交易 Gas 不足' },
  sequence: { en: 'Another transaction of the wallet was processed first', cn: '钱包的另一笔交易已先被处理' },
  signature: { en: 'The signature is not valid on this chain', cn: '签名在该链上无效' },
  alreadySent: { en: 'This transaction was sent before', cn: '该交易已提交' },
  pending: { en: 'The transaction is not in a block yet', cn: '交易尚未上链' },
  unreachable: { en: 'The chain does not respond', cn: '链上服务无响应' },
  promptOpen: { en: 'The wallet already shows a request', cn: '钱包中已有待确认的请求' },
  wrongChain: { en: 'The wallet is on another chain', cn: '钱包连接的是其他区块链' },
  disconnected: { en: 'The wallet is disconnected', cn: '钱包已断开连接' },
  failed: { en: 'Payment failed', cn: '支付失败' },
  height: { en: 'The transaction is older than the order', cn: '该交易早于订单' },
  payer: { en: 'The payment came from another wallet', cn: '付款钱包与绑定钱包不符' },
  funds: { en: 'The transaction contains other coins', cn: '交易附带了其他代币' },
  amount: { en: 'The paid amount does not match the order', cn: '支付金额与订单不符' },
  order: { en: 'The transaction is for another order or configuration', cn: '交易对应的订单或配置不符' },
  event: { en: 'The token contract did not transfer the coins', cn: '代币合约未转移代币' },
  hash: { en: 'The chain node returned another transaction', cn: '链上节点返回了另一笔交易' },
  messages: { en: 'The transaction is not a payment for exactly one order', cn: '该交易不是单个订单的支付' },
  contract: { en: 'The transaction is for another contract', cn: '该交易对应其他合约' },
  send: { en: 'The transaction does not pay the orders contract', cn: '交易未向订单合约付款' },
  late: { en: 'The order was cancelled before it was paid', cn: '订单在支付前已取消' },
}

export const problemText = (problem: string, lang: Lang): string =>
  Object.hasOwn(problemTexts, problem)
    ? problemTexts[problem as PaymentProblem][lang]
    : problem === ''
      ? ''
      : problemTexts.failed[lang]

const clusterFailures = {
  absent: { en: 'The cluster is not available', cn: '集群不可用' },
  full: { en: 'The cluster does not have enough resources', cn: '集群资源不足' },
  unknown: { en: 'The workspace does not exist', cn: '工作区不存在' },
  stopped: { en: 'The workspace did not start', cn: '工作区未能启动' },
  image: { en: 'The image could not be pulled', cn: '镜像获取失败' },
  processes: { en: 'The process limit is reached', cn: '进程数已达上限' },
  failed: { en: 'The cluster failed', cn: '集群故障' },
} as const satisfies Record<string, Record<Lang, string>>

/** The fact of an event as text. */
export function formatEvent(event: OrderEvent, fact: string, lang: Lang): string {
  if (fact === '') return ''
  const en = lang === 'en'
  switch (event) {
    case 'paymentFailed':
    case 'paymentMismatch':
      return problemText(fact, lang)
    case 'allocationFailed':
      return (
        Object.hasOwn(clusterFailures, fact)
          ? clusterFailures[fact as keyof typeof clusterFailures]
          : clusterFailures.failed
      )[lang]
    case 'refunded':
    case 'terminated':
      return en ? `${fact} cTNT refunded` : `退回 ${fact} cTNT`
    case 'renewed':
    case 'renewalAsked':
      return en ? `${fact} hours in total` : `总时长 ${fact} 小时`
    case 'credited':
      return en ? `${fact} cTNT paid back` : `已退回 ${fact} cTNT`
    case 'outage':
      return formatOutage(fact, lang)
    case 'autoRenewOn':
      return en ? `At most ${fact} cTNT` : `上限 ${fact} cTNT`
    case 'autoRenewFailed':
    case 'autoRenewAtRisk':
      return autoRenewTexts[fact as keyof typeof autoRenewTexts]?.[lang] ?? problemText(fact, lang)
    default:
      return ''
  }
}

/** @param fact begin, end, cause and coins, separated by spaces */
function formatOutage(fact: string, lang: Lang): string {
  const [from = '', to = '', cause = '', coins = ''] = fact.split(' ')
  const minutes = Math.max(1, Math.round((Date.parse(to) - Date.parse(from)) / 60_000))
  const [start, end] = [toMinute(from), toMinute(to)]
  const why = outageCauses[cause === 'lost' ? 'lost' : 'cluster'][lang]
  return lang === 'en'
    ? `${minutes} min, ${start} to ${end} UTC: ${why}. ${coins} cTNT are paid back.`
    : `${minutes} 分钟，${start} 至 ${end} UTC：${why}。退回 ${coins} cTNT。`
}

const outageCauses = {
  cluster: { en: 'the cluster did not answer', cn: '集群无响应' },
  lost: { en: 'a program was missing on the cluster', cn: '集群丢失了应用' },
} as const satisfies Record<OutageCause, Record<Lang, string>>

export const autoRenewTexts = {
  cap: { en: 'The price exceeds the cap that you set', cn: '续费价格超出您设定的上限' },
  allowance: { en: 'The allowance of the wallet is too low', cn: '钱包授权额度不足' },
  funds: { en: 'The wallet has too few coins', cn: '钱包余额不足' },
  longest: { en: 'The order has reached its maximum duration', cn: '订单已达最长时长' },
} as const satisfies Record<string, Record<Lang, string>>

const messages = {
  hash: { en: 'The payment is confirmed', cn: '支付已确认' },
  hashPending: { en: 'The transaction is being confirmed', cn: '正在确认交易' },
  renewal: { en: 'Renewal successful', cn: '续费成功' },
  renewalPending: { en: 'The renewal takes effect once the chain confirms it', cn: '续费将在链上确认后生效' },
  terminate: { en: 'Termination successful', cn: '终止成功' },
  terminatePending: { en: 'The order is being terminated', cn: '正在终止订单' },
  cancel: { en: 'Order cancelled', cn: '订单已取消' },
  chainNotConfigured: {
    en: 'This network is not connected to a chain, so you cannot pay here.',
    cn: '当前网络未接入区块链，无法支付。',
  },
  chainUnavailable: {
    en: 'The chain does not respond right now. Try again later.',
    cn: '链上服务暂无响应，请稍后再试。',
  },
  noKey: { en: 'This network cannot settle orders, so it does not sell any.', cn: '当前网络无法结算订单，暂停销售。' },
  clusterAbsent: {
    en: 'No cluster of this region is ready. Choose another region, or try again later.',
    cn: '该区域暂无可用集群，请选择其他区域，或稍后再试。',
  },
  full: {
    en: 'There are not enough resources for this configuration. Choose less, or try again later.',
    cn: '该配置暂无足够资源，请减小配置，或稍后再试。',
  },
} as const satisfies Record<string, Record<Lang, string>>

export const messageText = (key: keyof typeof messages, lang: Lang): string => messages[key][lang]
