import type { ChainAmount } from '@tidenet/contract'
import { locale } from '../../lib/texts.ts'
import { formatCoins } from './amounts.ts'
import { t } from './texts.ts'

/** `400 cTNT` */
export const formatAmount = (amount: ChainAmount): string => `${formatCoins(amount, locale)} ${amount.symbol}`.trim()

/** With seconds, because blocks are seconds apart. */
export const formatTime = (time: string): string =>
  time === ''
    ? t.unknownTime
    : new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'medium' }).format(new Date(time))
