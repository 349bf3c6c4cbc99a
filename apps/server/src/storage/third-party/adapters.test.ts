import type { Cid } from '@tidenet/content'
import { readCar } from '@tidenet/content/car'
import { adaptersSuite } from './adapters-suite.fixture.ts'
import { startKubo } from './kubo.fixture.ts'
import { createKubo } from './kubo.ts'
import { startPinningService } from './pinning-service.fixture.ts'
import { createPinningService } from './pinning-service.ts'
import { createSimulation } from './simulation.ts'

// The same suite for all adapters. `test/kubo` runs it with a Kubo node.

adaptersSuite('the RPC of Kubo', async () => {
  const kubo = await startKubo({ token: 'secret' })
  return {
    provider: createKubo({ kind: 'kubo', name: 'kubo', url: kubo.url, token: 'secret' }),
    close: kubo.close,
  }
})

adaptersSuite('the Pinning Service API', async () => {
  const stored = new Map<string, Uint8Array>()
  const service = await startPinningService({
    token: 'secret',
    readBlock: async (cid) => stored.get(cid),
    async pin(_, origins) {
      if (origins.length === 0) throw new Error('no origins')
    },
  })
  return {
    provider: createPinningService({
      kind: 'pinning',
      name: 'service',
      url: service.url,
      token: 'secret',
      gateway: service.url,
      origins: [],
    }),
    async offer(car: () => AsyncIterable<Uint8Array>, _: Cid) {
      for await (const { cid, bytes } of readCar(car()).blocks) stored.set(cid.toV1().toString(), bytes)
      return ['/ip4/127.0.0.1/tcp/4001']
    },
    close: service.close,
  }
})

adaptersSuite('the simulation', async () => {
  let now = Date.now()
  return {
    provider: createSimulation({ name: 'simulation', hours: 48, clock: { now: () => now } }),
    pass() {
      now += 4 * 3600 * 1000
    },
    close: async () => {},
  }
})
