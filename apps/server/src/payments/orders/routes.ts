import { priceOf } from '@tidenet/contract'
import { requireLinkedWallet } from '../../identity/index.ts'
import { serveModule } from '../../platform/http/operations.ts'
import type { ServerServing } from '../../platform/http/serving.ts'
import type { Context } from '../context.ts'
import { setAutoRenew } from './auto-renew.ts'
import { listNotices, readNotices } from './notices.ts'
import { postHash, preparePayment, renewOrder } from './pay.ts'
import { factorOf } from './price.ts'
import { readAll, readDetails, readHistory, readOffers, readRefund } from './read.ts'
import { cancelOrder, createOrder, requireOwnOrder, terminateOrder, upgradeOrder } from './service.ts'
import { messageText } from './texts.ts'

export function serveOrders(serving: ServerServing, context: Context): void {
  serveModule(serving, 'orders', {
    price: (resources) => ({ cost: priceOf(resources, factorOf(context)) }),
    offers: (_, { lang }) => readOffers(context, lang),
    create: async (input, { caller, lang }) => ({ id: await createOrder(context, caller, input, lang) }),
    upgrade: async (input, { caller, lang }) => ({ id: await upgradeOrder(context, caller, input, lang) }),
    payment: (input, { caller, lang }) => preparePayment(context, caller, input, lang),
    hash: async (input, { caller, lang }) => ({
      msg: messageText((await postHash(context, caller, input)) ? 'hash' : 'hashPending', lang),
    }),
    renewal: async (input, { caller, lang }) => ({
      msg: messageText((await renewOrder(context, caller, input)) ? 'renewal' : 'renewalPending', lang),
    }),
    async refund({ id }, { caller }) {
      await requireLinkedWallet(context.db, caller.userId)
      return readRefund(context, caller, id)
    },
    terminate: async ({ id }, { caller, lang }) => ({
      msg: messageText((await terminateOrder(context, caller, id)) ? 'terminate' : 'terminatePending', lang),
    }),
    async cancel({ id }, { caller, lang }) {
      await cancelOrder(context, caller, id)
      return { msg: messageText('cancel', lang) }
    },
    async history(input, { caller }) {
      await requireLinkedWallet(context.db, caller.userId)
      return readHistory(context, caller, input)
    },
    all: (input) => readAll(context, input),
    details: ({ id }, { caller, lang }) => readDetails(context, caller, id, lang),
    async autoRenew({ id, ...wanted }, { caller }) {
      await requireLinkedWallet(context.db, caller.userId)
      return setAutoRenew(context, await requireOwnOrder(context, caller, id), wanted)
    },
    notices: (input, { caller, lang }) => listNotices(context, caller.userId, input, lang),
    readNotices: ({ ids }, { caller }) => readNotices(context, caller.userId, ids),
  })
}
