import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { StorageNode } from './app.ts'
import { createTestEnv, randomFile, type TestEnv } from './test-env.fixture.ts'

let env: TestEnv
let node: StorageNode
let cid: string
let down: string
let up: string
let car: string
beforeAll(async () => {
  env = await createTestEnv()
  node = await env.start()
  cid = (await randomFile(1000)).cid
  down = await env.server.downloadToken(node.id, cid)
  up = await env.server.uploadToken(node.id, { sub: 'u1' })
  car = await env.server.uploadToken(node.id, { sub: 'u1', kind: 'car', cid })
})
afterAll(() => env.stop())

const form = () => {
  const body = new FormData()
  body.append('file', new Blob(['no archive']), 'a.car')
  return body
}

/** Refusals of every kind: gateway, forms, archives, tus. */
const refused: Record<string, () => { path: string; init?: RequestInit }> = {
  'without a token': () => ({ path: `/ipfs/${cid}` }),
  'in an unknown format': () => ({ path: `/ipfs/${cid}?format=zip&token=${down}` }),
  'that is not here': () => ({ path: `/ipfs/${cid}?token=${down}` }),
  'at an unknown address': () => ({ path: '/nowhere' }),
  'in no form': () => ({ path: `/uploadv2?token=${up}`, init: { method: 'POST', body: 'bytes' } }),
  'in a form without a boundary': () => ({
    path: `/uploadv2?token=${up}`,
    init: { method: 'POST', body: 'bytes', headers: { 'content-type': 'multipart/form-data' } },
  }),
  'as an archive that is none': () => ({ path: `/uploadv2?token=${car}`, init: { method: 'POST', body: form() } }),
  'in another version of tus': () => ({ path: `/tus?token=${up}`, init: { method: 'POST' } }),
  'to an upload that is not there': () => ({
    path: `/tus/none?token=${up}`,
    init: {
      method: 'PATCH',
      body: 'bytes',
      headers: {
        'tus-resumable': '1.0.0',
        'upload-offset': '0',
        'content-type': 'application/offset+octet-stream',
      },
    },
  }),
}

const marks: [string, Record<string, string>, RegExp][] = [
  ['English when nobody says', {}, /^[ -~]+$/],
  ['Chinese by the header', { lang: 'cn', cookie: 'lang=en' }, /[\u4e00-\u9fff]/],
  ['Chinese by the cookie', { cookie: 'a=b; lang=zh' }, /[\u4e00-\u9fff]/],
  ['Chinese by the browser', { 'accept-language': 'zh-CN,zh;q=0.9,en;q=0.8' }, /[\u4e00-\u9fff]/],
  ['English by the header', { lang: 'en', 'accept-language': 'zh-CN' }, /^[ -~]+$/],
]

describe.each(marks)('a node refuses in %s', (_, headers, language) => {
  it.each(Object.entries(refused))('to what is asked for %s', async (_, ask) => {
    const { path, init = {} } = ask()
    const answer = await fetch(node.url + path, { ...init, headers: { ...headers, ...(init.headers as object) } })
    expect(answer.status).toBeGreaterThanOrEqual(400)
    expect(answer.status).toBeLessThan(500)
    const { code, msg } = (await answer.json()) as { code: number; msg: string }
    expect(code).toBe(-1)
    expect(msg).toMatch(language)
  })
})
