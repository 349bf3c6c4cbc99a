import { serveModule } from '../../platform/http/operations.ts'
import type { ServerServing } from '../../platform/http/serving.ts'
import type { Context } from '../context.ts'
import { adoptGuest, guestOffer, guestState, startGuest } from './service.ts'

export function serveGuests(serving: ServerServing, context: Context): void {
  serveModule(serving, 'guests', {
    offer: () => guestOffer(context),
    start: (_, { ip, agent }) => startGuest(context, { ip, agent }),
    state: (input) => guestState(context, input),
    adopt: (input, { caller, ip, agent }) => adoptGuest(context, caller, input, { ip, agent }),
  })
}
