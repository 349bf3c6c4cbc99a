import { inbox } from '../../platform/mail/inbox.fixture.ts'
import { type Buyer, type OrdersEnv, SMALLEST } from './sample-orders.fixture.ts'

/** For tests: API calls of buyers. `env` is set up later. */
export function orderCalls(env: () => OrdersEnv) {
  const call: OrdersEnv['base']['call'] = (...args) => env().base.call(...args)
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
    /** The order in the contract. */
    async onChain(id: string) {
      const { port, orders } = env().port
      const query = { orders: { order_ids: [id] } }
      return (await port.query<{ status: string; duration: number; locked_funds: number }[]>(orders, query))[0]
    },
    subjects: async ({ email }: Buyer) => (await inbox(env().base, email)).map(({ subject }) => subject),
  }
}

/** Coins to token units. */
export const cents = (coins: number) => BigInt(coins) * 100n
