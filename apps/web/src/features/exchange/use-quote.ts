import type { ExchangeOrder, Output, RouteOf } from '@tidenet/contract'
import { QUOTE_LIFE } from '@tidenet/contract/exchange'
import { useState } from 'react'
import { ApiError, api, messageOf } from '../../lib/api.ts'
import { refresh } from '../../lib/queries.ts'
import { t } from './texts.ts'

/** What a wallet signs to pay an exchange. */
export type Payment = NonNullable<Output<RouteOf<'exchange.confirm'>>['payment']>

/** A quoted exchange that is not paid. */
export interface Quoted {
  order: ExchangeOrder
  /** When the quote ends, by the local clock, which may differ from the server's. */
  deadline: string
  /** The amount that was shown before, if the rate has changed since. */
  before: string | undefined
}

export interface ToPay {
  order: ExchangeOrder
  payment: Payment
  deadline: string
}

export const refreshExchanges = (): void => refresh('exchange.records', 'exchange.status', 'exchange.wallet')

const quoteEnd = () => new Date(Date.now() + QUOTE_LIFE).toISOString()

/** Quoting, confirming and cancelling an exchange. */
export function useQuote() {
  const [quoted, setQuoted] = useState<Quoted>()
  const [toPay, setToPay] = useState<ToPay>()
  const [busy, setBusy] = useState(false)
  const [failure, setFailure] = useState<string>()

  const attempt = async (act: () => Promise<void>) => {
    setBusy(true)
    setFailure(undefined)
    try {
      await act()
    } catch (error) {
      const isExpired = error instanceof ApiError && error.kind === 'session'
      setFailure(isExpired ? t.failures.token : `${t.failures.redemption}: ${messageOf(error)}`)
    } finally {
      setBusy(false)
    }
  }

  /** @returns undefined if the price has changed; it must be confirmed again */
  const requestPayment = async ({ order }: Pick<Quoted, 'order'>): Promise<ToPay | undefined> => {
    const answer = await api('exchange.confirm', { id: order.id, tnt4: order.tnt4 })
    const deadline = quoteEnd()
    const changed = answer.recalculated || !answer.payment
    setQuoted({ order: answer.order, deadline, before: changed ? order.tnt4 : undefined })
    return changed || !answer.payment ? undefined : { order: answer.order, payment: answer.payment, deadline }
  }

  return {
    quoted,
    toPay,
    busy,
    failure,
    setFailure,
    /** @param shown the price before the quote */
    create: (account: string, points: number, shown: string) =>
      attempt(async () => {
        const { order } = await api('exchange.create', { account, points })
        setQuoted({ order, deadline: quoteEnd(), before: order.tnt4 === shown ? undefined : shown })
        refreshExchanges()
      }),
    /** Replaces a quote that is over by a new one. */
    renew: () =>
      attempt(async () => {
        if (!quoted) return
        const { id, account, points, tnt4 } = quoted.order
        // It may have ended by itself.
        await api('exchange.cancel', { id }).catch(() => {})
        const { order } = await api('exchange.create', { account, points })
        setQuoted({ order, deadline: quoteEnd(), before: order.tnt4 === tnt4 ? undefined : tnt4 })
        refreshExchanges()
      }),
    /** Continues an exchange that was quoted before the page was opened. */
    resume: (order: ExchangeOrder) => setQuoted({ order, deadline: order.expires_at, before: undefined }),
    confirm: () => attempt(async () => setToPay(quoted && (await requestPayment(quoted)))),
    /** The payment that is being signed, or a new one if the wallet is asked again. */
    requestPayment,
    stopPaying: () => setToPay(undefined),
    cancel: () =>
      attempt(async () => {
        if (quoted) await api('exchange.cancel', { id: quoted.order.id })
        setQuoted(undefined)
        refreshExchanges()
      }),
    /** Ends an exchange whose payment was not sent, because the wallet's user modified it. */
    abandon: (id: string) => api('exchange.cancel', { id }).then(refreshExchanges, () => {}),
    /** Leaves the quote without cancelling it: it is paid, or over. */
    leave: () => {
      setToPay(undefined)
      setQuoted(undefined)
    },
  }
}

export type Quote = ReturnType<typeof useQuote>
