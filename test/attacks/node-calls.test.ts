import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { setup, type TestEnv } from '../../apps/server/src/test-env.fixture.ts'
import { type HostileNode, hostileNode } from './hostile-node.ts'

/** How often a hostile node can call. */

let env: TestEnv
beforeAll(async () => {
  env = await setup()
})
afterAll(() => env.close())

/** Tokens of as many registrations. */
async function tokensOf(node: HostileNode, count: number): Promise<string[]> {
  const tokens = new Set<string>()
  while (tokens.size < count) {
    env.pass(1000)
    await node.register()
    tokens.add(node.token)
  }
  return [...tokens]
}
const report = (token: string, ip: string) =>
  env.call('nodeControl.served', { batch: randomUUID(), transfers: [] }, { token, ip })

describe('a node that calls without end', () => {
  it('is refused after so many calls in a minute, with all of its tokens and from all addresses together', async () => {
    const node = await hostileNode(env)
    const tokens = await tokensOf(node, 10)
    const answers = await Promise.all(
      Array.from({ length: 400 }, (_, index) =>
        report(tokens[index % tokens.length] as string, `10.9.${index >> 8}.${index & 255}`),
      ),
    )
    expect(answers.filter(({ code }) => code === 0)).toHaveLength(300)
    const refused = answers.filter(({ code }) => code !== 0)
    for (const answer of refused) expect(answer).toMatchObject({ err: 1020, data: { seconds: expect.any(Number) } })
  })

  it('takes nothing from other nodes, of its network too', async () => {
    const node = await hostileNode(env, { ip: '10.8.0.1' })
    const other = await hostileNode(env, { ip: '10.8.0.2' })
    await Promise.all(Array.from({ length: 320 }, () => report(node.token, '10.8.0.1')))
    expect((await report(node.token, '10.8.0.1')).code).toBe(-1)
    expect((await report(other.token, '10.8.0.2')).code).toBe(0)
  })

  it('has few heartbeats held at once; the others are answered at once', async () => {
    // At this pace they are held for half a minute, or until the server stops.
    const usual = await setup({ pace: 'usual' })
    const node = await hostileNode(usual)
    let answered = 0
    const heartbeats = Array.from({ length: 30 }, async () => {
      await node.heartbeat({ wait: 30 })
      answered += 1
    })
    await expect.poll(() => answered, { timeout: 20_000 }).toBe(26)
    await usual.close()
    await Promise.all(heartbeats)
  })
})
