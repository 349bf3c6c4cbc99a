import { createClock } from '@tidenet/daemon'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createWorld, upload, type World } from './test-env.fixture.ts'

let world: World
beforeAll(async () => {
  world = await createWorld()
})
afterAll(() => world.stop())

describe('a node whose clock is wrong', () => {
  it.each([
    ['behind', 3600_000],
    ['ahead', -3600_000],
  ])('(%s) is not ready until the clock is right', async (_how, offset) => {
    const clock = createClock()
    world.server.ahead = offset
    const refusals = () => world.server.of('refused').length
    const before = refusals()
    let ready = false
    const starting = world.start({ clock }).then((node) => {
      ready = true
      return node
    })
    await world.server.until(() => refusals() >= before + 2)
    expect(ready).toBe(false)
    clock.move(offset)
    const node = await starting
    world.server.ahead = 0
    clock.move(0)
    expect(await upload(world, node, Buffer.from(`right again ${offset}`))).toMatchObject({ status: 200 })
  })

  it('can be stopped while it waits', async () => {
    world.server.ahead = 3600_000
    const ending = new AbortController()
    const before = world.server.of('refused').length
    const starting = world.start({ stopping: ending.signal })
    await world.server.until(() => world.server.of('refused').length > before)
    ending.abort()
    await (await starting).stop()
    world.server.ahead = 0
  })

  it('is distinguished from an unreachable server, without which a node starts', async () => {
    world.server.away = true
    const node = await world.start()
    expect(node.id).toMatch(/^c_/)
    world.server.away = false
    await world.server.until(() =>
      world.server.calls.some((call) => call.operation === 'heartbeat' && call.node === node.id),
    )
  })
})
