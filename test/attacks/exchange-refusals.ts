import type { SamplePartner } from '../../apps/server/src/payments/exchange/sample-exchange.fixture.ts'
import type { OrdersEnv } from '../../apps/server/src/payments/orders/sample-orders.fixture.ts'
import { cn, type Provoke, type Refused } from './refused.ts'

/** Refusals of the points exchange. */
export function exchangeRefusals(orders: () => OrdersEnv, partner: () => SamplePartner) {
  const payer = async () => ({ ...cn, token: (await orders().buyer(0)).token })
  const create = async (account = '100001', points = 100, as?: Awaited<ReturnType<typeof payer>>) =>
    orders().base.call('exchange.create', { account, points }, as ?? (await payer()))
  const withConfig = async (change: object, work: () => Promise<Refused>): Promise<Refused> => {
    const { config } = orders().context
    const { exchange } = config
    config.exchange = { ...exchange, ...change }
    return work().finally(() => {
      config.exchange = exchange
    })
  }
  const withoutToken = async (work: () => Promise<Refused>): Promise<Refused> => {
    const { context } = orders()
    const { chain } = context
    context.chain = chain && { ...chain, tnt4: undefined }
    return work().finally(() => {
      context.chain = chain
    })
  }
  return {
    exchangeNotConfigured: () => withConfig({ url: '' }, () => create()),
    exchangeNoToken: () => withoutToken(() => create()),
    exchangeAccountUnknown: () => create('nobody@partner.example'),
    exchangePartnerUnavailable: async () => {
      await partner().faults([{ on: 'lookup', kind: 'error before' }])
      return create()
    },
    exchangePoints: () => create('100001', 99),
    exchangeUnknown: async () => orders().base.call('exchange.status', { id: 'ex-unknown' }, await payer()),
    exchangeEnded: async () => {
      const as = await payer()
      const { id } = (await create('100001', 100, as)).data.order
      await orders().base.call('exchange.cancel', { id }, as)
      return orders().base.call('exchange.cancel', { id }, as)
    },
    exchangeOpen: async () => {
      const as = await payer()
      for (let each = 0; each < 5; each++) await create('100001', 100, as)
      return create('100001', 100, as)
    },
    exchangeNoTestCoins: () =>
      withConfig({ testCoins: 0 }, async () => orders().base.call('exchange.testCoins', {}, await payer())),
    exchangeStep: async () => {
      const { id } = (await create()).data.order
      const { token } = await orders().base.person({ role: 'operator' })
      return orders().base.call('admin.exchangeRetry', { id }, { ...cn, token })
    },
  } satisfies Record<string, Provoke>
}
