import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { freePort, type Postgres, startPostgres } from '@tidenet/testnet'
import { type Program, startProcess } from '@tidenet/testnet/processes'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'

const SERVER = fileURLToPath(new URL('../../apps/server/dist/main.js', import.meta.url))
/** Time for jobs to run once the database is back. */
const SOON = { timeout: 60_000, interval: 200 }

let folder: string
let postgres: Postgres
let server: Program
let url: string

const startDatabase = (port?: number) =>
  startPostgres({ dataDir: join(folder, 'data'), ...(port === undefined ? {} : { port }) })
const ask = async (path: string, init?: RequestInit) => {
  const answer = await fetch(url + path, init)
  return { status: answer.status, retryAfter: answer.headers.get('retry-after'), body: await answer.json() }
}
const write = (email: string) =>
  ask('/api/v1/portal/leads', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ kind: 'contact', name: 'A reader', email, text: 'Good morning' }),
  })
const mailsTo = async (email: string) =>
  (await ask(`/dev/mailbox.json?to=${encodeURIComponent(email)}`)).body.mails as unknown[]
const log = () =>
  readFileSync(join(folder, 'server.log'), 'utf8')
    .split('\n')
    .filter((line) => line.startsWith('{'))
    .map((line) => JSON.parse(line) as { level: number; msg: string })

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'tidenet-away-'))
  const [database, port] = [await startDatabase(), await freePort()]
  const { url: databaseUrl, port: databasePort } = database
  // The server starts before the database, as after a power failure.
  await database.stop()
  url = `http://127.0.0.1:${port}`
  server = startProcess({
    name: 'server',
    script: SERVER,
    logFile: join(folder, 'server.log'),
    env: {
      TIDENET_ENV: 'development',
      TIDENET_PORT: String(port),
      TIDENET_DATA: join(folder, 'server'),
      DATABASE_URL: databaseUrl,
      TIDENET_CLUSTER_DISTRIBUTED: 'none',
      TIDENET_CLUSTER_CENTRALIZED: 'none',
    },
  })
  await vi.waitFor(() => expect(log().some(({ msg }) => msg.includes('waiting for the database'))).toBe(true), SOON)
  postgres = await startDatabase(databasePort)
  await server.ready
})
afterAll(async () => {
  await server?.stop()
  await postgres?.stop()
  rmSync(folder, { recursive: true, force: true })
})

describe('a server whose database stops and starts again', () => {
  it('waits for the database at startup', async () => {
    expect(await ask('/api/v2/health')).toMatchObject({ status: 200, body: { code: 0, data: { database: true } } })
  })

  it('answers that it is unavailable and when to retry, in the language of the caller', async () => {
    await postgres.stop()
    // Health checks are cached for a second.
    await vi.waitFor(async () => expect((await ask('/api/v2/health')).status).toBe(503), SOON)
    for (const path of ['/api/v2/get_index_info', '/api/v2/health', '/dev/mailbox.json']) {
      const answer = await ask(path)
      expect(answer).toMatchObject({ status: 503, body: { code: -1, err: 503 } })
      expect(Number(answer.retryAfter)).toBeGreaterThan(0)
    }
    const { body } = await ask('/api/v2/get_index_info', { headers: { lang: 'cn' } })
    expect(body.msg).toMatch(/\p{Script=Han}/u)
    expect(await ask('/livez')).toMatchObject({ status: 200 })
  })

  it('continues automatically with calls and jobs', async () => {
    postgres = await startDatabase(postgres.port)
    await vi.waitFor(async () => expect((await ask('/api/v2/health')).status).toBe(200), SOON)
    await vi.waitFor(
      async () => expect(await write('reader@tidenet.example')).toMatchObject({ body: { code: 0 } }),
      SOON,
    )
    await vi.waitFor(async () => expect(await mailsTo('reader@tidenet.example')).toHaveLength(1), SOON)
    expect(server.pid).toBeDefined()
  })

  it('logs an outage a few times, not for every call', () => {
    const warned = log().filter(({ level, msg }) => level >= 40 && !msg.includes('waiting for the database'))
    for (const msg of new Set(warned.map((line) => line.msg)))
      expect(warned.filter((line) => line.msg === msg).length).toBeLessThan(15)
    expect(log().filter(({ level }) => level >= 50)).toEqual([])
    expect(log().some(({ msg }) => msg.includes('available again'))).toBe(true)
  })
})
