// The server of bench/orders.mjs: the real one, with clusters in memory that take no time, and an account for each given wallet.
import { createServer } from 'node:http'
import { runProgram } from '@tidenet/daemon/lifecycle'
import pg from 'pg'
import { clustersOf } from '../apps/server/dist/compute/clusters/clusters.js'
import { loadConfig } from '../apps/server/dist/config.js'
import { openSession } from '../apps/server/dist/identity/sessions/tokens.js'
import { sql } from '../apps/server/dist/platform/db/sql.js'
import { startServer } from '../apps/server/dist/server.js'
import { loadFixture } from '../tools/load-fixture.mjs'

const { sampleDriver } = await loadFixture('apps/server/src/compute/clusters/sample-driver.fixture.ts')

const PLENTY = { cpu: 1e6, memory: 1e15, storage: 1e18 }

const counts = { statements: 0, transactions: 0, texts: {} }
const query = pg.Client.prototype.query
pg.Client.prototype.query = function (first, ...rest) {
  const text = typeof first === 'string' ? first : (first.text ?? '')
  counts.statements += 1
  if (text === 'begin') counts.transactions += 1
  const key = text.replace(/\s+/g, ' ').trim().slice(0, 100)
  counts.texts[key] = (counts.texts[key] ?? 0) + 1
  return query.call(this, first, ...rest)
}

/** A session token for each wallet. */
async function createPayers({ context }, wallets) {
  const { db } = context
  const tokens = []
  for (const [index, wallet] of wallets.entries()) {
    const uid = `bench${index}`
    const { id } = await db.one(sql`
      insert into users (uid, email, created_at) values (${uid}, ${`${uid}@bench.example`}, now()) returning id`)
    await db.run(sql`
      insert into wallets (address, kind, user_id, bound_at) values (${wallet}, 'cosmos', ${id}, now())`)
    const from = { ip: '127.0.0.1', agent: 'bench' }
    tokens.push((await openSession(context, db, { id, uid }, from)).token)
  }
  return tokens
}

await runProgram(async ({ stopping }) => {
  const server = await startServer(loadConfig(process.env), stopping)
  const { driver, workloads, spaces } = sampleDriver(PLENTY)
  server.context.clusters = clustersOf([{ driver, regions: ['distributed'] }])
  // Counts are read, and set to zero; accounts are created for the wallets that are sent.
  const control = createServer(async (request, response) => {
    const parts = []
    for await (const part of request) parts.push(part)
    const answer = request.method === 'POST' ? await createPayers(server, JSON.parse(Buffer.concat(parts))) : counts
    response.end(JSON.stringify(answer))
    // Running machines cost what they cost, however many orders follow.
    await server.context.db.run(sql`truncate workspaces, workloads cascade`)
    workloads.clear()
    spaces.clear()
    if (answer === counts) Object.assign(counts, { statements: 0, transactions: 0, texts: {} })
  })
  await new Promise((resolve) => control.listen(0, '127.0.0.1', resolve))
  return {
    ...server,
    ready: { ...server.ready, control: `http://127.0.0.1:${control.address().port}` },
    async stop() {
      control.closeAllConnections()
      control.close()
      await server.stop()
    },
  }
})
