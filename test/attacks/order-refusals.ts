import { AppError } from '@tidenet/contract'
import { cosmosWallet, linkSample, place } from '../../apps/server/src/identity/wallets/sample-wallets.fixture.ts'
import { type Chain, chainOf } from '../../apps/server/src/payments/chain/chain.ts'
import type { ChainConfig } from '../../apps/server/src/payments/chain/config.ts'
import {
  type Buyer,
  type OrdersEnv,
  runningOrder,
  SMALLEST,
} from '../../apps/server/src/payments/orders/sample-orders.fixture.ts'
import { sql } from '../../apps/server/src/platform/db/sql.ts'
import type { As, TestEnv } from '../../apps/server/src/test-env.fixture.ts'

/** Provokes each refusal of operations that need the chain: orders, faucet claims and redemptions. */
export function orderRefusals(orders: () => OrdersEnv, without: () => TestEnv) {
  const call: TestEnv['call'] = (name, input, as) => orders().base.call(name, input, as)
  const cn = ({ token }: { token: string }) => ({ lang: 'cn', token }) as const
  /** An account with a linked wallet, which is enough for refusals before payment. */
  const walletOwner = async () => {
    const person = await orders().base.person()
    await linkSample(orders().base, cosmosWallet(), person.token)
    return person
  }
  const order = async (more: Record<string, unknown> = {}) =>
    call('orders.create', { ...SMALLEST, ...more } as typeof SMALLEST, cn(await walletOwner()))
  const unpaid = async () => {
    const one = await walletOwner()
    return { as: cn(one), id: (await call('orders.create', SMALLEST, cn(one))).data.id }
  }
  /** One running order, shared because refused calls do not change it. */
  let bought: Promise<{ buyer: Buyer; id: string }> | undefined
  const running = async () => {
    bought ??= (async () => {
      const buyer = await orders().buyer()
      return { buyer, id: await runningOrder(orders(), buyer) }
    })()
    const { buyer, id } = await bought
    return { as: cn(buyer), id }
  }
  /** Runs `work` with another chain configuration. */
  const withChain = async <T>(chain: (present: Chain) => Chain | undefined, work: () => Promise<T>): Promise<T> => {
    const { context } = orders()
    const present = context.chain
    if (!present) throw new AppError('chainNotConfigured')
    try {
      Object.assign(context, { chain: chain(present) })
      return await work()
    } finally {
      Object.assign(context, { chain: present })
    }
  }
  const faucetOf = (more: Partial<ChainConfig['faucet']>) => () => {
    const { config } = orders().chain
    return chainOf({ ...config, faucet: { ...config.faucet, ...more } })
  }
  const claim = async (from: As, who?: { token: string }) =>
    call('faucet.receive', {}, { ...from, ...cn(who ?? (await walletOwner())) })

  return {
    keySpending: async () => {
      const owner = await walletOwner()
      const { key } = (await call('apiKeys.create', { key_name: 'k', spending_cap: 0 }, owner)).data
      return call('orders.create', SMALLEST, cn({ token: key }))
    },
    chainNotConfigured: () => without().call('chain.settings', {}, { lang: 'cn' }),
    chainUnavailable: () =>
      withChain(
        () => chainOf({ ...orders().chain.config, rpc: ['http://127.0.0.1:9'] }),
        () => call('chain.settings', {}, { lang: 'cn' }),
      ),

    clusterUnknown: () => order({ kub_name: 'atlantis' }),
    async clusterNotReady() {
      const { clusters } = orders()
      clusters.open = false
      try {
        return await order()
      } finally {
        clusters.open = true
      }
    },
    async tooManyUnpaid() {
      const as = cn(await walletOwner())
      for (let made = 0; made < 10; made++) await call('orders.create', SMALLEST, as)
      return call('orders.create', SMALLEST, as)
    },
    async orderStatus() {
      const { as, id } = await unpaid()
      return call('orders.terminate', { id }, as)
    },
    async lowerConfiguration() {
      const { as, id } = await running()
      return call('orders.upgrade', { id, ...SMALLEST, cpu: 2, duration: 1 }, as)
    },
    async sameConfiguration() {
      const { as, id } = await running()
      return call('orders.upgrade', { id, ...SMALLEST }, as)
    },
    async renewalShorter() {
      const { as, id } = await running()
      return call('orders.payment', { id, duration: SMALLEST.duration }, as)
    },
    async maximumDurationReached() {
      const { as, id } = await running()
      const last = (hours: number) => orders().base.db.run(sql`update orders set duration = ${hours} where id = ${id}`)
      await last(720)
      try {
        return await call('orders.payment', { id }, as)
      } finally {
        await last(SMALLEST.duration)
      }
    },
    async hashFormat() {
      const { as, id } = await unpaid()
      return call('orders.hash', { id, hash: 'x' }, as)
    },
    async hashUsed() {
      const paid = await running()
      const { data } = await call('orders.details', { id: paid.id }, paid.as)
      const { as, id } = await unpaid()
      return call('orders.hash', { id, hash: data.payments[0]?.hash ?? '' }, as)
    },
    // A server without the operator key.
    async autoRenewImpossible() {
      const { as, id } = await running()
      return withChain(
        (present) => ({ ...present, operator: undefined }),
        () => call('orders.autoRenew', { id, on: true, cap: 1000 }, as),
      )
    },
    async autoRenewCap() {
      const { as, id } = await running()
      return call('orders.autoRenew', { id, on: true, cap: 0 }, as)
    },

    async claimedToday() {
      const who = await walletOwner()
      await claim(place(), who)
      return claim(place(), who)
    },
    tooManyClaims: () =>
      withChain(faucetOf({ perNetwork: 1 }), async () => {
        const from = place()
        await claim(from)
        return claim(from)
      }),
    redeemUnavailable: () =>
      withChain(
        () => chainOf({ ...orders().chain.config, rewards: { ...orders().chain.config.rewards, token: '' } }),
        async () => call('rewards.redeem', { points: 10 }, cn(await walletOwner())),
      ),
    async pointsMinimum() {
      return call('rewards.redeem', { points: 9 }, cn(await walletOwner()))
    },
    async pointsInsufficient() {
      return call('rewards.redeem', { points: 10 }, cn(await walletOwner()))
    },
    claimQuota: () =>
      withChain(faucetOf({ hourly: 400 }), async () => {
        await claim(place())
        return claim(place())
      }),
  }
}
