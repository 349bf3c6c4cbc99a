import { createCache } from '../../platform/cache.ts'
import { serveModule } from '../../platform/http/operations.ts'
import type { ServerServing } from '../../platform/http/serving.ts'
import type { Context } from '../context.ts'
import * as service from './service.ts'
import { texts } from './texts.ts'

/** Points exchange: TNT4 for credits at a partner. */
export function serveExchange(serving: ServerServing, context: Context): void {
  const cached = createCache(context)
  serveModule(serving, 'exchange', {
    rate: async (_, { lang }) =>
      service.readRate(context, await cached(['offer', lang], () => service.readOffer(context, lang))),
    async account({ account }, { caller }) {
      const { id, name } = await service.verifyAccount(context, caller, account)
      return { account: id, account_name: name, simulated: context.config.exchange.simulated }
    },
    create: (input, { caller, lang }) => service.create(context, caller, input, lang),
    confirm: (input, { caller, lang }) => service.confirm(context, caller, input, lang),
    hash: (input, { caller, lang }) => service.lookForPayment(context, caller, input, lang),
    cancel: ({ id }, { caller, lang }) => service.cancel(context, caller, id, lang),
    status: ({ id }, { caller, lang }) => service.readStatus(context, caller, id, lang),
    records: (input, { caller, lang }) => service.listRecords(context, caller, input, lang),
    async testCoins(_, { caller, lang }) {
      return { msg: texts[lang].claimed, claim: await service.claimTestCoins(context, caller) }
    },
    wallet: (_, { caller }) => service.readWallet(context, caller),
  })
}
