import { createPublicKey } from 'node:crypto'
import { receiptClaims } from '@tidenet/contract'
import { compactVerify } from 'jose'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createWorld, randomFile, upload, type World } from '../world.ts'

let world: World
beforeAll(async () => {
  world = await createWorld()
})
afterAll(() => world.stop())

describe('an upload of a file', () => {
  it.each([1, 262_144, 262_145, 3_000_000, 50_000_000])(
    'of %i bytes is stored under its CID, with a receipt',
    async (size) => {
      const node = await world.start()
      const { bytes, cid } = await randomFile(size)
      const answer = await upload(world, node, bytes, { sub: 'u7', tid: 't7', jti: `j${size}` })
      expect(answer).toMatchObject({ status: 200, code: 0, err: 0, msg: '', cid })
      const registered = world.server.calls.find((call) => call.operation === 'register' && call.node === node.id)
      const key = createPublicKey({
        key: { kty: 'OKP', crv: 'Ed25519', x: String(registered?.body.public_key) },
        format: 'jwk',
      })
      const { payload } = await compactVerify(answer.receipt ?? '', key)
      expect(receiptClaims.parse(JSON.parse(Buffer.from(payload).toString()))).toMatchObject({
        iss: node.id,
        sub: 'u7',
        tid: 't7',
        jti: `j${size}`,
        cid,
        kind: 'file',
        size,
      })
      expect(world.server.of('receipts').at(-1)).toEqual({ receipts: [answer.receipt] })
    },
  )
})
