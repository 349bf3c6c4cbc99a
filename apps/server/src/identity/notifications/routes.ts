import type { FastifyInstance } from 'fastify'
import { serveModule } from '../../platform/http/operations.ts'
import type { ServerServing } from '../../platform/http/serving.ts'
import type { Context } from '../context.ts'
import { changeSubscription, listNotifications, setNotification } from './service.ts'

export async function serveNotifications(serving: ServerServing, context: Context): Promise<void> {
  serveModule(serving, 'notifications', {
    list: (_, { caller }) => listNotifications(context, caller),
    set: (input, { caller }) => setNotification(context, caller, input),
    subscription: (input) => changeSubscription(context, input),
  })
  await serving.app.register(async (scope) => serveOneClick(scope, context))
}

/** RFC 8058: mail programs post to the address that people open in a browser. What they send says nothing, so it is not read. */
function serveOneClick(scope: FastifyInstance, context: Context): void {
  for (const type of ['application/x-www-form-urlencoded', 'multipart/form-data'])
    scope.addContentTypeParser(type, (_request, payload, done) => {
      payload.resume()
      done(null)
    })
  scope.post<{ Querystring: { token?: unknown } }>(
    '/unsubscribe',
    { config: { rateLimit: { max: 60, timeWindow: '1 minute' } }, bodyLimit: 4096 },
    async ({ query: { token } }, reply) => {
      const done = await changeSubscription(context, { token: String(token ?? ''), email: false }).catch(
        () => undefined,
      )
      return reply
        .status(done ? 200 : 400)
        .type('text/plain')
        .send(done ? 'unsubscribed' : 'invalid token')
    },
  )
}
