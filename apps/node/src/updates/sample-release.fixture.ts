import { createHash, generateKeyPairSync, type KeyObject, sign } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer, type ServerResponse } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { ReleaseManifest } from '@tidenet/contract'
import type { OwnRelease } from './release.ts'

/** Releases of small programs, and a portal that offers them. */

export const NODE_ID = 'e_00112233-4455-6677-8899-aabbccddeeff'
export const makeKey = () => {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519')
  return { privateKey, text: publicKey.export({ format: 'jwk' }).x ?? '' }
}
export type ReleaseKey = ReturnType<typeof makeKey>

/** What the program of a release does when it is started: after `ready` it runs until it is stopped. */
export type Behaviour =
  | 'ready'
  | 'other node'
  | 'not registered'
  | 'ends'
  | 'kills while starting'
  | 'kills when stopped'

/** A program for tests: prints its facts, or behaves like a node. `kills`: the process that started it, as a power failure would. */
export function programText(facts: OwnRelease, behaviour: Behaviour): string {
  return `#!${process.execPath}
const facts = ${JSON.stringify(facts)}
if (process.argv[2] === '--release') console.log(JSON.stringify(facts))
else run(${JSON.stringify(behaviour)})
function run(behaviour) {
  if (behaviour === 'ends') process.exit(1)
  if (behaviour === 'kills while starting') process.kill(process.ppid, 'SIGKILL')
  process.on('SIGTERM', () => {
    if (behaviour === 'kills when stopped') process.kill(process.ppid, 'SIGKILL')
    process.exit(0)
  })
  process.on('disconnect', () => process.exit(0))
  const id = behaviour === 'other node' ? 'e_another' : ${JSON.stringify(NODE_ID)}
  process.send({ type: 'ready', id, registered: behaviour !== 'not registered' })
}
`
}

export const factsOf = (time: number, version = '1.0.0', keys: string[] = []): OwnRelease => ({
  ...{ version, time, keys, program: 'tidenet-node', platform: 'linux-x64' },
})

export const manifestOf = (bytes: Buffer, facts: OwnRelease, change: Partial<ReleaseManifest> = {}): Buffer => {
  const { version, time, program, platform } = facts
  const sha256 = createHash('sha256').update(bytes).digest('hex')
  const file = { file: 'tidenet-node-linux-x64', program, platform, trial: 'native', size: bytes.length, sha256 }
  return Buffer.from(JSON.stringify({ format: 1, version, time, percent: 100, files: [file], ...change }))
}

export const signatureOf = (text: Buffer, key: KeyObject): string => sign(null, text, key).toString('base64url')

/** A portal. `send` sends the program; by default all of it. */
export async function startPortal() {
  const files = new Map<string, Buffer>()
  const portal = {
    url: '',
    asked: [] as string[],
    files,
    send: (response: ServerResponse, bytes: Buffer): unknown => response.end(bytes),
    offer(
      facts: OwnRelease,
      key: ReleaseKey,
      options: { behaviour?: Behaviour; change?: Partial<ReleaseManifest> } = {},
    ) {
      const bytes = Buffer.from(programText(facts, options.behaviour ?? 'ready'))
      const manifest = manifestOf(bytes, facts, options.change)
      files.set('manifest.json', manifest)
      files.set('manifest.sig', Buffer.from(signatureOf(manifest, key.privateKey)))
      files.set('tidenet-node-linux-x64', bytes)
      return bytes
    },
    stop: () =>
      new Promise((resolve) => {
        http.close(resolve)
        http.closeAllConnections()
      }),
  }
  const http = createServer((request, response) => {
    const name = request.url?.split('/').at(-1) ?? ''
    portal.asked.push(name)
    const bytes = files.get(name)
    if (!bytes) response.writeHead(404).end()
    else if (name.startsWith('manifest')) response.end(bytes)
    else portal.send(response, bytes)
  })
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve))
  portal.url = `http://127.0.0.1:${(http.address() as { port: number }).port}`
  return portal
}

/** A folder with the program of a release in it. */
export async function installProgram(facts: OwnRelease) {
  const data = await mkdtemp(join(tmpdir(), 'updates-'))
  const program = join(data, 'tidenet-node')
  await writeFile(program, programText(facts, 'ready'), { mode: 0o700 })
  return { data, program, remove: () => rm(data, { recursive: true, force: true }) }
}
