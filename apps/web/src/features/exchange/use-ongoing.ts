import type { ExchangeOrder } from '@tidenet/contract'
import { useEffect, useState } from 'react'
import { api } from '../../lib/api.ts'
import { query, useQuery } from '../../lib/queries.ts'
import { isOpen, isSettled } from './orders.ts'
import { forgetSent, useSent } from './sent.ts'
import { refreshExchanges } from './use-quote.ts'

const CHANGING_MS = 1500
const REFRESH_MS = 30_000
/** The newest exchanges, among which are those that still change. */
const LATEST = { page: 1, size: 10 } as const

export interface Ongoing {
  /** Exchanges whose payment is on its way, and those that ended while the page was open; newest first. */
  list: ExchangeOrder[]
  /** The newest quote that the page can continue. */
  open: ExchangeOrder | undefined
  /** The latest state of an exchange. */
  find: (id: string | undefined) => ExchangeOrder | undefined
  /** Follows an exchange until it is dismissed. */
  follow: (id: string) => void
  dismiss: (id: string) => void
}

/** Follows the exchanges of the account, also those that were paid in a tab that is closed. */
export function useOngoing(signedIn: boolean): Ongoing {
  const [followed, setFollowed] = useState<ReadonlySet<string>>(new Set())
  const { sent } = useSent()
  const records = useQuery({
    ...query('exchange.records', LATEST),
    enabled: signedIn,
    refetchInterval: ({ state: { data } }) => (!data || data.list.every(isSettled) ? REFRESH_MS : CHANGING_MS),
  })
  const orders = signedIn ? (records.data?.list ?? []) : []
  const isPaid = (order: ExchangeOrder) => !isSettled(order) && (!isOpen(order) || sent[order.id] !== undefined)

  useEffect(() => {
    const paid = orders.filter(isPaid).map(({ id }) => id)
    if (paid.some((id) => !followed.has(id))) setFollowed(new Set([...followed, ...paid]))
    for (const order of orders) if (isSettled(order) && sent[order.id]) forgetSent(order.id)
  })

  // The tab that sent a payment may have been closed before it could report it.
  const unreported = orders.find((order) => isOpen(order) && sent[order.id]?.hash)
  const [id, hash] = unreported ? [unreported.id, sent[unreported.id]?.hash ?? ''] : ['', '']
  useEffect(() => {
    if (id) api('exchange.hash', { id, hash }).catch(() => {})
  }, [id, hash])

  // What changed affects the list of records and the balance.
  const states = orders.map((order) => `${order.id} ${order.status} ${order.payments.map(({ result }) => result)}`)
  const version = states.join()
  useEffect(() => {
    if (version) refreshExchanges()
  }, [version])

  return {
    list: orders.filter(({ id }) => followed.has(id)),
    open: orders.find((order) => isOpen(order) && !sent[order.id] && Date.parse(order.expires_at) > Date.now()),
    find: (id) => orders.find((order) => order.id === id),
    follow: (id) => setFollowed((before) => new Set([...before, id])),
    dismiss: (id) => setFollowed((before) => new Set([...before].filter((each) => each !== id))),
  }
}
