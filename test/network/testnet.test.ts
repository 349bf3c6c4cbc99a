import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import {
  createNetwork,
  freePort,
  type Network,
  type NetworkOptions,
  startPostgres,
  startProcess,
} from '@tidenet/testnet'
import { identify, parentOf, processesIn, until } from '@tidenet/testnet/process-identity'
import pg from 'pg'
import { afterEach, describe, expect, it, vi } from 'vitest'

// Tests the testnet itself, with stub programs: a server that counts requests, and nodes that return their identity.
const program = (name: string) => fileURLToPath(new URL(`./programs/${name}.mjs`, import.meta.url))
const programs = { server: program('server'), node: program('node'), stubs: true }

const cleanups: (() => Promise<unknown> | unknown)[] = []
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup()
})

async function network(options: NetworkOptions = {}): Promise<Network> {
  const created = await createNetwork({ programs, nodes: 1, ...options })
  cleanups.push(() => created.stop())
  return created
}

function folder(): string {
  const path = mkdtempSync(join(tmpdir(), 'tidenet-test-'))
  cleanups.push(() => rmSync(path, { recursive: true, force: true }))
  return path
}

interface Visit {
  readonly visits: number
  readonly now: number
  readonly pid: number
}
const visit = async (url: string) => (await (await fetch(url)).json()) as Visit
const answers = async (url: string) => {
  for (let tries = 0; tries < 400; tries++) {
    const ok = await fetch(url).then(
      (response) => response.ok,
      () => false,
    )
    if (ok) return true
    await new Promise((resolve) => setTimeout(resolve, 25))
  }
  return false
}

describe('a network', () => {
  it('has two candidates, two edges and a validator in four areas', async () => {
    const { nodes, url } = await network({ nodes: 5 })
    expect(nodes.map(({ kind }) => kind)).toEqual(['candidate', 'candidate', 'edge', 'edge', 'validator'])
    expect(new Set(nodes.map(({ area }) => area)).size).toBe(4)
    for (const node of nodes) {
      const said = await (await fetch(node.url)).json()
      expect(said).toMatchObject({ kind: node.kind, area: node.area })
    }
    expect((await visit(url)).visits).toBeGreaterThan(0)
  })

  it('leaves no processes or files behind', async () => {
    const { data, stop, nodes, server, postgres } = await network()
    const pids = [nodes[0]?.process.pid, server.process.pid, postgres?.pid]
    expect(pids.every((pid) => pid !== undefined && identify(pid))).toBe(true)
    await stop()
    expect(pids.map((pid) => identify(pid ?? 0))).toEqual([undefined, undefined, undefined])
    expect(existsSync(data)).toBe(false)
  })

  it('runs several servers on one database, and adds nodes later', async () => {
    const { urls, addNode, nodes } = await network({ servers: 2, nodes: 0 })
    expect(urls).toHaveLength(2)
    const [first, second] = await Promise.all(urls.map(visit))
    expect(first?.pid).not.toBe(second?.pid)
    expect((await visit(urls[1] ?? '')).visits).toBeGreaterThan(second?.visits ?? 0)
    const node = await addNode({ kind: 'validator', name: 'late', capacity: 5 })
    expect(await (await fetch(node.url)).json()).toMatchObject({ kind: 'validator', capacity: '5' })
    expect(nodes).toHaveLength(1)
  })

  it('moves every clock, also across a restart', async () => {
    const { url, nodes, server, moveClock, addNode } = await network()
    const day = 86_400_000
    await moveClock(day)
    await moveClock(day)
    await server.process.restart()
    await addNode()
    for (const each of [url, ...nodes.map((node) => node.url)]) {
      expect(Math.round(((await visit(each)).now - Date.now()) / day)).toBe(2)
    }
  })

  it('sends its time again to a program that did not confirm it', async () => {
    const script = join(folder(), 'hears-the-second.mjs')
    writeFileSync(
      script,
      `let heard = 0
process.addListener('message', (said) => { if (heard++ > 0) process.send(said) })
process.send({ type: 'ready' })`,
    )
    const started = startProcess({ name: 'stub', script, env: {}, logFile: join(folder(), 'stub.log') })
    cleanups.push(() => started.stop())
    await started.ready
    await expect(started.moveClock(1_000)).resolves.toBeUndefined()
  })

  it('uses its own environment, independent of the caller’s', async () => {
    vi.stubEnv('NODE_ENV', 'production')
    cleanups.push(() => vi.unstubAllEnvs())
    // A program in production takes no other time.
    const { url, moveClock } = await network({ chain: true, partner: true })
    await moveClock(86_400_000)
    expect(Math.round(((await visit(url)).now - Date.now()) / 86_400_000)).toBe(1)
  })

  it('creates a database on a given server, and drops it', async () => {
    const shared = await startPostgres({ dataDir: join(folder(), 'data') })
    cleanups.push(() => shared.stop())
    const one = await network({ databaseUrl: shared.url, nodes: 0 })
    const two = await network({ databaseUrl: shared.url, nodes: 0 })
    expect(one.databaseUrl).not.toBe(two.databaseUrl)
    expect((await visit(one.url)).visits).toBe(1)
    expect((await visit(two.url)).visits).toBe(1)
    await one.stop()
    await expect(network({ data: folder(), databaseUrl: one.databaseUrl, nodes: 0 })).rejects.toThrow('server')
  })

  it('restarts processes that exit unexpectedly, at the same address', async () => {
    const { url, nodes, server, postgres } = await network({ supervise: true })
    const [node] = nodes
    await visit(url)
    for (const each of [server.process, node?.process]) {
      each?.kill('SIGKILL')
      await each?.exited
    }
    await Promise.all([server.process.ready, node?.process.ready])
    expect(await answers(url)).toBe(true)
    expect(await answers(node?.url ?? '')).toBe(true)
    postgres?.kill('SIGKILL')
    await postgres?.exited
    expect(await answers(url)).toBe(true)
  })

  it('does not restart processes that report a permanent failure, and reports the reason', async () => {
    const said: string[] = []
    let hopeless: (message: string) => void = () => {}
    const told = new Promise<string>((resolve) => {
      hopeless = resolve
    })
    const { server, databaseUrl } = await network({
      supervise: true,
      nodes: 0,
      log: (line) => said.push(line),
      onHopeless: (message) => hopeless(message),
    })
    const client = new pg.Client({ connectionString: databaseUrl })
    await client.connect()
    await client.query('create table hopeless ()')
    await client.end()
    server.process.kill('SIGKILL')
    expect(await told).toContain('another time')
    expect(said.filter((line) => line.includes('again'))).toHaveLength(1)
    await expect(server.process.ready).rejects.toThrow('another time')
  })

  it('keeps acknowledged data when all processes are killed', async () => {
    const data = folder()
    const first = await network({ data })
    await visit(first.url)
    const { visits } = await visit(first.url)
    for (const each of [first.server.process, ...first.nodes.map((node) => node.process)]) each.kill('SIGKILL')
    first.postgres?.kill('SIGKILL')
    await first.postgres?.exited
    await first.stop()
    const second = await network({ data })
    expect((await visit(second.url)).visits).toBeGreaterThan(visits)
    expect(second.joinToken).toBe(first.joinToken)
  })

  it('rejects a second network in its folder, a used port, and programs that do not start', async () => {
    const { data, url } = await network({ data: folder(), nodes: 0 })
    await expect(network({ data })).rejects.toThrow(data)
    const port = Number(new URL(url).port)
    await expect(network({ port })).rejects.toThrow('TIDENET_PORT')
    const env = { FIXTURE_REFUSES: 'The moon is not full.' }
    await expect(network({ env })).rejects.toThrow(env.FIXTURE_REFUSES)
  })
})

interface Stack {
  readonly child: ChildProcess
  readonly ready: Promise<boolean>
  readonly output: () => string
  /** The process and its descendants. */
  readonly pids: () => number[]
}

function startStack(data: string, port: number, env: Record<string, string> = {}): Stack {
  let output = ''
  const child = spawn(process.execPath, [program('stack')], {
    env: {
      ...process.env,
      DATABASE_URL: '',
      TIDENET_DATA: data,
      TIDENET_PORT: String(port),
      TIDENET_NODES: '1',
      ...env,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  cleanups.push(() => child.kill('SIGKILL'))
  const ready = new Promise<boolean>((resolve) => {
    const read = (chunk: Buffer) => {
      output += chunk
      if (/Stop +Ctrl-C/.test(output)) resolve(true)
    }
    child.stdout?.on('data', read)
    child.stderr?.on('data', read)
    child.on('exit', () => resolve(false))
  })
  const pids = () => {
    const { children } = JSON.parse(readFileSync(join(data, 'network.lock'), 'utf8')) as { children: { pid: number }[] }
    return [child.pid ?? 0, ...children.map(({ pid }) => pid), ...processesIn(join(data, 'postgres'))]
  }
  return { child, ready, output: () => output, pids }
}

const ended = (child: ChildProcess) => until(() => child.exitCode !== null || child.signalCode !== null, 15_000)

/** The process may already be gone. */
function killQuietly(pid: number) {
  try {
    process.kill(pid, 'SIGKILL')
  } catch {}
}

describe('npm start', () => {
  it('stops everything on Ctrl-C', async () => {
    const stack = startStack(folder(), await freePort(), { TIDENET_NODES: '5' })
    expect(await stack.ready).toBe(true)
    const pids = stack.pids()
    // The stack, its server, five nodes, and PostgreSQL's five.
    expect(pids.length).toBeGreaterThanOrEqual(8)
    stack.child.kill('SIGINT')
    expect(await ended(stack.child)).toBe(true)
    expect(stack.child.exitCode).toBe(0)
    expect(pids.filter(identify)).toEqual([])
  })

  it('leaves no orphan 10 seconds after kill -9, and restarts at once', { tags: ['long'] }, async () => {
    const data = folder()
    const port = await freePort()
    const first = startStack(data, port)
    expect(await first.ready).toBe(true)
    const before = (await visit(`http://127.0.0.1:${port}`)).visits
    const pids = first.pids()
    first.child.kill('SIGKILL')
    const second = startStack(data, port)
    expect(await second.ready).toBe(true)
    expect(await until(() => !pids.some(identify), 10_000)).toBe(true)
    expect((await visit(`http://127.0.0.1:${port}`)).visits).toBeGreaterThan(before)
  })

  it('restarts after all its processes were killed', { tags: ['long'] }, async () => {
    const data = folder()
    const port = await freePort()
    const first = startStack(data, port)
    expect(await first.ready, first.output()).toBe(true)
    for (const pid of first.pids()) killQuietly(pid)
    const second = startStack(data, port)
    expect(await second.ready, second.output()).toBe(true)
  })

  it('stops when its npm process is gone', async () => {
    const port = await freePort()
    const npm = spawn('npm', ['exec', '--offline', '--no', '-c', `"${process.execPath}" "${program('stack')}"`], {
      env: { ...process.env, DATABASE_URL: '', TIDENET_DATA: folder(), TIDENET_PORT: String(port), TIDENET_NODES: '1' },
      stdio: 'ignore',
    })
    expect(await answers(`http://127.0.0.1:${port}`)).toBe(true)
    const { pid } = await visit(`http://127.0.0.1:${port}`)
    const stack = parentOf(pid) ?? 0
    npm.kill('SIGKILL')
    expect(await until(() => !identify(stack) && !identify(pid), 10_000)).toBe(true)
  })

  it('runs next to a second instance', { tags: ['long'] }, async () => {
    const stacks = [startStack(folder(), await freePort()), startStack(folder(), await freePort())]
    for (const stack of stacks) expect(await stack.ready, stack.output()).toBe(true)
  })

  it('uses other ports for its nodes if one is in use', { tags: ['long'] }, async () => {
    const [port, nodePort] = [await freePort(), await freePort()]
    const other = createServer().listen(nodePort, '127.0.0.1')
    cleanups.push(() => other.close())
    const stack = startStack(folder(), port, { TIDENET_NODE_PORT: String(nodePort) })
    expect(await stack.ready).toBe(true)
  })

  it('rejects a used port, a used folder and an invalid port with one sentence', { tags: ['long'] }, async () => {
    const [data, port] = [folder(), await freePort()]
    const running = startStack(data, port)
    expect(await running.ready).toBe(true)
    const refusals = [
      startStack(folder(), port),
      startStack(data, await freePort()),
      startStack(folder(), 0, { TIDENET_PORT: 'eighty' }),
    ]
    for (const refusal of refusals) {
      expect(await refusal.ready).toBe(false)
      expect(refusal.child.exitCode).toBe(1)
      expect(refusal.output().trim().split('\n')).toHaveLength(1)
    }
    expect(refusals.map((refusal) => /TIDENET_\w+/.exec(refusal.output())?.[0])).toEqual([
      'TIDENET_PORT',
      'TIDENET_DATA',
      'TIDENET_PORT',
    ])
  })
})
