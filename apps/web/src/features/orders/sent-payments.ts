import { create } from 'zustand'

/** A wallet has broadcast it, and a block should have it after this time. */
const CONFIRMED_WITHIN_MS = 90_000

/** Orders whose payment was sent from this page a moment ago: nobody should pay twice while the chain confirms the first payment. */
const useSent = create<Readonly<Record<string, boolean>>>()(() => ({}))

export function markSent(order: string): void {
  useSent.setState({ [order]: true })
  setTimeout(() => useSent.setState({ [order]: false }), CONFIRMED_WITHIN_MS)
}

/** Whether the payment of an order was sent a moment ago. */
export const useJustSent = (order: string): boolean => useSent((sent) => sent[order] ?? false)
