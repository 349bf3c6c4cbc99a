import { type ChildProcess, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { createNetwork, type Network, type NetworkOptions } from '@tidenet/testnet'
import pg from 'pg'
import { afterAll, beforeAll, expect } from 'vitest'
import { bundled, bundledPrograms, startNetwork } from './test-network.ts'
import { signUp } from './wire-client.ts'

interface Result {
  code: number | null
  out: string
  err: string
}
interface RunOptions {
  /** Standard input. */
  input?: string
  env?: Record<string, string>
}

/** Answer of `tidenet ls --json`. */
export interface Listing {
  list: { name: string; kind: string; cid?: string; size: number; shared: boolean; encrypted?: boolean }[]
}

/**
 * Starts a network for the tests of a file; with three nodes by default.
 * @param place folder for everything, with a database of its own, if the tests need more than fits into memory
 */
export function cliNetwork(options: NetworkOptions = { nodes: 3 }, place?: string) {
  let network: Network
  let folder: string

  beforeAll(async () => {
    network = place
      ? await createNetwork({ programs: bundledPrograms(), data: join(place, 'network'), ...options })
      : await startNetwork(options)
    folder = await mkdtemp(join(place ?? tmpdir(), 'cli-network-'))
  })
  afterAll(async () => {
    await network?.stop()
    if (folder) await rm(folder, { recursive: true })
    // Of 100,000 files.
  }, 600_000)

  /** A working folder and a settings folder of its own; nobody is signed in. */
  async function machine() {
    const place = await mkdtemp(join(folder, 'machine-'))
    const work = join(place, 'work')
    const config = join(place, 'config')
    await mkdir(work)
    const start = (
      args: readonly string[],
      { input, env = {} }: RunOptions = {},
    ): ChildProcess & { ended: Promise<Result> } => {
      const { PATH = '' } = process.env
      const child = spawn(process.execPath, [bundled('cli'), ...args], {
        cwd: work,
        env: { PATH, TIDENET_LANG: 'en', TIDENET_CONFIG: config, TIDENET_URL: network.url, ...env },
      })
      let out = ''
      let err = ''
      child.stdout.on('data', (text) => {
        out += text
      })
      child.stderr.on('data', (text) => {
        err += text
      })
      if (input !== undefined) child.stdin.end(input)
      const ended = new Promise<Result>((resolve) => child.on('close', (code) => resolve({ code, out, err })))
      return Object.assign(child, { ended })
    }
    const run = (args: readonly string[], options: RunOptions = {}) => start(args, { input: '', ...options }).ended
    return {
      work,
      config,
      start,
      run,
      /** Runs a command with `--json`, which prints exactly one document and nothing else. */
      async json<T = Record<string, never>>(
        args: readonly string[],
        options: RunOptions = {},
      ): Promise<{ code: number; data: T }> {
        const { code, out, err } = await run([...args, '--json'], options)
        expect(err).toBe('')
        expect(out.trimEnd().split('\n')).toHaveLength(1)
        return { code: code ?? -1, data: JSON.parse(out) as T }
      },
      write: async (path: string, content: number | Uint8Array) => {
        const bytes = typeof content === 'number' ? randomBytes(content) : Buffer.from(content)
        await mkdir(dirname(join(work, path)), { recursive: true })
        await writeFile(join(work, path), bytes)
        return bytes
      },
      read: (path: string) => readFile(join(work, path)),
    }
  }

  /** A machine where a new user is signed in. */
  async function signedIn() {
    const person = await signUp(network.url)
    const at = await machine()
    const { code } = await at.run(['login', '--email', person.username, '--password-stdin'], {
      input: `${person.password}\n`,
    })
    expect(code).toBe(0)
    return { ...at, person }
  }

  return {
    /** The network; set when the tests run. */
    get network() {
      return network
    },
    machine,
    signedIn,
    /** Changes what only the operator can. */
    async database<T>(work: (database: pg.Client) => Promise<T>): Promise<T> {
      const database = new pg.Client({ connectionString: network.databaseUrl })
      await database.connect()
      return work(database).finally(() => database.end())
    },
  }
}
