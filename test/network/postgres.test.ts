import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type Postgres, startPostgres } from '@tidenet/testnet'
import { identify, processesIn, until } from '@tidenet/testnet/process-identity'
import pg from 'pg'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'

let dataDir = ''
const running: Postgres[] = []

beforeEach(() => {
  dataDir = join(mkdtempSync(join(tmpdir(), 'tidenet-postgres-')), 'data')
})
afterEach(async () => {
  for (const postgres of running.splice(0)) await postgres.stop()
  rmSync(join(dataDir, '..'), { recursive: true, force: true })
})

async function start(port?: number): Promise<Postgres> {
  const postgres = await startPostgres({ dataDir, ...(port ? { port } : {}) })
  running.push(postgres)
  return postgres
}

async function query<T>(url: string, text: string): Promise<T[]> {
  const client = new pg.Client({ connectionString: url })
  client.on('error', () => {})
  await client.connect()
  try {
    return (await client.query(text)).rows as T[]
  } finally {
    await client.end()
  }
}

const write = (postgres: Postgres) => query(postgres.url, 'create table kept as select 42 as value')
const kept = async (postgres: Postgres) =>
  (await query<{ value: number }>(postgres.url, 'select value from kept'))[0]?.value

/** Starts PostgreSQL in the same folder from another process; resolves when it is ready or rejected. */
async function startElsewhere() {
  const script = `
    import { startPostgres } from '@tidenet/testnet'
    startPostgres({ dataDir: process.argv[1] }).then(
      ({ pid }) => { process.send({ pid }); setInterval(() => {}, 1000) },
      (error) => { process.send({ refusal: error.name + ': ' + error.message }); process.disconnect() },
    )`
  const child = spawn(process.execPath, ['--input-type=module', '-e', script, dataDir], {
    cwd: fileURLToPath(new URL('../..', import.meta.url)),
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  })
  const said = await new Promise<{ pid?: number; refusal?: string }>((resolve) => child.once('message', resolve))
  return { child, ...said }
}

const gone = (pid: number | undefined) => until(() => pid === undefined || !identify(pid), 10_000)

describe('the embedded PostgreSQL', () => {
  it('creates a durable cluster on first start, with the password in one private file', async () => {
    const postgres = await start()
    const [settings] = await query(postgres.url, "select current_setting('fsync') as fsync, current_database() as name")
    expect(settings).toEqual({ fsync: 'on', name: 'tidenet' })
    const secret = join(dataDir, 'secrets', 'postgres')
    expect(statSync(secret).mode & 0o777).toBe(0o600)
    expect(statSync(join(dataDir, 'secrets')).mode & 0o777).toBe(0o700)
    const password = readFileSync(secret, 'utf8').trim()
    expect(readFileSync(join(dataDir, 'logs', 'postgres.log'), 'utf8')).not.toContain(password)
    expect(readdirSync(dataDir).sort()).toEqual(['logs', 'postgres', 'postgres.lock', 'secrets'])
  })

  it('keeps its data over a restart, on the same port', async () => {
    const first = await start()
    await write(first)
    await first.stop()
    const second = await start(first.port)
    expect(second.url).toBe(first.url)
    expect(await kept(second)).toBe(42)
  })

  it('reports an unexpected exit, and recovers from kill -9 of the postmaster', async () => {
    const first = await start()
    await write(first)
    const exited = new Promise<void>((resolve) => first.onExit(resolve))
    process.kill(first.pid, 'SIGKILL')
    await exited
    expect(await kept(await start(first.port))).toBe(42)
  })

  it('recovers from kill -9 of all processes', async () => {
    const { child, pid } = await startElsewhere()
    const exited = once(child, 'exit')
    for (const each of [...processesIn(join(dataDir, 'postgres')), child.pid ?? 0]) process.kill(each, 'SIGKILL')
    // Its parent holds the lock of the folder.
    await Promise.all([gone(pid), exited])
    await write(await start())
  })

  it('stops when its parent dies', async () => {
    const { child, pid } = await startElsewhere()
    child.kill('SIGKILL')
    expect(await gone(pid)).toBe(true)
    expect(processesIn(join(dataDir, 'postgres'))).toEqual([])
  })

  it('stops a postmaster that outlived its parent', async () => {
    const { child, pid } = await startElsewhere()
    // A stopped process handles only SIGKILL, so it outlives its parent.
    process.kill(pid ?? 0, 'SIGSTOP')
    child.kill('SIGKILL')
    await gone(child.pid)
    expect(identify(pid ?? 0)).toBeDefined()
    setTimeout(() => process.kill(pid ?? 0, 'SIGCONT'), 500)
    await write(await start())
    expect(identify(pid ?? 0)).toBeUndefined()
  })

  it('ignores a pid file whose pid belongs to another program', async () => {
    const first = await start()
    await write(first)
    await first.stop()
    const owner = statSync(join(dataDir, 'postgres'))
    const ids = process.getuid?.() === 0 ? { uid: owner.uid, gid: owner.gid } : {}
    const other = spawn('sleep', ['60'], { stdio: 'ignore', ...ids })
    const file = join(dataDir, 'postgres', 'postmaster.pid')
    writeFileSync(file, `${other.pid}\n${join(dataDir, 'postgres')}\n1\n1\n\n127.0.0.1\n1 1\nready   \n`)
    expect(await kept(await start())).toBe(42)
    expect(other.exitCode).toBeNull()
    other.kill()
  })

  it('refuses a second process on the same folder, a taken port, and a cluster without its password', async () => {
    const first = await start()
    const { refusal } = await startElsewhere()
    expect(refusal).toContain('StartError')
    expect(refusal).toContain(dataDir)
    await expect(startPostgres({ dataDir })).rejects.toThrow(dataDir)
    await expect(startPostgres({ dataDir: `${dataDir}-2`, port: first.port })).rejects.toThrow(String(first.port))
    await first.stop()
    rmSync(join(dataDir, 'secrets', 'postgres'))
    await expect(startPostgres({ dataDir })).rejects.toThrow('secrets')
  })

  it('rejects connections without the password', async () => {
    const { url } = await start()
    const wrong = new URL(url)
    wrong.password = 'guess'
    await expect(query(wrong.href, 'select 1')).rejects.toThrow()
  })
})
