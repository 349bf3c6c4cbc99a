import { serveModule } from '../../platform/http/operations.ts'
import type { ServerServing } from '../../platform/http/serving.ts'
import type { Context } from '../context.ts'
import { redeem, redemptions, rewardState } from './service.ts'
import { texts } from './texts.ts'

export function serveRewards(serving: ServerServing, context: Context): void {
  serveModule(serving, 'rewards', {
    state: (_, { caller }) => rewardState(context, caller),
    async redeem({ points }, { caller, lang }) {
      return { msg: texts[lang].redeemed, ...(await redeem(context, caller, points)) }
    },
    history: (input, { caller }) => redemptions(context, caller, input),
  })
}
