import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { type AddressInfo, connect, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { sampleDriver } from '../../apps/server/src/compute/clusters/sample-driver.fixture.ts'
import {
  sampleClusters,
  sampleTenant,
  type Tenant,
} from '../../apps/server/src/compute/workspaces/sample-tenant.fixture.ts'
import { features } from '../../apps/server/src/features.ts'
import { sql } from '../../apps/server/src/platform/db/sql.ts'
import { finishJobs } from '../../apps/server/src/platform/jobs/jobs.ts'
import { setup, type TestEnv } from '../../apps/server/src/test-env.fixture.ts'
import { bundled } from './test-network.ts'

/** The command line with containers: logs, commands, forwarded ports. */

let env: TestEnv
let sample: ReturnType<typeof sampleDriver>
let folder = ''
let url = ''
const children = new Set<ChildProcess>()
beforeAll(async () => {
  env = await setup()
  sample = sampleClusters(env)
  await env.app.listen({ host: '127.0.0.1', port: 0 })
  url = `http://127.0.0.1:${(env.app.server.address() as AddressInfo).port}`
  folder = await mkdtemp(join(tmpdir(), 'cli-programs-'))
})
afterAll(async () => {
  for (const child of children) child.kill('SIGKILL')
  await env.close()
  await rm(folder, { recursive: true })
})

const start = (token: string, args: readonly string[]) =>
  startProgram(token, [process.execPath, bundled('cli'), ...args])

function startProgram(token: string, [program = '', ...args]: readonly string[]) {
  const child = spawn(program, args, {
    cwd: folder,
    env: {
      PATH: process.env.PATH ?? '',
      TIDENET_LANG: 'en',
      TIDENET_CONFIG: join(folder, 'config'),
      TIDENET_URL: url,
      TIDENET_TOKEN: token,
    },
  })
  children.add(child)
  const seen = { out: '', err: '' }
  child.stdout.on('data', (text) => {
    seen.out += text
  })
  child.stderr.on('data', (text) => {
    seen.err += text
  })
  const ended = new Promise<{ code: number | null; out: string; err: string }>((resolve) =>
    child.on('close', (code) => {
      children.delete(child)
      resolve({ code, ...seen })
    }),
  )
  return Object.assign(child, { ended, seen })
}

function run(token: string, args: readonly string[], input = '') {
  const child = start(token, args)
  child.stdin?.end(input)
  return child.ended
}

const tokenOf = ({ person }: Tenant) => person.token
const print = (one: Tenant, ...texts: string[]) => {
  const lines = sample.workloads.get(one.machine)?.lines
  for (const text of texts) lines?.push({ at: new Date(env.clock.now() - 5000), text })
}

describe('programs', () => {
  it('are listed, with their workspaces', async () => {
    const one = await sampleTenant(env)
    const { out, code } = await run(tokenOf(one), ['programs', '--json'])
    expect(code).toBe(0)
    expect(JSON.parse(out)).toMatchObject({ list: [{ id: one.space, workloads: [{ name: 'machine' }] }] })
    expect((await run(tokenOf(one), ['programs', one.space.slice(0, 8)])).out).toContain(one.space)
    expect((await run(tokenOf(one), ['programs', 'nothing'])).code).toBe(4)
  })
})

describe('logs', () => {
  it('are shown, searched, and saved completely', async () => {
    const one = await sampleTenant(env)
    print(one, 'first', 'an error', 'last')
    const shown = (await run(tokenOf(one), ['logs', one.space])).out.trim().split('\n')
    expect(shown.map((line) => line.slice(20))).toEqual(['first', 'an error', 'last'])
    expect((await run(tokenOf(one), ['logs', one.space, 'machine', '--search', 'ERROR'])).out).toContain('an error')
    expect((await run(tokenOf(one), ['logs', one.space, '--lines', '1'])).out).not.toContain('first')
    expect((await run(tokenOf(one), ['logs', one.space, '--until', '1h'])).out.trim()).toBe('')
    expect((await run(tokenOf(one), ['logs', one.space, '--download', 'all.log'])).code).toBe(0)
    expect((await readFile(join(folder, 'all.log'), 'utf8')).trim().split('\n')).toHaveLength(3)
    expect((await run(tokenOf(one), ['logs', one.space, '--download', 'all.log'])).code).toBe(1)
  })

  it('are followed until Ctrl-C', async () => {
    const one = await sampleTenant(env)
    print(one, 'first')
    const child = start(tokenOf(one), ['logs', one.space, '-f'])
    await expect.poll(() => child.seen.out, { timeout: 30_000 }).toContain('first')
    print(one, 'second')
    await expect.poll(() => child.seen.out, { timeout: 30_000 }).toContain('second')
    child.kill('SIGINT')
    expect((await child.ended).code).toBe(0)
  })

  it('of a program that failed come with its state and the cause', async () => {
    const one = await sampleTenant(env)
    print(one, 'the last words')
    await env.db.run(sql`update workloads set failure = 'memory' where id = ${one.machine}`)
    const { out, err, code } = await run(tokenOf(one), ['logs', one.space])
    expect(code).toBe(0)
    expect(out).toContain('the last words')
    expect(err).toContain('machine')
    for (const command of [
      ['exec', '--json', one.space, 'machine', '--', 'ls'],
      ['forward', '--json', one.space, 'machine', '0:80'],
    ])
      expect(JSON.parse((await run(tokenOf(one), command)).out)).toMatchObject({ state: 'failed', failure: 'memory' })
  })

  it('saved to a terminal contain nothing that controls it, and to anything else everything', async () => {
    const one = await sampleTenant(env)
    print(one, 'before \u001b]0;title\u0007\u001b[31mafter')
    const cli = [process.execPath, bundled('cli'), 'logs', one.space, '--download', '-']
    const onTerminal = await startProgram(tokenOf(one), ['script', '-qefc', cli.join(' '), '/dev/null']).ended
    expect(onTerminal.out).toContain('before after')
    expect(onTerminal.out).not.toContain('\u001b')
    expect((await run(tokenOf(one), cli.slice(2))).out).toContain('\u001b[31m')
  })

  it('of nothing are refused', async () => {
    const one = await sampleTenant(env)
    expect((await run(tokenOf(one), ['logs', one.space, 'other'])).code).toBe(4)
    expect((await run(tokenOf(one), ['logs', one.space, '--since', 'soon'])).code).toBe(2)
    expect((await run(tokenOf(one), ['logs', one.space, '-f', '--until', '1h'])).code).toBe(2)
  })
})

describe('a command', () => {
  it('gets standard input, keeps its outputs apart, and passes its exit code on', async () => {
    const one = await sampleTenant(env)
    const input = 'x'.repeat(3_000_000)
    const { code, out, err } = await run(tokenOf(one), ['exec', one.space, 'machine', '--', 'cat', '-n', 'file'], input)
    expect({ code, err, same: out === input }).toEqual({ code: 3, err: 'cat -n file', same: true })
    const json = await run(tokenOf(one), ['exec', '--json', one.space, 'machine', '--', 'cat'], 'in')
    expect(JSON.parse(json.out)).toEqual({ code: 1, stdout: 'in', stderr: 'cat' })
  })

  it('with a terminal gets every key and the size of the window', async () => {
    const one = await sampleTenant(env)
    const command = `stty cols 100 rows 40; exec ${process.execPath} ${bundled('cli')} exec ${one.space} machine -t -- sh`
    const child = startProgram(tokenOf(one), ['script', '-qefc', command, '/dev/null'])
    await expect.poll(() => sample.control.sizes.at(-1), { timeout: 30_000 }).toEqual({ columns: 100, rows: 40 })
    // Ctrl-C is a key like others: the program gets it.
    child.stdin?.write('ab\u0003c')
    await expect.poll(() => child.seen.out, { timeout: 30_000 }).toContain('ab\u0003c')
    child.stdin?.write(' exit')
    expect((await child.ended).code).toBe(3)
  })

  it('is refused without a terminal to use, or to a program that does not run', async () => {
    const one = await sampleTenant(env)
    expect((await run(tokenOf(one), ['exec', one.space, 'machine', '-t', '--', 'sh'])).code).toBe(2)
    await env.call('clusters.stop', { id: one.machine }, one)
    await finishJobs(env.context, features)
    const stopped = await run(tokenOf(one), ['exec', '--json', one.space, 'machine', '--', 'sh'])
    expect(JSON.parse(stopped.out)).toMatchObject({ code: -1, state: 'stopped', failure: '' })
    expect(stopped.code).toBe(1)
    expect((await run('tnk_nothing', ['exec', one.space, 'machine', '--', 'sh'])).code).toBe(3)
  })
})

describe('a forwarded port', () => {
  it('answers many connections at an address of this machine, until Ctrl-C', async () => {
    const one = await sampleTenant(env)
    const server = createServer({ allowHalfOpen: true }, (socket) => {
      const parts: Buffer[] = []
      socket.on('data', (bytes) => parts.push(bytes))
      socket.on('end', () => socket.end(Buffer.concat(parts).reverse()))
      socket.on('error', () => {})
    })
    await once(server.listen(0, '127.0.0.1'), 'listening')
    sample.control.listening.set(`${one.machine}:80`, {
      host: '127.0.0.1',
      port: (server.address() as AddressInfo).port,
    })
    const child = start(tokenOf(one), ['forward', '--json', one.space, 'machine', '0:80'])
    await expect.poll(() => child.seen.out, { timeout: 30_000 }).toContain('\n')
    const { address } = JSON.parse(child.seen.out) as { address: string }
    const port = Number(address.split(':')[1])
    const ask = async (text: string) => {
      const socket = connect({ host: '127.0.0.1', port, allowHalfOpen: true })
      socket.end(text)
      let answer = ''
      for await (const part of socket) answer += part
      return answer
    }
    const texts = Array.from({ length: 20 }, (_, index) => `${index}${'ab'.repeat(100_000)}`)
    const answers = await Promise.all(texts.map(ask))
    expect(answers.map((text, index) => text === [...(texts[index] ?? '')].reverse().join(''))).toEqual(
      texts.map(() => true),
    )
    child.kill('SIGINT')
    expect((await child.ended).code).toBe(0)
    server.close()
  })

  it('that nothing listens on, that is taken or invalid is refused', async () => {
    const one = await sampleTenant(env)
    const free = createServer()
    await once(free.listen(0, '127.0.0.1'), 'listening')
    const { port } = free.address() as AddressInfo
    await new Promise((resolve) => free.close(resolve))
    sample.control.listening.set(`${one.machine}:80`, { host: '127.0.0.1', port })
    expect(await run(tokenOf(one), ['forward', one.space, 'machine', '0:80'])).toMatchObject({ code: 1, out: '' })
    const taken = new URL(url).port
    expect((await run(tokenOf(one), ['forward', one.space, 'machine', `${taken}:80`])).code).toBe(1)
    expect((await run(tokenOf(one), ['forward', one.space, 'machine', 'http'])).code).toBe(2)
  })
})
