// CPU time of the server for heartbeats of 10,000 nodes, one per node and 30 s, answered at once or held until there is work.
import { spawn } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { createNetwork } from '@tidenet/testnet'
import { nodeToken } from '../apps/server/dist/network/nodes/node-session.js'
import { deriveKeys } from '../apps/server/dist/platform/keys.js'
import { workFolder } from './files.mjs'
import { cpuOf, pause, processTree, report } from './measure.mjs'
import { addNodes } from './people.mjs'

const COUNT = 10_000
const EVERY = 30_000
const SECONDS = 30

const tokens = join(workFolder(), 'tokens')
const network = await createNetwork({ nodes: 0, mode: 'development' })
try {
  await addNodes(network, COUNT)
  const secret = readFileSync(join(network.data, 'secrets', 'server.key'), 'utf8').trim()
  const context = { keys: await deriveKeys(Buffer.from(secret, 'hex')), clock: { now: Date.now } }
  const ids = Array.from({ length: COUNT }, (_, index) => `bench-${index + 1}`)
  writeFileSync(tokens, JSON.stringify(await Promise.all(ids.map((id) => nodeToken(context, id)))))

  const server = () => cpuOf([network.server.process.pid])
  const isPostgres = (pid) => /^postgres/.test(readFileSync(`/proc/${pid}/comm`, 'utf8'))
  const database = () => cpuOf(processTree().filter(isPostgres))

  await pause(5000)
  const idle = server()
  await pause(10_000)
  console.log(`without heartbeats: ${((server() - idle) / 100).toFixed(1)} % of a core`)

  for (const held of [false, true]) {
    const program = fileURLToPath(new URL('part-heartbeats.mjs', import.meta.url))
    const nodes = spawn(process.execPath, [program, JSON.stringify({ url: network.url, tokens, every: EVERY, held })], {
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    const reports = []
    nodes.stdout.setEncoding('utf8').on('data', (text) =>
      reports.push(
        ...text
          .trim()
          .split('\n')
          .map((line) => JSON.parse(line)),
      ),
    )
    // Wait for the first heartbeat of each node, and for the second if they are held.
    await pause(EVERY + 5000)
    reports.length = 0
    const before = { server: server(), database: database() }
    await pause(SECONDS * 1000)
    const share = (server() - before.server) / (SECONDS * 1000)
    const ofDatabase = (database() - before.database) / (SECONDS * 1000)
    nodes.kill()
    const answered = reports.reduce((total, one) => total + one.answered, 0) / (reports.length * 10)
    for (const { refused } of reports) if (Object.keys(refused).length > 0) throw new Error(JSON.stringify(refused))
    console.log(
      `${Math.round(answered)} heartbeats/s answered; PostgreSQL ${(ofDatabase * 100).toFixed(1)} % of a core`,
    )
    if (answered < 0.9 * (COUNT / (EVERY / 1000))) throw new Error('heartbeats were not answered')
    report(`heartbeats of 10,000 nodes, ${held ? 'held for 30 s' : 'answered at once'}`, {
      measured: (share * 100).toFixed(1),
      against: `one core; PostgreSQL ${(ofDatabase * 100).toFixed(1)} % more`,
      unit: '%',
      value: share,
      goal: { below: 0.2 },
    })
  }
} finally {
  await network.stop()
}
