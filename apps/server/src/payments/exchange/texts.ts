import type { ExchangePaymentResult, ExchangeReason, ExchangeState, Lang } from '@tidenet/contract'

export const texts = {
  en: { claimed: 'Your TNT4 for tests is being sent.' },
  cn: { claimed: '测试用 TNT4 正在发放。' },
} as const satisfies Record<Lang, unknown>

/** Why a payment was not credited. */
const reasons: Record<Exclude<ExchangeReason, ''>, Record<Lang, string>> = {
  memo: {
    en: 'The remarks of the transaction were modified or missing, so they name no exchange.',
    cn: '交易备注被修改或缺失，未对应任何兑换订单。',
  },
  amount: { en: 'The paid amount is not the quoted amount.', cn: '支付金额与报价不符。' },
  late: { en: 'The payment arrived after the quote had expired.', cn: '付款到账时报价已失效。' },
  double: { en: 'The exchange had been paid already.', cn: '该兑换订单此前已支付。' },
  ended: { en: 'The exchange had ended before the payment arrived.', cn: '付款到账前该兑换订单已结束。' },
  unpaid: { en: 'No payment arrived before the quote expired.', cn: '报价失效前未收到付款。' },
  cancelled: { en: 'You cancelled the exchange.', cn: '您已取消该兑换订单。' },
  account: { en: 'The partner no longer accepts credits for this account.', cn: '合作方已不再接受该账号的入账。' },
  refused: { en: 'The partner refused the exchange.', cn: '合作方拒绝了此次兑换。' },
  partner: { en: 'The partner did not answer for too long.', cn: '合作方长时间没有响应。' },
  operator: { en: 'An operator ended the exchange.', cn: '运营人员结束了此次兑换。' },
}

/** What happened to an exchange and what happens next. */
export function orderText(
  state: ExchangeState,
  reason: ExchangeReason,
  { isGivenUp }: { isGivenUp: boolean },
  lang: Lang,
): string {
  const en = lang === 'en'
  if (state === 'in_progress')
    return en ? 'Waiting for the payment. Pay before the quote expires.' : '等待付款，请在报价失效前支付。'
  if (state === 'completed') return ''
  if (state === 'failure') return reason === '' ? '' : reasons[reason][lang]
  if (isGivenUp)
    return en
      ? 'Crediting was given up. The payment is refunded in full once the partner confirms that it did not credit it.'
      : '已放弃入账。待合作方确认未入账后，将全额退款。'
  return en
    ? 'The payment has arrived; the partner has not confirmed the credits yet. It is tried again automatically. You do not need to do anything.'
    : '付款已到账，合作方尚未确认入账，系统会自动重试，您无需操作。'
}

/** What happened to a payment; `fee` as a decimal number of TNT4. */
export function paymentText(
  { result, reason, fee }: { result: ExchangePaymentResult; reason: ExchangeReason; fee: string },
  lang: Lang,
): string {
  if (reason === '') return ''
  const why = reasons[reason][lang]
  const en = lang === 'en'
  if (result === 'kept')
    return en
      ? `${why} The payment is not more than the fee, so nothing is refunded.`
      : `${why}付款未超过手续费，不予退款。`
  const isFree = fee === '0'
  if (result === 'refunded')
    return en
      ? `${why} The payment was refunded ${isFree ? 'in full' : `less the fee of ${fee} TNT4`}.`
      : `${why}${isFree ? '已全额退款' : `已扣除手续费 ${fee} TNT4 后退款`}。`
  return en
    ? `${why} The payment is being refunded ${isFree ? 'in full' : `less the fee of ${fee} TNT4`}.`
    : `${why}${isFree ? '正在全额退款' : `正在扣除手续费 ${fee} TNT4 后退款`}。`
}
