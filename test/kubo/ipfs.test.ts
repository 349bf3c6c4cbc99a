import { randomBytes } from 'node:crypto'
import type { Network } from '@tidenet/testnet'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { importer } from '../network/import-source.ts'
import { ask, data, publisher } from '../network/ipfs-client.ts'
import { startNetwork } from '../network/test-network.ts'
import { until } from '../network/wire-client.ts'
import { type KuboNode, startKuboNode } from './kubo-node.ts'

/** A real Kubo finds and fetches what is published, over HTTP from the public gateway, and nothing else. */

let network: Network
let owner: Awaited<ReturnType<typeof publisher>>
let kubo: KuboNode
/** Has what is imported. */
let origin: KuboNode
beforeAll(async () => {
  origin = await startKuboNode()
  network = await startNetwork({
    nodes: 2,
    s3: { port: 0 },
    ipfs: { port: 0 },
    env: { TIDENET_IPFS_SOURCES: origin.gateway },
  })
  owner = await publisher(network)
  kubo = await startKuboNode({ router: network.ipfsUrl })
}, 120_000)
afterAll(async () => {
  await kubo?.close()
  await network?.stop()
  await origin?.close()
})

const files = Array.from({ length: 8 }, (_, index) => {
  const bytes = new Uint8Array(randomBytes(index * 150_000))
  return { path: `d${index % 3}/f${index}`, bytes, file: new File([bytes], `f${index}`) }
})

describe('Kubo', () => {
  it('fetches a published file whole, after it was published', async () => {
    const bytes = new Uint8Array(randomBytes(3_000_000))
    const cid = await owner.published(bytes, 'a.bin')
    expect((await kubo.bytes('cat', { arg: cid, timeout: '60s' })).equals(Buffer.from(bytes))).toBe(true)
    expect(JSON.parse(await kubo.rpc('files/stat', { arg: `/ipfs/${cid}`, 'with-local': 'true' }))).toMatchObject({
      Local: true,
    })
  }, 90_000)

  it('pins a published folder, with every file', async () => {
    const cid = await owner.published(
      files.map(({ path, file }) => ({ path, file })),
      'tree',
    )
    await kubo.rpc('pin/add', { arg: cid, timeout: '60s' })
    for (const { path, bytes } of files)
      expect((await kubo.bytes('cat', { arg: `${cid}/${path}`, offline: 'true' })).equals(Buffer.from(bytes))).toBe(
        true,
      )
  }, 90_000)

  it('pins a published folder of single files', async () => {
    const { api } = owner.storage
    const { ID: top } = data(await api.call('folders.create', { name: 'single', parent: 0 })).group
    for (const { bytes, path } of files.filter((one) => one.bytes.length > 0))
      data(await owner.storage.uploadAsset(bytes, { name: path.replace('/', '-'), groupId: top }))
    data(await api.call('publications.createFolder', { folder_id: top }))
    const published = async () => data(await api.call('publications.list', { folder_id: top })).list[0]
    await until(async () => (await published())?.state === 'ready', 30_000)
    const { cid = '' } = (await published()) ?? {}
    await kubo.rpc('pin/add', { arg: cid, timeout: '60s' })
    for (const { path, bytes } of files.filter((one) => one.bytes.length > 0))
      expect(
        (await kubo.bytes('cat', { arg: `${cid}/${path.replace('/', '-')}`, offline: 'true' })).equals(
          Buffer.from(bytes),
        ),
      ).toBe(true)
  }, 90_000)

  it('imports archives of the gateway', async () => {
    const cid = await owner.published(new Uint8Array(randomBytes(700_000)), 'b.bin')
    const { body } = await ask(network.ipfsUrl, `/ipfs/${cid}?format=car`)
    expect(
      await kubo.send('dag/import', new Blob([new Uint8Array(body)]), { 'pin-roots': 'true', offline: 'true' }),
    ).toContain(cid)
    expect(await kubo.rpc('pin/ls', { arg: cid, type: 'recursive' })).toContain(cid)
  }, 90_000)

  it('exports archives that are imported here under their CID', async () => {
    const bytes = new Uint8Array(randomBytes(600_000))
    const added = await kubo.send('add', new Blob([bytes]), {
      'cid-version': '1',
      'wrap-with-directory': 'true',
      pin: 'false',
    })
    const { Hash: root = '' } = JSON.parse(added.trim().split('\n').at(-1) ?? '{}')
    const car = new File([new Uint8Array(await kubo.bytes('dag/export', { arg: root }))], 'kubo.car')
    const { cid } = data(await owner.storage.uploadAsset(car, { importCar: true }))
    expect(cid).toBe(root)
    await owner.publish(cid)
    const page = (await ask(network.ipfsUrl, `/ipfs/${cid}/`)).body.toString()
    const name = /href="\.\/([^"]+)"/.exec(page)?.[1]
    expect((await ask(network.ipfsUrl, `/ipfs/${cid}/${name}`)).body.equals(Buffer.from(bytes))).toBe(true)
  }, 90_000)

  it('has files without raw leaves, as it makes them by default, that are imported by CID and read from folders', async () => {
    const person = await importer(network)
    const imported = async (cid: string, name: string) =>
      (await person.ended(data(await person.api.call('imports.cid', { cid, name })).id)).cid
    const read = async (cid: string, path: string) => {
      const file = data(await person.storage.openFile(cid, { path }))
      const whole = await person.bytes(cid, path)
      const part = Buffer.from(data(await file.read(300_000, 300_100)))
      expect(part.equals(whole.subarray(300_000, 300_100))).toBe(true)
      return whole
    }
    const bytes = randomBytes(60_000_000)
    const [file] = await origin.add(bytes)
    expect(file).toMatch(/^Qm/)
    expect((await read(await imported(file ?? '', 'old.bin'), 'old.bin')).equals(bytes)).toBe(true)
    // The same block again and again, in a folder of an older layout.
    const zeros = Buffer.alloc(3_000_000)
    const folder = (await origin.add(zeros, { 'wrap-with-directory': 'true', trickle: 'true' })).at(-1) ?? ''
    const cid = await imported(folder, 'zeros')
    const { entries } = data(await person.storage.listFolder(cid))
    expect((await read(cid, entries[0]?.name ?? '')).equals(zeros)).toBe(true)
  }, 120_000)

  it('does not fetch what is private, or was unpublished', async () => {
    const secret = await owner.upload(new Uint8Array(randomBytes(500_000)), 'secret.bin')
    const ended = await owner.published(new Uint8Array(randomBytes(500_000)), 'ended.bin')
    await owner.unpublish(ended)
    await until(async () => (await ask(network.ipfsUrl, `/ipfs/${ended}?format=raw`)).status === 404, 5000)
    for (const cid of [secret, ended]) await expect(kubo.rpc('cat', { arg: cid, timeout: '5s' })).rejects.toThrow()
  }, 90_000)
})
