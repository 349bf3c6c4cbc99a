import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createReadStream } from 'node:fs'
import { copyFile, mkdir, mkdtemp, open, readFile, rm } from 'node:fs/promises'
import { createServer, request as httpRequest } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import type { Network } from '@tidenet/testnet'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { startNetwork } from '../network/test-network.ts'
import { until } from '../network/wire-client.ts'

// A node as people download it updates itself to the next signed release, and then runs as that one.

const MAIN = fileURLToPath(new URL('../../tools/executables/main.mjs', import.meta.url))
const run = promisify(execFile)
const PROGRAM = 'tidenet-node-linux-x64'

let work: string
let network: Network
let portal: Awaited<ReturnType<typeof startPortal>>

beforeAll(async () => {
  work = await mkdtemp(join(tmpdir(), 'updates-'))
  const tool = (...args: string[]) => run(process.execPath, [MAIN, ...args])
  await tool('key', join(work, 'release.key'))
  for (const [out, time] of [
    ['first', '2026-10-01T00:00:00Z'],
    ['second', '2026-10-02T00:00:00Z'],
  ] as const)
    await tool('--platform', 'linux-x64', '--key', join(work, 'release.key'), '--time', time, '--out', join(work, out))
  network = await startNetwork({ nodes: 0 })
  portal = await startPortal(network.url, join(work, 'second'))
}, 600_000)
afterAll(async () => {
  await portal?.stop()
  await network?.stop()
  await rm(work, { recursive: true, force: true, maxRetries: 20 })
})

/** The portal of the network, with the files of a release. */
async function startPortal(url: string, release: string) {
  const http = createServer((request, response) => {
    const [, file] = /^\/downloads\/([\w.-]+)$/.exec(request.url ?? '') ?? []
    if (file) {
      createReadStream(join(release, file))
        .on('error', () => response.writeHead(404).end())
        .pipe(response)
      return
    }
    const { method, headers } = request
    const passed = httpRequest(url + request.url, { method, headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers)
      answer.pipe(response)
    })
    passed.on('error', () => response.destroy())
    request.pipe(passed)
  })
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve))
  const stop = () =>
    new Promise((resolve) => {
      http.close(resolve)
      http.closeAllConnections()
    })
  return { url: `http://127.0.0.1:${(http.address() as { port: number }).port}`, stop }
}

it('replaces its program, and is started as the new one', { timeout: 300_000 }, async () => {
  const folder = join(work, 'node')
  await mkdir(folder)
  const program = join(folder, 'tidenet-node')
  await copyFile(join(work, 'first', PROGRAM), program)
  const released = async (path: string) => JSON.parse((await run(path, ['--release'])).stdout) as { time: number }
  const args = ['--server', portal.url, '--data', join(folder, 'contents'), '--area', 'Asia-Japan-Tokyo-Tokyo']
  const output = await open(join(folder, 'output.txt'), 'w')
  const start = () =>
    spawn(program, args, {
      env: { HOME: work, TIDENET_ENV: 'test', TIDENET_SERVICE_MANAGER: 'test' },
      stdio: ['ignore', output.fd, output.fd, 'ipc'],
    })

  const first = start()
  const ended = once(first, 'exit')
  const [{ id }] = (await once(first, 'message')) as [{ id: string }]
  // An hour and a half later it asks for updates.
  first.send({ type: 'clock', offsetMs: 90 * 60_000 })
  expect(await ended).toEqual([0, null])
  expect((await readFile(program)).equals(await readFile(join(work, 'second', PROGRAM)))).toBe(true)
  expect((await released(program)).time).toBe(Date.parse('2026-10-02T00:00:00Z'))
  expect((await released(`${program}.previous`)).time).toBe(Date.parse('2026-10-01T00:00:00Z'))

  const second = start()
  const over = once(second, 'exit')
  const [again] = (await once(second, 'message')) as [{ id: string }]
  expect(again.id).toBe(id)
  await until(async () => (await nodes()).some((node) => node.node_id === id && node.status === 'online'), 60_000)
  second.kill('SIGTERM')
  expect(await over).toEqual([0, null])
  await output.close()
})

async function nodes(): Promise<{ node_id: string; status: string }[]> {
  const answer = await fetch(`${network.url}/api/v1/network/nodes?size=100`)
  return ((await answer.json()) as { data: { list: { node_id: string; status: string }[] } }).data.list
}
