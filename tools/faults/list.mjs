// biome-ignore-all lint/suspicious/noTemplateCurlyInString: pieces of code that is broken

/**
 * What `npm run faults` breaks. `find` stands once in the sources below `folder`; files may move.
 * @type {readonly { name: string, promise: 'money' | 'access' | 'data loss' | 'wire' | 'languages', folder: string, find: string, replace: string, tests: readonly string[] }[]}
 */
export const faults = [
  {
    name: 'refund-of-begun-hours',
    promise: 'money',
    folder: 'apps/server/src/payments',
    find: 'Math.max(1, Math.ceil((height - startHeight) / BLOCKS_AN_HOUR))',
    replace: 'Math.max(1, Math.floor((height - startHeight) / BLOCKS_AN_HOUR))',
    tests: ['apps/server/src/payments/orders/lots.test.ts'],
  },
  {
    name: 'refund-rounded-up',
    promise: 'money',
    folder: 'apps/server/src/payments',
    find: 'refund += (units * BigInt(hours - taken)) / BigInt(hours)',
    replace: 'refund += (units * BigInt(hours - taken) + BigInt(hours) - 1n) / BigInt(hours)',
    tests: ['apps/server/src/payments/orders/lots.test.ts'],
  },
  {
    name: 'cheap-upgrade',
    promise: 'money',
    folder: 'apps/server/src/payments',
    find: 'Math.max(priceOf(wanted, factor), leastFor(rateOf(old), wanted.duration))',
    replace: 'priceOf(wanted, factor)',
    tests: ['apps/server/src/payments/orders/money.test.ts'],
  },
  {
    name: 'another-amount-paid',
    promise: 'money',
    folder: 'packages/chain-client/src',
    find: "if (sent.amount !== String(intent.amount)) return wrong('amount')",
    replace: 'intent = { ...intent, amount: BigInt(sent.amount) }',
    tests: ['apps/server/src/payments/orders/orders.routes.test.ts'],
  },
  {
    name: 'payment-not-judged',
    promise: 'money',
    folder: 'apps/server/src/payments',
    find: "verdict.state === 'paid' && onChain.initiator === asked.payer",
    replace: 'onChain.initiator === asked.payer',
    tests: ['apps/server/src/payments/orders/orders.routes.test.ts'],
  },
  {
    name: 'hash-of-another-order',
    promise: 'money',
    folder: 'apps/server/src/payments',
    find: 'and order_id <> ${orderId}',
    replace: 'and order_id = ${orderId}',
    tests: [
      'apps/server/src/payments/orders/orders.routes.test.ts',
      'apps/server/src/payments/orders/refusals.routes.test.ts',
    ],
  },
  {
    name: 'payout-paid-twice',
    promise: 'money',
    folder: 'apps/server/src/payments',
    find: 'and payment is not distinct from ${instead}::text',
    replace: '',
    tests: ['apps/server/src/payments/faucet/faucet.routes.test.ts'],
  },
  {
    name: 'payout-void-too-early',
    promise: 'money',
    folder: 'apps/server/src/payments',
    find: 'height > payout.last_height + MARGIN',
    replace: 'height > 0',
    tests: ['apps/server/src/payments/faucet/faucet.routes.test.ts'],
  },
  {
    name: 'claim-twice-a-day',
    promise: 'money',
    folder: 'apps/server/src/payments',
    find: 'const local = at + zone * MINUTE',
    replace: 'const local = at - zone * MINUTE',
    tests: ['apps/server/src/payments/faucet/times.test.ts'],
  },
  {
    name: 'hourly-limit',
    promise: 'money',
    folder: 'apps/server/src/payments',
    find: 'where h.given + excluded.given <= ${most}',
    replace: 'where h.given <= ${most}',
    tests: ['apps/server/src/payments/faucet/faucet.routes.test.ts'],
  },
  {
    name: 'points-redeemed-twice',
    promise: 'money',
    folder: 'apps/server/src/payments',
    find: 'accumulated - withdrawing - credited',
    replace: 'accumulated - credited',
    tests: ['apps/server/src/payments/rewards/rewards.routes.test.ts'],
  },
  {
    name: 'auto-renew-above-its-cap',
    promise: 'money',
    folder: 'apps/server/src/payments',
    find: 'order.auto_spent + next.cost > order.auto_cap',
    replace: 'next.cost > order.auto_cap',
    tests: ['apps/server/src/payments/orders/renewals.routes.test.ts'],
  },
]
