import { rawCid } from '@tidenet/content/cid'
import type { ImportReason } from '@tidenet/contract'
import type { As, Person, TestEnv } from '../../test-env.fixture.ts'

export const SECRET = 'g'.repeat(64)
export const gateway = { token: SECRET }
export const HOUR = 3_600_000
export const URL_OF = 'https://source.example/file.bin'
export const cidOf = async (text: string) => (await rawCid(new TextEncoder().encode(text))).toString()

/** A server whose gateways import also from private addresses and from IPFS. */
export const SETTINGS = {
  s3GatewaySecret: SECRET,
  imports: { ipfsSources: ['https://ipfs.example'], privateToo: true },
}

/** Imports as accounts begin them and gateways do them. @param node stores what they bring */
export function sampleImports(env: () => TestEnv, node: () => Awaited<ReturnType<TestEnv['node']>>) {
  type Job = NonNullable<Awaited<ReturnType<typeof claim>>>
  const begin = async (as: As, more: { url?: string; group_id?: number } = {}) =>
    (await env().call('imports.url', { url: URL_OF, ...more }, as)).data.id
  const list = async (as: As) => (await env().call('imports.list', {}, as)).data.list
  const of = async (as: As, id: number) => (await list(as)).find((one) => one.id === id)
  const claim = async () => (await env().call('imports.claim', {}, gateway)).data.job
  /** Leases imports until this one comes; others end. */
  async function claimed(id: number): Promise<Job> {
    for (;;) {
      const job = await claim()
      if (!job) throw new Error('there is no such import')
      if (job.id === id) return job
      await finish(job, { reason: 'missing' })
    }
  }
  const progress = async ({ id, lease }: Job, received = 1) =>
    (await env().call('imports.progress', { id, lease, received }, gateway)).data
  const finish = (
    { id, lease }: Job,
    more: { reason?: ImportReason | ''; cid?: string; wrapped_bytes?: number } = {},
  ) => env().call('imports.finish', { id, lease, received: 7, reason: '', ...more }, gateway)
  const folder = async (person: Person, name = 'incoming') =>
    (await env().call('folders.create', { name }, person)).data.group.ID

  /** Stores a file as a gateway does. */
  async function store(
    person: Person,
    { token, group_id }: Pick<Job, 'token' | 'group_id'>,
    name = 'a',
    wanted?: string,
  ) {
    const info = await env().call('uploads.info', { size: 20, group_id }, { token })
    if (info.code !== 0) return info
    const cid = wanted ?? (await cidOf(`${name} ${Math.random()}`))
    const receipt = await node().receipt({ sub: person.uid, tid: info.data.TraceID, cid, size: 20 })
    const asset = { asset_name: name, asset_type: 'file' as const, asset_size: 20, asset_cid: cid, group_id, receipt }
    return { ...(await env().call('assets.create', asset, { token })), cid }
  }
  return { begin, list, of, claim, claimed, progress, finish, folder, store }
}
