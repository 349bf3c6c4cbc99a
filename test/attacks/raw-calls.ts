import { contract, type Route } from '@tidenet/contract'
import type { InjectOptions } from 'fastify'
import type { TestEnv } from '../../apps/server/src/test-env.fixture.ts'

/** Every operation of the contract. */
export const routes: { name: string; route: Route }[] = Object.entries(contract).flatMap(([module, operations]) =>
  Object.entries(operations as Record<string, Route>).map(([key, route]) => ({ name: `${module}.${key}`, route })),
)

/** Sends requests without the client's checks. @param current called each time, because the environment is set up later */
export function rawCalls(current: () => TestEnv) {
  let networks = 0
  /** A client network of its own for each call, so that no rate limit hides what is tested. */
  const newNetwork = () => `10.8.${++networks >> 8}.${networks & 255}`
  const send = async (request: InjectOptions) => {
    const answer = await current().app.inject({ remoteAddress: newNetwork(), ...request })
    const json = answer.body !== '' && String(answer.headers['content-type']).includes('json')
    return {
      status: answer.statusCode,
      headers: answer.headers,
      ...(json ? (answer.json() as { code?: number; err?: number }) : {}),
    }
  }
  return { send, newNetwork }
}
