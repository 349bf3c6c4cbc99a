import { randomUUID } from 'node:crypto'
import { rawCid } from '@tidenet/content/cid'
import { decodeJwt, SignJWT } from 'jose'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { sql } from '../../platform/db/sql.ts'
import { setup, type TestEnv } from '../../test-env.fixture.ts'

let env: TestEnv
type Node = Awaited<ReturnType<TestEnv['node']>>
let node: Node
beforeAll(async () => {
  env = await setup()
  node = await env.node()
})
afterAll(() => env.close())

const newCid = async () => (await rawCid(new TextEncoder().encode(randomUUID()))).toString()
const deliver = (receipts: string[], by: { token: string } = node) => env.call('nodeControl.receipts', { receipts }, by)
const contentOf = (cid: string) =>
  env.db.maybe<{ size: number; stored: number; kind: string; check_at: Date | null }>(
    sql`select size, stored, kind, check_at from contents where cid = ${cid}`,
  )
const received = async (person: { id: number }) =>
  (await env.db.maybe<{ received: number }>(sql`select received from usage_hours where user_id = ${person.id}`))
    ?.received ?? 0

describe('a receipt', () => {
  it('stores content, replica and usage, and schedules placement', async () => {
    const person = await env.person()
    const cid = await newCid()
    const { data } = await deliver([await node.receipt({ sub: person.uid, cid, size: 10 })])
    expect(data.accepted).toBe(1)
    expect(await contentOf(cid)).toMatchObject({ size: 10, stored: 1, kind: 'file', check_at: expect.any(Date) })
    expect(await env.db.rows(sql`select node_id, state from replicas where cid = ${cid}`)).toEqual([
      { node_id: node.id, state: 'stored' },
    ])
    expect(await received(person)).toBe(10)
  })

  it('counts once when it is repeated', async () => {
    const person = await env.person()
    const cid = await newCid()
    const receipt = await node.receipt({ sub: person.uid, cid, size: 10 })
    const answers = await Promise.all(Array.from({ length: 20 }, () => deliver([receipt])))
    expect(answers.every((answer) => answer.data.accepted === 1)).toBe(true)
    expect(await received(person)).toBe(10)
    expect(await contentOf(cid)).toMatchObject({ stored: 1 })
  })

  it('creates one content with fifty replicas when fifty nodes deliver at once', async () => {
    const person = await env.person()
    const cid = await newCid()
    const nodes = await Promise.all(Array.from({ length: 50 }, () => env.node()))
    await Promise.all(
      nodes.map(async (each) => deliver([await each.receipt({ sub: person.uid, cid, size: 10 })], each)),
    )
    expect(await contentOf(cid)).toMatchObject({ stored: 50 })
  })

  it('stores the content of an anonymous upload without an account', async () => {
    const cid = await newCid()
    expect((await deliver([await node.receipt({ sub: 'temp:x', cid, size: 10 })])).data.accepted).toBe(1)
    expect(await contentOf(cid)).toMatchObject({ size: 10 })
  })

  it('is accepted a day late', async () => {
    const cid = await newCid()
    const receipt = await node.receipt({ sub: 'temp:x', cid, size: 10 })
    env.pass(24 * 3600 * 1000)
    const fresh = await env.call('nodeControl.receipts', { receipts: [receipt] }, { token: (await renewed()).token })
    expect(fresh.data.accepted).toBe(1)
  })

  it('is not accepted if it contradicts the size or kind of the content', async () => {
    const cid = await newCid()
    await deliver([await node.receipt({ sub: 'temp:x', cid, size: 10 })], await renewed())
    const other = await env.node()
    for (const lie of [{ size: 11 }, { size: 10, kind: 'folder' as const }]) {
      const { code, data } = await deliver([await other.receipt({ sub: 'temp:x', cid, ...lie })], other)
      expect([code, data.accepted]).toEqual([0, 0])
    }
    expect(await contentOf(cid)).toMatchObject({ size: 10, stored: 1 })
  })

  it('is not accepted if older than a week, or from the future', async () => {
    for (const off of [8 * 24 * 3600 * 1000, -3600 * 1000]) {
      const cid = await newCid()
      const receipt = await node.receipt({ sub: 'temp:x', cid, size: 1 })
      env.pass(off)
      expect((await deliver([receipt], await renewed())).data.accepted).toBe(0)
      env.pass(-off)
      expect(await contentOf(cid)).toBeUndefined()
    }
  })

  it('is refused if another node delivers it, signed it or is named in it', async () => {
    const other = await env.node()
    const cid = await newCid()
    const mine = await node.receipt({ sub: 'temp:x', cid, size: 10 })
    expect((await deliver([mine], other)).err).toBe(1021)
    const theirs = await other.receipt({ sub: 'temp:x', cid, size: 10, iss: node.id })
    expect((await deliver([theirs], await renewed())).err).toBe(1021)
    const inItsName = await node.receipt({ sub: 'temp:x', cid, size: 10, iss: other.id })
    expect((await deliver([inItsName], await renewed())).err).toBe(1021)
    expect(await contentOf(cid)).toBeUndefined()
  })

  it('is refused if it was changed, is unsigned, or names another algorithm', async () => {
    const cid = await newCid()
    const [head, , signature] = (await node.receipt({ sub: 'temp:x', cid, size: 10 })).split('.')
    const payload = Buffer.from(
      JSON.stringify({
        typ: 'stored',
        iss: node.id,
        sub: 'temp:x',
        tid: '',
        jti: 'j',
        cid,
        kind: 'file',
        size: 99,
        blocks: 1,
        iat: 0,
      }),
    ).toString('base64url')
    const none = Buffer.from('{"alg":"none"}').toString('base64url')
    const hmac = await new SignJWT({}).setProtectedHeader({ alg: 'HS256' }).sign(Buffer.from('x'.repeat(32)))
    for (const forged of [
      `${head}.${payload}.${signature}`,
      `${none}.${payload}.`,
      `${head}.${payload}.`,
      hmac,
      'x',
      '..',
    ])
      expect((await deliver([forged], await renewed())).err).toBe(1021)
    expect(await contentOf(cid)).toBeUndefined()
  })

  it.each([
    { size: -1 },
    { size: 10 ** 60 },
    { size: 0.5 },
    { blocks: -1 },
    { cid: "x'; drop table contents; --" },
    { sub: '' },
    { jti: 'x'.repeat(500) },
  ])('is refused with %j although the node signed it', async (wrong) => {
    const receipt = await signedAs(node, { sub: 'temp:x', cid: await newCid(), size: 1, ...wrong })
    expect((await deliver([receipt], await renewed())).err).toBe(1021)
  })

  it('changes nothing if it is known already, whoever signed it', async () => {
    const person = await env.person()
    const cid = await newCid()
    const good = await node.receipt({ sub: person.uid, cid, size: 10 })
    expect((await deliver([good], await renewed())).data.accepted).toBe(1)
    const unsigned = good.replace(/[^.]*$/, '')
    await deliver([unsigned], await renewed())
    expect(await received(person)).toBe(10)
    expect(await contentOf(cid)).toMatchObject({ stored: 1 })
  })

  it('is not accepted if its token is that of another one in the batch', async () => {
    const person = await env.person()
    const upload = { sub: person.uid, jti: randomUUID(), size: 10 }
    const first = await node.receipt({ ...upload, cid: await newCid() })
    const { tid } = decodeJwt<{ tid: string }>(first)
    const more = [await newCid(), await newCid()]
    const others = await Promise.all(more.map((cid) => node.receipt({ ...upload, cid, tid })))
    expect((await deliver([first, ...others], await renewed())).data.accepted).toBe(1)
    expect(await received(person)).toBe(10)
    for (const cid of more) expect(await contentOf(cid)).toBeUndefined()
  })

  it('is not accepted in a batch with a forged one', async () => {
    const cid = await newCid()
    const good = await node.receipt({ sub: 'temp:x', cid, size: 10 })
    expect((await deliver([good, 'forged'], await renewed())).err).toBe(1021)
    expect(await contentOf(cid)).toBeUndefined()
  })

  it('is refused from users', async () => {
    expect((await deliver(['x'], await env.person())).code).toBe(401)
  })
})

/** The node with a current token, because tests move the clock. */
async function renewed(): Promise<{ token: string }> {
  const { nodeToken } = await import('../../network/nodes/node-session.ts')
  return { token: await nodeToken(env.context, node.id) }
}

/** A receipt with claims that the helper's types do not allow. */
const signedAs = (by: Node, claims: Record<string, unknown>): Promise<string> =>
  by.receipt(claims as Parameters<Node['receipt']>[0])
