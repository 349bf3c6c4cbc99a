// Requests per second of an authenticated call, compared with an empty Fastify route in the same run.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { createNetwork } from '@tidenet/testnet'
import { load, median, report, sample } from './measure.mjs'
import { person } from './people.mjs'

const empty = spawn(process.execPath, [fileURLToPath(new URL('empty-route.mjs', import.meta.url))], {
  stdio: ['ignore', 'pipe', 'inherit'],
})
const [emptyUrl] = await once(empty.stdout, 'data').then(([chunk]) => [chunk.toString().trim()])
const network = await createNetwork({ nodes: 0 })
try {
  const { token } = await person(network)
  const headers = { jwtauthorization: `Bearer ${token}` }
  const bare = []
  const authenticated = []
  for (let round = 0; round < 6; round++) {
    const empty = await sample(() => load(emptyUrl, { paths: ['/'], headers }))
    const real = await sample(() => load(network.url, { paths: ['/api/v1/storage/get_vip_info'], headers }))
    if (Object.keys(real.statuses).join() !== '200') throw new Error(`statuses ${JSON.stringify(real.statuses)}`)
    // The first round is for warm-up.
    if (round === 0) continue
    bare.push(empty.perSecond)
    authenticated.push(real.perSecond)
    console.log(`round ${round}: ${Math.round(empty.perSecond)} empty, ${Math.round(real.perSecond)} authenticated`)
  }
  report('an authenticated call', {
    measured: Math.round(median(authenticated)),
    against: `${Math.round(median(bare))} of an empty Fastify route`,
    unit: 'requests/s',
    value: median(authenticated.map((rate, round) => rate / bare[round])),
    goal: { atLeast: 0.3 },
  })
} finally {
  empty.kill()
  await network.stop()
}
