import { randomUUID } from 'node:crypto'
import { rawCid } from '@tidenet/content/cid'
import { TEMP_FILE_DOWNLOADS } from '@tidenet/contract'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { setup, type TestEnv } from '../../apps/server/src/test-env.fixture.ts'

let env: TestEnv
let node: Awaited<ReturnType<TestEnv['node']>>
beforeAll(async () => {
  env = await setup()
  node = await env.node()
})
afterAll(() => env.close())

const cidOf = async (text: string) => (await rawCid(new TextEncoder().encode(text))).toString()

describe('anonymous files', () => {
  const file = async (name: string, text = randomUUID()) => {
    const cid = await cidOf(text)
    const receipt = await node.receipt({ sub: 'temp:x', cid, size: 10 })
    const answer = await env.call('tempFiles.create', { asset_name: name, asset_size: 10, asset_cid: cid, receipt })
    expect(answer.code).toBe(0)
    return cid
  }

  it('keep their name and size if registered again by someone else', async () => {
    const cid = await file('holiday.jpg')
    await env.call('tempFiles.create', {
      asset_name: 'virus.exe',
      asset_size: 99,
      asset_cid: cid,
      area_ids: ['Mars'],
    })
    expect((await env.call('tempFiles.info', { cid })).data).toMatchObject({ name: 'holiday.jpg', size: 10 })
  })

  it('can be downloaded twenty times, even by concurrent requests', async () => {
    const cid = await file('a')
    await Promise.all(Array.from({ length: 30 }, () => env.call('tempFiles.info', { cid })))
    const answers = await Promise.all(
      Array.from({ length: 50 }, () => env.call('tempFiles.download', { cid }, { ip: '10.1.1.1' })),
    )
    expect(answers.filter(({ code }) => code === 0)).toHaveLength(TEMP_FILE_DOWNLOADS)
    expect(answers.filter(({ err }) => err === 2057)).toHaveLength(50 - TEMP_FILE_DOWNLOADS)
  })

  it('are shown with masked addresses of nodes', async () => {
    const cid = await file('b')
    expect(JSON.stringify((await env.call('tempFiles.info', { cid })).data)).not.toContain('127.0.0.1')
  })

  it('redirect only to nodes that store them', async () => {
    const cid = await file('c')
    const answer = await env.app.inject({
      url: `/api/v1/storage/temp_file/share/${cid}?filename=//evil.example/x&url=//evil.example`,
    })
    expect(answer.statusCode).toBe(302)
    expect(new URL(String(answer.headers.location)).host).toBe('127.0.0.1:9')
  })
})
