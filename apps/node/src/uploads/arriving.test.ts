import type { ReportedUpload } from '@tidenet/contract'
import { decodeJwt } from 'jose'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createTestEnv, randomFile, type TestEnv } from '../test-env.fixture.ts'
import { createArriving } from './arriving.ts'
import { tusClient } from './tus-client.fixture.ts'

let env: TestEnv
beforeAll(async () => {
  env = await createTestEnv()
})
afterAll(() => env.stop())

const reported = () => env.server.of('heartbeat').flatMap((beat) => beat.uploads as ReportedUpload[])

describe('the bytes of an upload', () => {
  it('are reported with the next heartbeat, and again only when more have arrived', async () => {
    const { token, create, patch } = await tusClient(env)
    const { jti, tid } = decodeJwt<{ jti: string; tid: string }>(token)
    const { bytes } = await randomFile(300_000)
    const { path } = await create(bytes.length)
    await patch(path, 0, bytes.subarray(0, 100_000))
    await env.server.until(() => reported().length > 0)
    await patch(path, 100_000, bytes.subarray(100_000, 250_000))
    await env.server.until(() => reported().length > 1)
    expect(reported()).toEqual([
      { trace_id: tid, jti, bytes: 100_000 },
      { trace_id: tid, jti, bytes: 250_000 },
    ])
  })

  it('are reported again after a failed heartbeat, but not those of an upload that has ended meanwhile', () => {
    const arriving = createArriving()
    const [running, ended] = ['running', 'ended'].map((jti) => ({ jti, tid: `trace of ${jti}` })) as [
      { jti: string; tid: string },
      { jti: string; tid: string },
    ]
    arriving.received(running, 5)
    arriving.received(ended, 7)
    const taken = arriving.take()
    expect(taken).toHaveLength(2)
    expect(arriving.take()).toEqual([])
    arriving.received(running, 6)
    const again = arriving.take()
    arriving.received(ended, 8)
    arriving.ended(ended)
    arriving.putBack(again)
    expect(arriving.take()).toEqual([{ trace_id: 'trace of running', jti: 'running', bytes: 6 }])
  })
})
