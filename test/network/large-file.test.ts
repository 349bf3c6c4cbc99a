/** @module-tag long */
import { createReadStream, mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { peakMemory, provideQuota, sha256, writeLargeFile } from '../large-files.ts'
import { cliNetwork, type Listing } from './cli-machine.ts'
import { until } from './wire-client.ts'

/** Longer than 32 bits can say, and no multiple of any block size. TIDENET_TEST_LARGE sets the MiB. */
const SIZE = Number(process.env.TIDENET_TEST_LARGE ?? 5 * 1024) * 2 ** 20 + 12_345
/** Resident MiB at most, with any size. */
const BOUNDS = { cli: 300, server: 400, node: 400 }
const TIMEOUT_MS = 1_200_000

/** On disk, not in the memory that other tests use. */
const place = mkdtempSync('/var/tmp/tidenet-large-')
// Registered before the network, because the last one registered runs first.
afterAll(() => rmSync(place, { recursive: true, force: true }))
const cli = cliNetwork({ nodes: [{ kind: 'candidate' }] }, place)

/** Bytes on disk below a folder, without holes; of files that disappear meanwhile, none. */
function bytesBelow(folder: string): number {
  let blocks = 0
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true }))
    if (entry.isFile()) blocks += statSync(join(entry.parentPath, entry.name), { throwIfNoEntry: false })?.blocks ?? 0
  return blocks * 512
}

it('a file of 5 GiB is uploaded and downloaded in flat memory although client, node and server are killed', {
  timeout: 2 * TIMEOUT_MS,
}, async () => {
  const at = await cli.signedIn()
  const { network } = cli
  const [node] = network.nodes
  if (!node) throw new Error('The network has no node.')
  await provideQuota(network.databaseUrl, 100 * 2 ** 30)
  const sum = await writeLargeFile(join(at.work, 'tide.bin'), SIZE)

  const most = { cli: 0, server: 0, node: 0 }
  let running: ReturnType<typeof at.start> | undefined
  const watching = setInterval(() => {
    most.cli = Math.max(most.cli, peakMemory(running?.pid))
    most.server = Math.max(most.server, peakMemory(network.server.process.pid))
    most.node = Math.max(most.node, peakMemory(node.process.pid))
  }, 200)
  const restart = async ({ process }: Pick<typeof node, 'process'>) => {
    process.kill('SIGKILL')
    await process.exited
    await process.restart()
  }
  /** Waits until the command has transferred that part; an error if it ends before. */
  const transferred = (part: number, done: () => number) =>
    until(async () => {
      if (done() > SIZE * part) return true
      if (running?.exitCode != null) throw Object.assign(new Error((await running.ended).err), { final: true })
      return false
    }, TIMEOUT_MS)
  /** Kills the client, then, in the second run of the same command, node and server. `done` says how many bytes are there. */
  const withKills = async (command: readonly string[], done: () => number) => {
    running = at.start(command)
    await transferred(0.2, done)
    running.kill('SIGKILL')
    await running.ended
    const kept = done()
    expect(kept).toBeGreaterThan(SIZE / 5)
    running = at.start(command)
    await transferred(0.4, done)
    await restart(node)
    await transferred(0.6, done)
    await restart(network.server)
    const { code, err } = await running.ended
    expect({ code, err }).toEqual({ code: 0, err: '' })
  }
  try {
    await withKills(['up', 'tide.bin', '--to', '/'], () => bytesBelow(node.dataDir))
    const { data } = await at.json<Listing>(['ls'])
    expect(data.list.map(({ name, size }) => ({ name, size }))).toEqual([{ name: 'tide.bin', size: SIZE }])
    // Nothing of the interrupted uploads is left.
    expect(bytesBelow(node.dataDir)).toBeLessThan(SIZE * 1.02)

    rmSync(join(at.work, 'tide.bin'))
    await withKills(['get', 'tide.bin'], () => bytesBelow(at.work))
    expect(await sha256(createReadStream(join(at.work, 'tide.bin')))).toBe(sum)
    expect(readdirSync(at.work)).toEqual(['tide.bin'])
  } finally {
    clearInterval(watching)
  }
  for (const [name, bound] of Object.entries(BOUNDS)) {
    expect(most[name as keyof typeof BOUNDS], name).toBeGreaterThan(20)
    expect(most[name as keyof typeof BOUNDS], name).toBeLessThan(bound)
  }
})
