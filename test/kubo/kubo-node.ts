import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'

/** A Kubo node on loopback, without other peers and without announcing what it has. */
export type KuboNode = Awaited<ReturnType<typeof startKuboNode>>

/** @param router the address of a router over HTTP: the node then fetches over HTTP from whom it names, and from nobody else */
export async function startKuboNode({ router }: { router?: string } = {}) {
  const program = process.env.TIDENET_TEST_KUBO
  if (!program) throw new Error('TIDENET_TEST_KUBO is not set: run these tests with `npm run test:long -- kubo`')
  const folder = mkdtempSync(join(tmpdir(), 'tidenet-kubo-'))
  const env = { ...process.env, IPFS_PATH: folder, IPFS_TELEMETRY: 'off' }
  const ipfs = (...args: string[]) =>
    execFileSync(program, args, { env, stdio: ['ignore', 'pipe', 'ignore'] }).toString()
  ipfs('init', '--profile=test', '--empty-repo')
  for (const [name, value] of [
    ['Addresses.API', '"/ip4/127.0.0.1/tcp/0"'],
    ['Addresses.Gateway', '"/ip4/127.0.0.1/tcp/0"'],
    ['Addresses.Swarm', '["/ip4/127.0.0.1/tcp/0"]'],
    ...(router === undefined
      ? ([['Routing.Type', '"none"']] as const)
      : ([
          ['Routing.Type', '"delegated"'],
          ['Routing.DelegatedRouters', JSON.stringify([router])],
          ['HTTPRetrieval.Enabled', 'true'],
        ] as const)),
    ['Provide.Enabled', 'false'],
    ['Gateway.NoFetch', 'true'],
    ['Plugins.Plugins.telemetry', '{"Disabled":true}'],
  ] as const)
    ipfs('config', '--json', name, value)
  const daemon: ChildProcess = spawn(program, ['daemon'], { env, stdio: ['ignore', 'pipe', 'ignore'] })
  let gateway = ''
  for await (const line of createInterface({ input: daemon.stdout as NodeJS.ReadableStream })) {
    gateway ||= /Gateway server listening on \/ip4\/127\.0\.0\.1\/tcp\/(\d+)/.exec(line)?.[1] ?? ''
    if (line.includes('Daemon is ready')) break
  }
  const port = /\/tcp\/(\d+)/.exec(readFileSync(join(folder, 'api'), 'utf8'))?.[1]
  const url = `http://127.0.0.1:${port}`
  const send = async (path: string, body: Blob, query: Record<string, string> = {}) => {
    const form = new FormData()
    form.append('file', body)
    const answer = await fetch(`${url}/api/v0/${path}?${new URLSearchParams(query)}`, { method: 'POST', body: form })
    const text = await answer.text()
    if (!answer.ok) throw new Error(text)
    return text
  }
  return {
    url,
    /** Runs a command of this node. @returns its output */
    ipfs,
    gateway: `http://127.0.0.1:${gateway}`,
    rpc: async (path: string, query: Record<string, string> = {}) => {
      const answer = await fetch(`${url}/api/v0/${path}?${new URLSearchParams(query)}`, { method: 'POST' })
      const text = await answer.text()
      if (!answer.ok) throw new Error(text)
      return text
    },
    /** The answer of a call that takes a file. */
    send,
    /** Adds a file. @returns the CIDs of what was added, the outermost last */
    add: async (bytes: Buffer, query: Record<string, string> = {}): Promise<string[]> =>
      (await send('add', new Blob([new Uint8Array(bytes)]), query))
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line).Hash),
    /** The bytes of an answer. */
    bytes: async (path: string, query: Record<string, string>) => {
      const answer = await fetch(`${url}/api/v0/${path}?${new URLSearchParams(query)}`, { method: 'POST' })
      if (!answer.ok) throw new Error(await answer.text())
      return Buffer.from(await answer.arrayBuffer())
    },
    async close() {
      daemon.kill('SIGTERM')
      if (daemon.exitCode === null) await once(daemon, 'exit')
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** Fetches a content from addresses of other nodes, as a pinning service does. */
export async function pinFrom(node: KuboNode, cid: string, origins: readonly string[]): Promise<void> {
  for (const origin of origins) await node.rpc('swarm/connect', { arg: origin })
  await node.rpc('pin/add', { arg: cid })
}
