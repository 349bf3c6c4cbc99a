import { inbox } from '../../platform/mail/inbox.fixture.ts'
import { type Buyer, type Market, SMALLEST } from './sample-orders.fixture.ts'

/** For tests: what buyers ask of orders, in few words. The market is opened later. */
export function callsOf(market: () => Market) {
  const call: Market['world']['call'] = (...args) => market().world.call(...args)
  const as = ({ token }: Buyer) => ({ token })
  const details = async (buyer: Buyer, id: string) => (await call('orders.details', { id }, as(buyer))).data
  return {
    call,
    as,
    details,
    history: async (buyer: Buyer, status?: string) =>
      (await call('orders.history', status === undefined ? {} : { status }, as(buyer))).data,
    statusOf: async (buyer: Buyer, id: string) => (await details(buyer, id)).order.status,
    labelOf: async (buyer: Buyer, id: string) => (await details(buyer, id)).order.label,
    created: async (buyer: Buyer, resources = {}) =>
      (await call('orders.create', { ...SMALLEST, ...resources }, as(buyer))).data.id,
    paymentOf: async (buyer: Buyer, id: string, duration?: number) =>
      (await call('orders.payment', { id, ...(duration && { duration }) }, as(buyer))).data,
    /** As the contract tells it. */
    async onChain(id: string) {
      const { port, orders } = market().port
      const question = { orders: { order_ids: [id] } }
      return (await port.query<{ status: string; duration: number; locked_funds: number }[]>(orders, question))[0]
    },
    subjects: async ({ email }: Buyer) => (await inbox(market().world, email)).map(({ subject }) => subject),
  }
}

/** The token's units of so many coins. */
export const cents = (coins: number) => BigInt(coins) * 100n
