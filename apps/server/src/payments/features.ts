import type { Feature } from '../platform/feature.ts'
import { handle } from '../platform/jobs/job.ts'
import { anchorLog } from './anchors/anchors.ts'
import * as anchors from './anchors/repository.ts'
import { serveChain } from './chain/routes.ts'
import type { Context } from './context.ts'
import { closeHours } from './earnings/close.ts'
import * as earnings from './earnings/repository.ts'
import { serveEarnings } from './earnings/routes.ts'
import { sendWeeklySummaries } from './earnings/weekly.ts'
import { creditDue } from './exchange/credit.ts'
import { payRefunds, payTestCoins } from './exchange/pay.ts'
import { readPayments } from './exchange/read.ts'
import * as exchange from './exchange/repository.ts'
import { serveExchange } from './exchange/routes.ts'
import { payClaims } from './faucet/pay.ts'
import * as faucet from './faucet/repository.ts'
import { serveFaucet } from './faucet/routes.ts'
import * as guests from './guests/repository.ts'
import { serveGuests } from './guests/routes.ts'
import { endGuests, guestToStart, runGuest } from './guests/service.ts'
import { advanceDue } from './orders/advance.ts'
import { creditOutages, payCredits } from './orders/credits.ts'
import * as credits from './orders/credits-repository.ts'
import { setFloor } from './orders/floor.ts'
import { ordersToAdvance } from './orders/jobs.ts'
import * as orderPayments from './orders/payments-repository.ts'
import * as orders from './orders/repository.ts'
import { serveOrders } from './orders/routes.ts'
import * as payouts from './payouts/repository.ts'
import { serveReceipts } from './receipts/routes.ts'
import { payRedemptions } from './rewards/pay.ts'
import * as rewards from './rewards/repository.ts'
import { serveRewards } from './rewards/routes.ts'

/** Payouts of one second share a transaction. Only servers with the operator key pay. */
const PAYING = {
  role: 'jobs',
  every: { usual: 1000, quick: 1000 },
  when: ({ chain }: Context) => chain?.operator !== undefined,
} as const

/** Every server looks; one closes an hour. */
const HOURLY = { usual: 20_000, quick: 2000 }

export const payments: readonly Feature<Context>[] = [
  { name: 'chain', serve: serveChain },
  { name: 'payouts', expired: payouts.expired },
  {
    name: 'faucet',
    serve: serveFaucet,
    tasks: [{ name: 'claims', ...PAYING, run: payClaims }],
    expired: faucet.expired,
    erase: ({ id }) => faucet.erased(id),
    exported: ({ id }) => [{ name: 'claims', rows: faucet.exported(id) }],
  },
  {
    name: 'rewards',
    serve: serveRewards,
    tasks: [{ name: 'redemptions', ...PAYING, run: payRedemptions }],
    erase: ({ id }) => rewards.erased(id),
    exported: ({ id }) => [
      { name: 'redemptions', rows: rewards.exported(id) },
      { name: 'points', rows: rewards.exportedPoints(id) },
    ],
  },
  {
    name: 'exchange',
    serve: serveExchange,
    tasks: [
      { name: 'exchange-payments', every: { usual: 2000, quick: 500 }, role: 'jobs', run: readPayments },
      { name: 'exchange-credits', every: { usual: 1000, quick: 500 }, role: 'jobs', run: creditDue },
      { name: 'exchange-refunds', ...PAYING, run: payRefunds },
      { name: 'test-coins', ...PAYING, run: payTestCoins },
    ],
    erase: ({ id }) => exchange.erased(id),
    exported: ({ id }) => [{ name: 'exchanges', rows: exchange.exported(id) }],
  },
  {
    name: 'anchors',
    // Checks a transaction more often than it sends one.
    tasks: [{ ...PAYING, name: 'anchors', every: { usual: 10_000, quick: 1000 }, run: anchorLog }],
    expired: anchors.expired,
  },
  { name: 'receipts', serve: serveReceipts },
  {
    name: 'earnings',
    serve: serveEarnings,
    tasks: [
      { name: 'close-hours', every: HOURLY, run: closeHours },
      { name: 'weekly-summaries', every: HOURLY, run: sendWeeklySummaries },
    ],
    expired: earnings.expired,
    erase: ({ id }) => earnings.erased(id),
    exported: ({ id }) => [{ name: 'earnings', rows: earnings.exported(id) }],
  },
  {
    name: 'guests',
    serve: serveGuests,
    jobs: [handle(guestToStart, (context: Context, { id }) => runGuest(context, id))],
    tasks: [{ name: 'guests', every: { usual: 5000, quick: 1000 }, run: endGuests }],
    expired: guests.expired,
    erase: ({ id }) => guests.erased(id),
  },
  {
    name: 'orders',
    serve: serveOrders,
    jobs: [handle(ordersToAdvance, async (context: Context) => void (await advanceDue(context)))],
    tasks: [
      { name: 'orders', every: { usual: 2000, quick: 500 }, run: advanceDue },
      { name: 'outages', every: { usual: 10_000, quick: 1000 }, run: creditOutages },
      { name: 'order-credits', ...PAYING, run: payCredits },
      // Only once after each start, as soon as the chain answers.
      { ...PAYING, name: 'order-floor', every: { usual: 10_000, quick: 1000 }, run: setFloor },
    ],
    erase: ({ id }) => [...orders.erased(id), ...credits.erased(id)],
    exported: ({ id }) => [
      { name: 'orders', rows: orders.exported(id) },
      { name: 'order_payments', rows: orderPayments.exported(id) },
      { name: 'order_credits', rows: credits.exported(id) },
    ],
  },
]
