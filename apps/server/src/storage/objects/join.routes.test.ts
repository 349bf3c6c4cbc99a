import { errors } from '@tidenet/contract'
import { partsDigest } from '@tidenet/daemon'
import { decodeJwt } from 'jose'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { sql } from '../../platform/db/sql.ts'
import { type As, type Person, setup, type TestEnv } from '../../test-env.fixture.ts'
import { sampleObjects } from './sample-objects.fixture.ts'

let env: TestEnv
beforeAll(async () => {
  env = await setup()
})
afterAll(() => env.close())

const { fileOf } = sampleObjects(() => env)
type Node = Awaited<ReturnType<TestEnv['node']>>
const BUCKET = 'films'

async function account(): Promise<Person> {
  const person = await env.person({ vip: true })
  await env.call('s3.createBucket', { bucket: BUCKET }, person)
  return person
}

/** An upload, with a part for each node, which has received it. */
async function uploadAt(person: Person, nodes: readonly Node[]) {
  const key = 'movie'
  const { upload_id } = (await env.call('s3Uploads.begin', { bucket: BUCKET, key }, person)).data
  const upload = { bucket: BUCKET, key, upload_id }
  const cids: string[] = []
  let size = 0
  for (const [index, node] of nodes.entries()) {
    const part = await fileOf(person.uid, '', `${upload_id} ${index}`)
    const receipt = await node.receipt({ sub: person.uid, cid: part.cid, size: part.size })
    const { cid, md5 } = part
    const put = { ...upload, number: index + 1, cid, size: part.size, md5, receipt }
    expect(await env.call('s3Uploads.putPart', put, person)).toMatchObject({ code: 0 })
    cids.push(cid)
    size += part.size
  }
  return { upload, cids, size, numbers: nodes.map((_, index) => index + 1) }
}
const join = (as: As, upload: object, parts: readonly number[]) =>
  env.call('s3Uploads.join', { ...upload, parts } as Parameters<typeof env.call<'s3Uploads.join'>>[1], as)

describe('the parts of an upload', () => {
  it('can be joined by the node that received all of them: in the order that is asked for, to exactly that size', async () => {
    const person = await account()
    const node = await env.node()
    const { upload, cids, size } = await uploadAt(person, [node, node, node])
    const { data } = await join(person, upload, [3, 1, 2])
    expect(data.node).toMatchObject({ NodeID: node.id, JoinURL: 'http://127.0.0.1:9/join' })
    expect(decodeJwt(data.node?.Token ?? '')).toMatchObject({
      typ: 'join',
      kind: 'file',
      aud: node.id,
      sub: person.uid,
      size,
      max: size,
      tid: data.TraceID,
      parts: partsDigest([2, 0, 1].map((index) => cids[index] as string)),
    })
  })

  it('reserve the quota until then, as any upload does', async () => {
    const person = await account()
    const node = await env.node()
    const { upload, size, numbers } = await uploadAt(person, [node, node])
    await env.db.run(sql`update users set storage_quota = used_bytes + ${size - 1} where id = ${person.id}`)
    expect(await join(person, upload, numbers)).toMatchObject({ code: -1, err: errors.quotaExceeded.err })
  })

  it('are not joined if two nodes have them, or the one is not there; then their bytes are sent again', async () => {
    const person = await account()
    const [one, two] = [await env.node(), await env.node()]
    const apart = await uploadAt(person, [one, two])
    expect((await join(person, apart.upload, apart.numbers)).data).toEqual({ TraceID: '', node: null })
    const together = await uploadAt(person, [two, two])
    await env.db.run(sql`update nodes set status = 'offline' where id = ${two.id}`)
    expect((await join(person, together.upload, together.numbers)).data.node).toBeNull()
  })

  it('are joined a few times only: it costs a node much and the account nothing', async () => {
    const person = await account()
    const node = await env.node()
    const { upload, numbers } = await uploadAt(person, [node, node])
    const answers: boolean[] = []
    for (let turn = 0; turn < 6; turn++) answers.push((await join(person, upload, numbers)).data.node !== null)
    expect(answers).toEqual([true, true, true, true, true, false])
  })

  it('are not joined more often by the same receipts in another upload, or in several parts', async () => {
    const person = await account()
    const node = await env.node()
    const { upload, numbers } = await uploadAt(person, [node, node])
    const { data } = await env.call('s3Uploads.parts', { ...upload }, person)
    const again = async (parts: readonly (typeof data.list)[number][]) => {
      const { upload_id } = (await env.call('s3Uploads.begin', { bucket: BUCKET, key: 'movie' }, person)).data
      for (const [index, { etag, modified: _, ...part }] of parts.entries()) {
        const put = { ...part, ...upload, upload_id, number: index + 1, md5: etag }
        expect(await env.call('s3Uploads.putPart', put, person)).toMatchObject({ code: 0 })
      }
      const all = parts.map((_, index) => index + 1)
      return (await join(person, { ...upload, upload_id }, all)).data.node
    }
    const [first] = data.list
    if (!first) throw new Error('the upload has no parts')
    expect(await again([first, first])).toBeNull()
    for (let turn = 0; turn < 3; turn++) expect((await join(person, upload, numbers)).data.node).not.toBeNull()
    for (const isJoined of [true, true, false, false]) expect((await again(data.list)) !== null).toBe(isJoined)
  })

  it('are refused to others, with a part that is not there, and with a blocked one', async () => {
    const [person, other] = [await account(), await account()]
    const node = await env.node()
    const { upload, cids, numbers } = await uploadAt(person, [node, node])
    expect(await join(other, upload, numbers)).toMatchObject({ code: -1, err: errors.notFound.err })
    const adds = { token: await env.key(person, ['createFile']) }
    expect(await join(adds, upload, numbers)).toMatchObject({ code: -1, err: errors.notFound.err })
    expect(await join(person, upload, [1, 2, 3])).toMatchObject({ code: -1, err: errors.notFound.err })
    expect(await join(person, { ...upload, key: 'another' }, numbers)).toMatchObject({ err: errors.notFound.err })
    const blocked = { cid: cids[0] as string, category: 'malware' as const, reason: 'a test' }
    expect(await env.call('admin.block', blocked, await env.person({ role: 'operator' }))).toMatchObject({ code: 0 })
    expect(await join(person, upload, numbers)).toMatchObject({ code: -1, err: errors.contentBlocked.err })
  })
})

describe('uploads with the same word', () => {
  const firstOf = async (person: Person, gather: string) => {
    const files = [{ item: 0, size: 1000 }]
    const { data } = await env.call('folderUploads.info', { name: 'part', gather, files }, person)
    return data.nodes[data.list[0]?.tokens[0]?.node ?? -1]?.NodeID
  }

  it('go to the same node, others to any', async () => {
    const person = await account()
    for (let index = 0; index < 6; index++) await env.node()
    const same = new Set<string | undefined>()
    const others = new Set<string | undefined>()
    for (let turn = 0; turn < 12; turn++) {
      same.add(await firstOf(person, 'an upload'))
      others.add(await firstOf(person, `upload ${turn}`))
    }
    expect(same.size).toBe(1)
    expect(others.size).toBeGreaterThan(1)
  })

  it('go to nodes that nobody can choose by a word: it means others for another account', async () => {
    const [person, other] = [await account(), await account()]
    for (let index = 0; index < 6; index++) await env.node()
    const words = Array.from({ length: 12 }, (_, index) => `word ${index}`)
    const nodesOf = async (as: Person) => {
      const nodes: (string | undefined)[] = []
      for (const word of words) nodes.push(await firstOf(as, word))
      return nodes
    }
    expect(await nodesOf(person)).not.toEqual(await nodesOf(other))
  })
})
