import { createHash, randomBytes } from 'node:crypto'
import type { Network } from '@tidenet/testnet'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { data, type ImportSource, importer, startSource } from './import-source.ts'
import { startNetwork } from './test-network.ts'
import { until } from './wire-client.ts'

/** Imports of files by their address, as the program runs that fetches them. */

const MiB = 1024 * 1024
let network: Network
let source: ImportSource
beforeAll(async () => {
  source = await startSource()
  network = await startNetwork({ nodes: [{ kind: 'candidate' }, { kind: 'candidate' }], s3: { port: 0 } })
})
afterAll(async () => {
  await network?.stop()
  await source?.close()
})

const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex')
type Importer = Awaited<ReturnType<typeof importer>>
const begin = async (person: Importer, url: string, more: { name?: string; group_id?: number } = {}) =>
  data(await person.api.call('imports.url', { url, ...more })).id

describe('a file by its address', () => {
  it('becomes a file of the folder, with its bytes and the name that the source gives it', async () => {
    const person = await importer(network)
    const bytes = randomBytes(3 * MiB + 17)
    const url = source.at('/files/report%202026.pdf', (response) =>
      response.writeHead(200, { 'content-length': bytes.length }).end(bytes),
    )
    const group_id = data(await person.api.call('folders.create', { name: 'incoming', parent: 0 })).group.ID
    const done = await person.ended(await begin(person, `${url}?token=secret`, { group_id }))
    expect(done).toMatchObject({ state: 'done', received: bytes.length, total: bytes.length, error: '' })
    // What may be a secret of the owner is not shown.
    expect(done.source).toBe(`${url}?…`)
    const files = await person.items(group_id)
    expect([...files]).toEqual([['report 2026.pdf', done.cid]])
    expect(sha256(await person.bytes(done.cid))).toBe(sha256(bytes))
  })

  it('can be in the root, empty, without a length, behind redirects, and named by its owner or by a header', async () => {
    const person = await importer(network)
    source.at('/empty', (response) => response.writeHead(200, { 'content-length': 0 }).end())
    source.at('/chunked', (response) => {
      response.writeHead(200, { 'content-disposition': `attachment; filename="a.txt"; filename*=UTF-8''%E6%8A%A5.txt` })
      response.write('first ')
      setImmediate(() => response.end('second'))
    })
    for (let hop = 1; hop <= 5; hop++)
      source.at(`/hop${hop}`, (response) =>
        response.writeHead(302, { location: hop === 5 ? '/chunked' : `/hop${hop + 1}` }).end(),
      )
    const ids = [
      await begin(person, `${source.url}/empty`, { name: 'nothing' }),
      await begin(person, `${source.url}/hop1`),
    ]
    for (const id of ids) expect(await person.ended(id)).toMatchObject({ state: 'done' })
    const files = await person.items()
    expect([...files.keys()].sort()).toEqual(['nothing', '报.txt'])
    expect((await person.bytes(files.get('报.txt') as string)).toString()).toBe('first second')
  })

  it('is cancelled within seconds while its bytes arrive, and leaves nothing', async () => {
    const person = await importer(network)
    const url = source.at('/endless', (response) => {
      response.writeHead(200)
      const sending = setInterval(() => response.write(randomBytes(1024)), 50)
      response.once('close', () => clearInterval(sending))
    })
    const id = await begin(person, url)
    await until(async () => (await person.of(id)).received > 0)
    const began = Date.now()
    data(await person.api.call('imports.cancel', { id }))
    expect(await person.ended(id)).toMatchObject({ state: 'cancelled', cid: '' })
    expect(Date.now() - began).toBeLessThan(5000)
    expect((await person.items()).size).toBe(0)
    // Nothing of the quota stays taken.
    const { TotalSize: size } = data(await person.api.call('usage.storageSize', {}))
    data(await person.api.call('uploads.info', { size }))
  })

  it('goes on at another gateway after the one that had it was killed, and can be retried after its source recovered', {
    tags: ['long'],
  }, async () => {
    const person = await importer(network)
    let isSlow = true
    const url = source.at('/killed', (response) => {
      response.writeHead(200, { 'content-length': 5 })
      if (isSlow) response.write('he')
      else response.end('hello')
    })
    const id = await begin(person, url)
    await until(async () => (await person.of(id)).received === 2)
    isSlow = false
    network.s3?.kill()
    await network.s3?.exited
    await network.s3?.restart()
    const done = await person.ended(id)
    expect(done).toMatchObject({ state: 'done', received: 5 })

    let isThere = false
    const later = source.at('/later', (response) => response.writeHead(isThere ? 200 : 404).end('here'))
    const second = await begin(person, later)
    expect(await person.ended(second)).toMatchObject({ state: 'failed', reason: 'missing' })
    isThere = true
    data(await person.api.call('imports.retry', { id: second }))
    expect(await person.when(second, ['done'])).toMatchObject({ reason: '', received: 4 })
  })

  it('fails with what its owner can do, if the source is gone, lies, stalls, or sends without end', async () => {
    const person = await importer(network)
    const cases: [string, string, (response: import('node:http').ServerResponse) => void][] = [
      ['/denied', 'refused', (response) => response.writeHead(403).end()],
      ['/loop', 'redirects', (response) => response.writeHead(302, { location: '/loop' }).end()],
      ['/nowhere', 'redirects', (response) => response.writeHead(302, { location: 'file:///etc/passwd' }).end()],
      [
        '/short',
        'broken',
        (response) => {
          response.writeHead(200, { 'content-length': 100 })
          response.write('short', () => response.destroy())
        },
      ],
      ['/packed', 'broken', (response) => response.writeHead(200, { 'content-encoding': 'gzip' }).end('x')],
      ['/huge', 'quota', (response) => response.writeHead(200, { 'content-length': 10 ** 15 }).write('x')],
    ]
    const ids = []
    for (const [path, , answer] of cases) ids.push(await begin(person, source.at(path, answer)))
    for (const [index, id] of ids.entries()) {
      const failed = await person.ended(id)
      expect(failed).toMatchObject({ state: 'failed', reason: cases[index]?.[1] })
      expect(failed.error).not.toBe('')
    }
    expect(source.asked('/loop')).toBe(6)
    expect((await person.items()).size).toBe(0)
  })
})
