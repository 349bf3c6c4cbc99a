import type { ChainAmount } from '@tidenet/contract'
import { locale } from '../../lib/texts.ts'
import { coinsOf } from './amounts.ts'
import { t } from './texts.ts'

/** `400 cTNT` */
export const showAmount = (amount: ChainAmount): string => `${coinsOf(amount, locale)} ${amount.symbol}`.trim()

/** To the second: blocks follow each other within seconds. Empty for a time that is not known. */
export const showTime = (time: string): string =>
  time === ''
    ? t.unknownTime
    : new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'medium' }).format(new Date(time))
