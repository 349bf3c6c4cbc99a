import { randomBytes } from 'node:crypto'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Network } from '@tidenet/testnet'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { data, importer } from '../network/import-source.ts'
import { startNetwork } from '../network/test-network.ts'
import { type KuboNode, startKuboNode } from './kubo-node.ts'

/** `ipfs pin remote` of a real Kubo node, whose gateway is also the one that the operator named. */

let kubo: KuboNode
let network: Network
let folder: string
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'tidenet-pins-'))
  kubo = await startKuboNode()
  network = await startNetwork({
    nodes: [{ kind: 'candidate' }, { kind: 'candidate' }],
    s3: { port: 0 },
    env: { TIDENET_IPFS_SOURCES: kubo.gateway },
  })
})
afterAll(async () => {
  await network?.stop()
  await kubo?.close()
  rmSync(folder, { recursive: true, force: true })
})

describe('ipfs pin remote', () => {
  it('pins a folder of many files and a file, lists, and unpins them', { timeout: 120_000 }, async () => {
    const person = await importer(network)
    const { key } = data(await person.api.call('apiKeys.create', { key_name: 'kubo' }))
    kubo.ipfs('pin', 'remote', 'service', 'add', 'tidenet', `${network.url}/api/pinning/v1`, key)
    const tree = join(folder, 'tree')
    mkdirSync(tree)
    // Enough names for a sharded directory, one large file of the former default layout, and an empty one.
    for (let n = 0; n < 300; n++) writeFileSync(join(tree, `${'long name '.repeat(15)}${n}`), `file ${n}`)
    writeFileSync(join(tree, 'large'), randomBytes(3_000_000))
    writeFileSync(join(tree, 'empty'), '')
    const root = kubo
      .ipfs('add', '-Q', '-r', '--cid-version=0', '--raw-leaves=false', '--max-hamt-fanout=256', tree)
      .trim()
    const bytes = randomBytes(2_000_000)
    writeFileSync(join(folder, 'file'), bytes)
    const file = kubo.ipfs('add', '-Q', '--cid-version=1', join(folder, 'file')).trim()

    const remote = (...args: string[]) => kubo.ipfs('pin', 'remote', ...args, '--service=tidenet')
    expect(remote('add', `/ipfs/${root}`, '--name=tree')).toContain('pinned')
    expect(remote('add', `/ipfs/${file}`, '--name=file')).toContain('pinned')
    const listed = remote('ls', '--status=pinned')
    expect(listed).toContain(root)
    expect(listed).toContain(file)

    const { list } = data(await person.api.call('folders.contents', {}))
    const group = list.find(({ Group }) => Group?.Name === 'Pins')?.Group?.ID ?? 0
    const pinned = await person.items(group)
    expect([...pinned.keys()].sort()).toEqual(['file', 'tree'])
    expect((await person.bytes(pinned.get('file') as string)).equals(bytes)).toBe(true)

    remote('rm', `--cid=${root}`, '--force')
    expect([...(await person.items(group)).keys()]).toEqual(['file'])
    data(await person.api.call('trash.put', { assets: [pinned.get('file') as string] }))
    expect(remote('ls', '--status=pinned,queued,pinning,failed').trim()).toBe('')
    expect(() =>
      remote('add', '/ipfs/bafkreiaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa', '--name=none'),
    ).toThrow()
  })
})
