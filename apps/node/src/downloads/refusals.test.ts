import { type IncomingMessage, request } from 'node:http'
import type { DownloadClaims } from '@tidenet/contract'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { endedKey } from '../ended-shares.ts'
import { randomFile } from '../test-env.fixture.ts'
import { blocksOf, type SampleDownloads, sampleDownloads } from './sample-downloads.fixture.ts'

let env: SampleDownloads['env']
let node: SampleDownloads['node']
let get: SampleDownloads['get']
let clock: SampleDownloads['clock']
let file: SampleDownloads['file']
let small: SampleDownloads['small']
let folder: SampleDownloads['folder']
beforeAll(async () => {
  ;({ env, node, get, clock, file, small, folder } = await sampleDownloads())
})
afterAll(() => env.stop())

describe('a share that has ended', () => {
  it('invalidates its earlier tokens for this item of this account only', async () => {
    const path = `/ipfs/${small.cid}`
    const status = async (claims: Partial<DownloadClaims>) => {
      const answer = await get(path, { as: small.cid, claims })
      await answer.arrayBuffer()
      return answer.status
    }
    const ended = [
      { sub: 'owner', share: small.cid, ended: 6 },
      { sub: 'owner', share: '12', ended: 7 },
      { sub: 'owner', share: '99' },
    ]
    const going = [
      { sub: 'owner', share: small.cid, ended: 7 },
      { sub: 'owner', share: '12', ended: 8 },
      { sub: 'other', share: small.cid },
      { sub: 'owner' },
    ]
    const token = await env.server.downloadToken(node.id, small.cid, ended[0])
    const again = async () => (await fetch(`${node.url}${path}?token=${token}`)).status
    for (const claims of [...ended, ...going]) expect(await status(claims)).toBe(200)
    expect(await again()).toBe(200)
    env.server.ended = [
      { id: 7, key: endedKey('owner', small.cid) },
      { id: 8, key: endedKey('owner', '12') },
    ]
    await expect.poll(again, { timeout: 5000 }).toBe(401)
    for (const claims of ended) expect(await status(claims)).toBe(401)
    for (const claims of going) expect(await status(claims)).toBe(200)
    env.server.ended = []
  })
})

describe('a download is refused', () => {
  it('without a token, or with one that is not genuine or has expired', async () => {
    const expired = await env.server.downloadToken(node.id, file.cid, { exp: Math.floor(Date.now() / 1000) - 1 })
    for (const token of ['', 'nonsense', expired]) {
      const answer = await fetch(`${node.url}/ipfs/${file.cid}?token=${token}`)
      expect(answer.status).toBe(401)
      expect(await answer.json()).toMatchObject({ code: -1, err: 10012 })
    }
  })

  it('when its token has expired since', async () => {
    const token = await env.server.downloadToken(node.id, small.cid)
    const ask = async () => (await fetch(`${node.url}/ipfs/${small.cid}?token=${token}`)).status
    expect(await ask()).toBe(200)
    clock.move(2 * 3600_000)
    expect(await ask()).toBe(401)
    clock.move(0)
  })

  it('with the token of another content, of another node, or for uploads', async () => {
    const { cids } = await blocksOf(await get(`/ipfs/${folder.cid}?format=car`, { as: folder.cid }))
    expect((await get(`/ipfs/${small.cid}`)).status).toBe(403)
    expect((await get(`/ipfs/${cids[1]}`, { as: folder.cid })).status).toBe(403)
    expect((await get(`/ipfs/${small.cid}?format=raw`)).status).toBe(404)
    const foreign = await env.server.downloadToken('c_other', file.cid)
    const uploads = await env.server.uploadToken(node.id, { cid: file.cid })
    for (const token of [foreign, uploads])
      expect((await fetch(`${node.url}/ipfs/${file.cid}?token=${token}`)).status).toBe(403)
  })

  it('with an HTML page for browsers', async () => {
    // fetch() forbids this header.
    const answer = await new Promise<IncomingMessage>((resolve) =>
      request(`${node.url}/ipfs/${file.cid}`, { headers: { 'sec-fetch-mode': 'navigate' } }, resolve).end(),
    )
    answer.resume()
    expect(answer.statusCode).toBe(302)
    expect(answer.headers.location).toBe(`${env.server.url}/redirect?errCode=10012`)
    expect(answer.headers['cache-control']).toBe('no-store')
  })

  it('when the node does not have the content', async () => {
    const { cid } = await randomFile(10)
    expect((await get(`/ipfs/${cid}`, { as: cid })).status).toBe(404)
    expect((await get(`/ipfs/${cid}`, { as: cid, method: 'HEAD' })).status).toBe(412)
  })

  it.each([
    '/ipfs/nonsense',
    `/ipfs/bafyrei${'a'.repeat(52)}`,
    '/ipfs/CID?format=dag-json',
    '/ipfs/CID?format=car&dag-scope=x',
    '/ipfs/CID?format=car&entity-bytes=x',
    '/ipfs/CID?page=x',
  ])('at %s', async (path) => {
    const answer = await get(path.replace('CID', file.cid))
    expect(answer.status).toBe(400)
    expect(answer.headers.get('access-control-allow-origin')).toBe('*')
  })
})

describe('pages of other origins', () => {
  it('may request ranges and read their headers', async () => {
    const answer = await fetch(`${node.url}/ipfs/${file.cid}`, {
      method: 'OPTIONS',
      headers: {
        origin: 'https://portal.example',
        'access-control-request-method': 'GET',
        'access-control-request-headers': 'authorization,range,uploadindex',
      },
    })
    expect(answer.status).toBe(204)
    const allowed = answer.headers.get('access-control-allow-headers')?.toLowerCase().split(', ')
    expect(allowed).toEqual(
      expect.arrayContaining(['authorization', 'range', 'uploadindex', 'jwtauthorization', 'lang']),
    )
    expect(Number(answer.headers.get('access-control-max-age'))).toBeGreaterThan(0)
  })
})
