import { randomBytes } from 'node:crypto'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Network } from '@tidenet/testnet'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startNetwork } from '../network/test-network.ts'
import { largeAccount } from './large-account.ts'
import { createPrograms, type Programs, REMOTE } from './programs.ts'

/** Keys with a cap of traffic, in programs that read large objects in many ranges. */

const SIZE = 48 * 1024 * 1024
const CAP = 1.5 * SIZE
const large = randomBytes(SIZE)

let network: Network
let folder: string
let owner: Awaited<ReturnType<typeof largeAccount>>
beforeAll(async () => {
  network = await startNetwork({ nodes: 2, s3: { port: 0 } })
  folder = await mkdtemp(join(tmpdir(), 'tidenet-s3-caps-'))
  owner = await largeAccount(network)
  await (await owner.bucket('photos')).put('large', large)
  await writeFile(join(folder, 'source'), large)
})
afterAll(async () => {
  await network?.stop()
  if (folder) await rm(folder, { recursive: true, force: true })
})

/** Programs with a new key that may transfer so many bytes. */
async function programsWithCap(name: string, cap = CAP): Promise<Programs> {
  const key = { key_name: name, traffic_cap: cap }
  const { data } = await owner.portal.post<Record<string, string>>('/api/v1/storage/create_key', key)
  const pair = { accessKeyId: data.access_key_id ?? '', secretAccessKey: data.secret_access_key ?? '' }
  return createPrograms(join(folder, name), { url: network.s3Url, ...pair, caFile: undefined })
}

describe('an upload in parts', () => {
  const upload = (name: string) => ['s3', 'cp', '--no-progress', join(folder, 'source'), `s3://photos/${name}`]

  it('takes its size of the cap: the node that received the parts joins them', async () => {
    await (await programsWithCap('parts', Math.ceil(1.1 * SIZE))).aws(...upload('sent'))
  })

  it('is refused if the cap has no room for the parts', async () => {
    const { code, stderr } = await (await programsWithCap('few', Math.floor(0.9 * SIZE))).try('aws', upload('refused'))
    expect(code).not.toBe(0)
    expect(stderr).toContain('QuotaExceeded')
  })
})

describe('a cap of 1.5 times the size of an object', () => {
  const target = () => join(folder, 'fetched')
  const download = ['s3', 'cp', '--no-progress', 's3://photos/large']

  it('suffices for aws s3 cp, which reads it in ranges at the same time', async () => {
    const { aws } = await programsWithCap('aws')
    await aws(...download, target())
    expect((await readFile(target())).equals(large)).toBe(true)
  })

  it('suffices for rclone with several streams', async () => {
    const { rclone } = await programsWithCap('rclone')
    const streams = ['--multi-thread-cutoff', '1M', '--multi-thread-streams', '4']
    await rclone('copyto', ...streams, `${REMOTE}:photos/large`, target())
    expect((await readFile(target())).equals(large)).toBe(true)
  })

  it('refuses a second download, and says why', async () => {
    const programs = await programsWithCap('twice')
    await programs.aws(...download, target())
    const { code, stderr } = await programs.try('aws', [...download, target()])
    expect(code).not.toBe(0)
    expect(stderr).toContain('QuotaExceeded')
  })

  it('refuses an object that is larger than what is left, before any byte', async () => {
    const programs = await programsWithCap('small', SIZE - 1)
    const { code, stderr } = await programs.try('aws', [...download, join(folder, 'nothing')])
    expect(code).not.toBe(0)
    expect(stderr).toContain('QuotaExceeded')
    await expect(readFile(join(folder, 'nothing'))).rejects.toMatchObject({ code: 'ENOENT' })
  })
})
