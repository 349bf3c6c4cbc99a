import { createClock } from '@tidenet/daemon'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createTestEnv, type TestEnv, upload } from './test-env.fixture.ts'

let env: TestEnv
beforeAll(async () => {
  env = await createTestEnv()
})
afterAll(() => env.stop())

describe('a node whose clock is wrong', () => {
  it.each([
    ['behind', 3600_000],
    ['ahead', -3600_000],
  ])('(%s) is not ready until the clock is right', async (_how, offset) => {
    const clock = createClock()
    env.server.ahead = offset
    const refusals = () => env.server.of('refused').length
    const before = refusals()
    let ready = false
    const starting = env.start({ clock }).then((node) => {
      ready = true
      return node
    })
    await env.server.until(() => refusals() >= before + 2)
    expect(ready).toBe(false)
    clock.move(offset)
    const node = await starting
    env.server.ahead = 0
    clock.move(0)
    expect(await upload(env, node, Buffer.from(`right again ${offset}`))).toMatchObject({ status: 200 })
  })

  it('can be stopped while it waits', async () => {
    env.server.ahead = 3600_000
    const ending = new AbortController()
    const before = env.server.of('refused').length
    const starting = env.start({ stopping: ending.signal })
    await env.server.until(() => env.server.of('refused').length > before)
    ending.abort()
    await (await starting).stop()
    env.server.ahead = 0
  })

  it('is distinguished from an unreachable server, without which a node starts', async () => {
    env.server.away = true
    const node = await env.start()
    expect(node.id).toMatch(/^c_/)
    env.server.away = false
    await env.server.until(() =>
      env.server.calls.some((call) => call.operation === 'heartbeat' && call.node === node.id),
    )
  })
})
