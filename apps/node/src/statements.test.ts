import { generateKeyPairSync, type KeyObject, randomUUID, sign, verify } from 'node:crypto'
import { type DownloadClaims, receivedText } from '@tidenet/contract'
import { describe, expect, it } from 'vitest'
import { createStatements, type Statement } from './statements.ts'

const NODE = 'e_node'
const CID = 'bafkcontent'

function client({ trace = randomUUID() as string, keys = generateKeyPairSync('ed25519') } = {}) {
  const claims: DownloadClaims = {
    typ: 'download',
    aud: NODE,
    sub: 'owner',
    cid: CID,
    tid: trace,
    rk: keys.publicKey.export({ format: 'jwk' }).x as string,
    exp: 0,
  }
  const signature = (bytes: number, { of = trace, node = NODE, cid = CID } = {}) =>
    sign(null, Buffer.from(receivedText(of, node, cid, bytes)), keys.privateKey).toString('base64url')
  return {
    claims,
    trace,
    keys,
    signature,
    statement: (bytes: number, signed = signature(bytes)): Statement => ({ claims, bytes, signature: signed }),
  }
}

describe('statements of clients', () => {
  it('are the largest of each trace', async () => {
    const statements = createStatements(NODE)
    const [one, two] = [client(), client()]
    for (const bytes of [100, 300, 200]) statements.add(one.statement(bytes))
    statements.add(two.statement(50))
    expect(await statements.take()).toEqual([one.statement(300), two.statement(50)])
  })

  it('are taken once, and again when they grow', async () => {
    const statements = createStatements(NODE)
    const { statement } = client()
    const takeAfter = async (bytes: number) => {
      statements.add(statement(bytes))
      return (await statements.take()).map((taken) => taken.bytes)
    }
    expect(await takeAfter(100)).toEqual([100])
    expect(await takeAfter(100)).toEqual([])
    expect(await takeAfter(90)).toEqual([])
    expect(await takeAfter(101)).toEqual([101])
  })

  it('are refused if another trace, node, content, number or key was signed', async () => {
    const { signature, statement, trace } = client()
    const wrong = [
      signature(1000, { of: 'other' }),
      signature(1000, { node: 'e_other' }),
      signature(1000, { cid: 'bafkother' }),
      signature(999),
      client({ trace }).signature(1000),
      'A'.repeat(86),
    ]
    for (const each of wrong) {
      const statements = createStatements(NODE)
      statements.add(statement(1000, each))
      expect(await statements.take()).toEqual([])
      // It does not stand in the way of a valid one.
      statements.add(statement(1000))
      expect(await statements.take()).toHaveLength(1)
    }
  })

  it('are refused if the key is none', async () => {
    const statements = createStatements(NODE)
    const { claims, signature } = client()
    for (const rk of ['', 'x', 'A'.repeat(43)])
      statements.add({ claims: { ...claims, tid: rk, rk }, bytes: 1, signature: signature(1) })
    expect(await statements.take()).toEqual([])
  })

  it('are not displaced by larger false ones, which come before, between or after them', async () => {
    const { claims, statement } = client()
    const wrong = (bytes: number): Statement => ({ claims, bytes, signature: 'D'.repeat(86) })
    for (const sent of [
      [statement(300), wrong(10_000)],
      [wrong(10_000), statement(300)],
      [statement(100), wrong(300), statement(300), wrong(9000), wrong(10_000), wrong(11_000)],
    ]) {
      const statements = createStatements(NODE)
      for (const one of sent) statements.add(one)
      expect(await statements.take()).toEqual([statement(300)])
    }
  })

  it('cost a few verifications per trace and report, for any number of them', async () => {
    const statements = createStatements(NODE)
    const { claims, keys, statement } = client()
    const wrong = 'B'.repeat(86)
    const taken = await cpuOf(async () => {
      for (let bytes = 1; bytes <= 10_000; bytes++) statements.add({ claims, bytes, signature: wrong })
      expect(await statements.take()).toEqual([])
    })
    const verified = await cpuOf(async () => {
      for (let each = 0; each < 1000; each++) isSigned(keys.publicKey, statement(1, wrong))
    })
    expect(taken).toBeLessThan(verified)
  })

  it('of more traces than the limit are ignored until the next report', async () => {
    const statements = createStatements(NODE)
    const { claims } = client()
    for (let each = 0; each < 20_000; each++)
      statements.add({ claims: { ...claims, tid: String(each) }, bytes: 1, signature: 'C'.repeat(86) })
    const last = client()
    statements.add(last.statement(1))
    expect(await statements.take()).toEqual([])
    statements.add(last.statement(1))
    expect(await statements.take()).toHaveLength(1)
  })
})

async function cpuOf(work: () => Promise<void>): Promise<number> {
  const before = process.cpuUsage()
  await work()
  const { user, system } = process.cpuUsage(before)
  return user + system
}

const isSigned = (key: KeyObject, { claims, bytes, signature }: Statement): boolean =>
  verify(null, Buffer.from(receivedText(claims.tid, NODE, CID, bytes)), key, Buffer.from(signature, 'base64url'))
