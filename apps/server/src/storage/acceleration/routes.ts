import { serveModule } from '../../platform/http/operations.ts'
import type { ServerServing } from '../../platform/http/serving.ts'
import type { Context } from '../context.ts'
import { getAcceleration, listAccelerations, setAcceleration } from './service.ts'

export function serveAcceleration(serving: ServerServing, context: Context): void {
  serveModule(serving, 'acceleration', {
    get: (input, { caller, lang }) => getAcceleration(context, caller, lang, input),
    set: (input, { caller, lang, ip }) => setAcceleration(context, caller, { lang, ip }, input),
    list: (_, { caller }) => listAccelerations(context, caller),
  })
}
