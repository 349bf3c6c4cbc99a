/** @module-tag long */
/// <reference types="vite/client" />
import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { appendFile, mkdir, mkdtemp, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { en as cli } from '../../apps/cli/src/locales/en.ts'
import { startCommands, streamCommand } from '../../apps/web/src/features/developer/commands.ts'
import { examples } from '../../apps/web/src/features/developer/examples.ts'
import { steps } from '../../apps/web/src/features/developer/steps.ts'
import { checkCommands, cliCommands, nodeCommands } from '../../apps/web/src/features/download/commands.ts'
import { type Offer, offerPrograms } from './program-downloads.ts'
import { signUp, until } from './wire-client.ts'

// Runs the commands on /download and /developer in a shell, with only the placeholders replaced.

const run = promisify(execFile)

let network: Offer['network']
let folder: string
let answerOf: Offer['answerOf']
let releaseOf: Offer['releaseOf']
let stop: Offer['stop'] | undefined
let npmSettings: Record<string, string>

beforeAll(async () => {
  const { stdout } = await run('npm', ['config', 'get', 'userconfig', 'globalconfig', 'cache'])
  npmSettings = Object.fromEntries(
    stdout
      .trim()
      .split('\n')
      .map((line) => `npm_config_${line}`.split(/=(.*)/)),
  )
  ;({ network, folder, answerOf, releaseOf, stop } = await offerPrograms())
})
afterAll(() => stop?.())

/** Simulates a machine with Node.js, a shell and an empty home folder. */
async function machine() {
  const home = await mkdtemp(join(folder, 'home-'))
  const cwd = join(home, 'work')
  await mkdir(cwd)
  const env = {
    PATH: `${join(home, 'npm', 'bin')}:${process.env.PATH}`,
    HOME: home,
    TIDENET_LANG: 'en',
    // npm as configured here, except that `-g` installs to the home folder.
    ...npmSettings,
    npm_config_prefix: join(home, 'npm'),
    npm_config_prefer_offline: 'true',
  }
  const script = async (commands: string) => {
    const path = join(await mkdtemp(join(home, 'typed-')), 'commands.sh')
    await writeFile(path, commands)
    return path
  }
  return {
    cwd,
    /** @returns the output of the commands; rejects if one fails */
    run: async (commands: string) => (await run('bash', ['-e', await script(commands)], { cwd, env })).stdout,
    /** Runs commands in the background; `stop` ends them. */
    async start(commands: string) {
      const child = spawn('bash', ['-e', await script(commands)], { cwd, env, detached: true })
      const printed = reading(child)
      return {
        printed,
        ended: () => child.exitCode !== null,
        async stop() {
          const over = new Promise((resolve) => child.once('close', resolve))
          // The shell and its children.
          if (child.exitCode === null && child.pid) process.kill(-child.pid, 'SIGTERM')
          else return
          await over
        },
      }
    },
    /** Runs commands in a terminal and answers each prompt. @returns the output */
    async atTerminal(commands: string, answers: readonly (readonly [question: string, answer: string])[]) {
      const args = ['-qefc', `bash -e ${await script(commands)}`, '/dev/null']
      const child = spawn('script', args, { cwd, env: { ...env, TERM: 'dumb', SHELL: '/bin/bash' } })
      const printed = reading(child)
      const over = new Promise<number | null>((resolve) => child.once('close', resolve))
      for (const [question, answer] of answers) {
        await until(async () => printed().includes(question) || child.exitCode !== null)
        child.stdin.write(`${answer}\r`)
      }
      const code = await over
      if (code !== 0) throw new Error(`ended with ${code}: ${printed()}`)
      return printed()
    },
  }
}

function reading({ stdout, stderr }: ChildProcess): () => string {
  let text = ''
  for (const stream of [stdout, stderr])
    stream?.on('data', (more: Buffer) => {
      text += more
    })
  return () => text
}

describe('the commands of /download', () => {
  it.each(['unpack', 'npm'] as const)('for the command line (%s) sign in at a terminal and upload', async (way) => {
    const person = await signUp(network.url)
    const at = await machine()
    const photo = randomBytes(300_000)
    await writeFile(join(at.cwd, 'holiday.jpg'), photo)
    await at.atTerminal(cliCommands(network.url, releaseOf('cli').file)[way], [
      [cli.ask.email, person.username],
      [cli.ask.password, person.password],
    ])
    const [stored] = await person.list()
    expect(stored).toMatchObject({ name: 'holiday.jpg', size: photo.length })
    expect(Buffer.from(await person.download(stored?.cid ?? '')).equals(photo)).toBe(true)
    if (way === 'npm') expect((await readFile(join(at.cwd, 'back.jpg'))).equals(photo)).toBe(true)
  })

  it.each([
    ['edge', 1],
    ['reachable', 1],
    ['invited', 3],
  ] as const)('for a node (%s) bring it online', async (way, type) => {
    const at = await machine()
    const commands = nodeCommands(network.url, releaseOf('node').file)
    const name = `shown-${way}`
    // Only the first variant downloads the program.
    const before = way === 'edge' ? '' : commands.edge.split('\n').slice(0, 2).join('\n')
    const shown = commands[way].replace('…', network.joinToken)
    // The default port may be in use, and several nodes need names.
    const node = await at.start(`${before}\n${shown} --port 0 --name ${name}`)
    try {
      const found = await until(async () => {
        if (node.ended()) throw Object.assign(new Error(node.printed()), { final: true })
        const { list } = await answerOf<{ list: { name: string; status: string }[] }>('/api/v1/network/nodes?size=100')
        return list.find((each) => each.name === name && each.status === 'online')
      })
      expect(found).toMatchObject({ type })
    } finally {
      await node.stop()
    }
  })

  it.each(['linux', 'mac'] as const)('for the checksum (%s) detect a different file', async (system) => {
    const at = await machine()
    const { file, sha256 } = releaseOf('node')
    await at.run(`curl -O ${network.url}/downloads/${file}`)
    const check = checkCommands(file, sha256)[system]
    expect(await at.run(check)).toContain(`${file}: OK`)
    await appendFile(join(at.cwd, file), 'x')
    await expect(at.run(check)).rejects.toThrow()
  })
})

describe('the commands of /developer', () => {
  /** An account with an API key, configured as the page describes. */
  async function keyed() {
    const person = await signUp(network.url)
    const { code, data } = await person.post<{ key: string }>('/api/v1/storage/create_key', {
      key_name: 'shown',
      type: 'admin',
    })
    expect(code).toBe(0)
    const start = startCommands(network.url)
    const variables = start.variables.replace('tnk_…', data.key)
    expect(variables).toContain(data.key)
    const at = await machine()
    return { ...at, person, start, run: (commands: string) => at.run(`${variables}\n${commands}`) }
  }

  it('install the command line, show the account, and run the four operations', async () => {
    const { cwd, run, start, person } = await keyed()
    expect(await run(start.cli)).toContain(person.username)
    const printed = []
    for (const step of steps) printed.push(await run(examples[step].cli))
    const [stored] = await person.list()
    expect(stored).toMatchObject({ name: 'tide.txt' })
    expect(await readFile(join(cwd, 'back.txt'))).toEqual(await readFile(join(cwd, 'tide.txt')))
    expect(printed.at(-1)).toContain(network.url)
  })

  it('run the four operations with curl', async () => {
    const { cwd, run, person } = await keyed()
    for (const step of steps) expect(JSON.parse(await run(examples[step].curl))).toMatchObject({ code: 0 })
    const [stored] = await person.list()
    expect(stored).toMatchObject({ name: 'ebb.txt' })
    expect(await readFile(join(cwd, 'back.txt'))).toEqual(await readFile(join(cwd, 'ebb.txt')))
  })

  it('install the SDK and run the four operations', async () => {
    const { cwd, run, start } = await keyed()
    for (const step of steps) await writeFile(join(cwd, `${step}.mjs`), examples[step].node)
    const printed = [await run(start.sdk)]
    for (const step of steps) printed.push(await run(`node ${step}.mjs`))
    for (const output of printed) {
      const results = output.split('\n').filter((line) => line.startsWith('{'))
      expect(JSON.parse(results.at(-1) ?? '{}')).toMatchObject({ code: 0 })
    }
  })

  it('stream network events', async () => {
    const at = await machine()
    const stream = await at.start(streamCommand(network.url))
    try {
      await until(async () => /^data: ?\{/m.test(stream.printed()))
    } finally {
      await stream.stop()
    }
  })
})

describe('rejected:', () => {
  it('commands with a wrong password or without a key', async () => {
    const person = await signUp(network.url)
    const at = await machine()
    await writeFile(join(at.cwd, 'holiday.jpg'), 'x')
    await expect(
      at.atTerminal(cliCommands(network.url, releaseOf('cli').file).unpack, [
        [cli.ask.email, person.username],
        [cli.ask.password, 'Not-It_9'],
      ]),
    ).rejects.toThrow()
    expect(await person.list()).toEqual([])
    const { variables } = startCommands(network.url)
    const nobody = variables.replace('…', '0'.repeat(32))
    await expect(at.run(`${nobody}\nset -o pipefail\n${examples.upload.curl}`)).rejects.toThrow()
  })
})
