import { afterEach, describe, expect, it } from 'vitest'
import { isSuccess, type Result } from '../result.ts'
import { md5, sha256Hex, someBytes, startTestEnv, type TestEnv } from '../test-env.fixture.ts'
import type { UploadedAsset } from './types.ts'

let env: TestEnv
afterEach(() => env?.close())

async function setup() {
  env = await startTestEnv()
  return { env, storage: env.storage(), node: env.nodes[0]! }
}

function ok(result: Result<UploadedAsset>): UploadedAsset {
  if (!isSuccess(result)) throw new Error(`${result.code} ${result.msg} ${JSON.stringify(result.data)}`)
  return result.data
}

const SMALL = 300_000

describe('a file that the network has', () => {
  async function known(bytes: Buffer) {
    const { env, storage, node } = await setup()
    const cid = ok(await storage.uploadAsset(bytes, { name: 'first' })).cid
    node.requests.length = 0
    const usual = {
      AlreadyExists: false,
      CID: '',
      List: [{ NodeID: node.id, UploadURL: `${node.url}/uploadv2`, ResumeURL: '', Token: `up-${node.id}` }],
      AreaID: '',
      TraceID: 'trace-9',
      available_nodes: 1,
      Log: '',
      SizeKnown: true,
      Proof: null,
    }
    env.answers.set('get_upload_info', (input) =>
      input.md5 === md5(bytes)
        ? { ...usual, TraceID: 'trace-10', Proof: { id: 'p1', offset: 1000, length: 5000 } }
        : usual,
    )
    env.answers.set('upload_proof', (input) =>
      input.sha256 === sha256Hex(bytes.subarray(1000, 6000)) && input.cid === cid
        ? { AlreadyExists: true, CID: cid, proof: 'proved' }
        : { code: -1, err: 10027, msg: 'no' },
    )
    return { env, storage, node, cid, usual }
  }

  it('is added by proof of possession, and nothing is sent', async () => {
    const bytes = someBytes(SMALL)
    const { env, storage, node, cid } = await known(bytes)
    const asset = ok(await storage.uploadAsset(bytes, { name: 'again' }))
    expect(asset).toMatchObject({ cid, isFastUpload: true, nodeId: '' })
    expect(node.requests).toEqual([])
    expect(env.called('create_asset').at(-1)).toMatchObject({ proof: 'proved', asset_name: 'again', md5: md5(bytes) })
    // The server closes the trace with the upload, so that none stays open if this client never reports.
    expect(env.called('create_asset').at(-1)).toMatchObject({ trace_id: 'trace-9' })
    // One upload reserves quota once, however often it asks for nodes.
    expect(env.called('get_upload_info').at(-1)).toMatchObject({ trace_id: 'trace-9' })
  })

  it('leaves no open trace of the check or the upload', async () => {
    const bytes = someBytes(SMALL)
    const { env, storage } = await known(bytes)
    env.calls.length = 0
    ok(await storage.uploadAsset(bytes, { name: 'again' }))
    const told = env.called('report').map(({ trace_id, state }) => [trace_id, state])
    expect(told.sort()).toEqual([
      ['trace-10', 1],
      ['trace-9', 1],
    ])
  })

  it('names no trace for the server to close if bytes were sent', async () => {
    const { env, storage } = await setup()
    ok(await storage.uploadAsset(someBytes(SMALL), { name: 'new' }))
    expect(env.called('create_asset').at(-1)).not.toHaveProperty('trace_id')
  })

  it('is sent if the proof is rejected', async () => {
    const bytes = someBytes(SMALL)
    const { env, storage, node } = await known(bytes)
    env.answers.set('upload_proof', () => ({ code: -1, err: 10027, msg: 'no' }))
    expect(ok(await storage.uploadAsset(bytes, { name: 'again' })).isFastUpload).toBe(false)
    expect(node.requests).toHaveLength(1)
  })

  it('is sent if the hash matches other content', async () => {
    const bytes = someBytes(SMALL)
    const { env, storage, usual } = await known(bytes)
    env.answers.set('get_upload_info', () => ({ ...usual, AlreadyExists: true, CID: 'bafkreianother' }))
    const asset = ok(await storage.uploadAsset(bytes, { name: 'again' }))
    expect(asset.isFastUpload).toBe(false)
    expect(asset.cid).not.toBe('bafkreianother')
  })

  it('and the account too succeeds, with the existing address', async () => {
    const { storage, env } = await setup()
    env.answers.set('create_asset', () => ({ code: -1, err: 1017, msg: 'exists', data: { assetDirectUrl: 'u' } }))
    const asset = ok(await storage.uploadAsset(someBytes(SMALL), { name: 'a' }))
    expect(asset.isAlreadyExist).toBe(true)
    expect(asset.url).toContain(asset.cid)
  })
})
