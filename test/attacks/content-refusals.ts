import { createHash, generateKeyPairSync, sign } from 'node:crypto'
import {
  ACCELERATIONS_MAX,
  CERTIFICATES_PER_DAY,
  certificateText,
  EDGES_PER_NETWORK_DAY,
  FREE_FOLDERS,
  GiB,
  LINK_EMAILS_MAX,
  PUBLICATIONS_MAX,
  SHORT_LINKS_MAX,
} from '@tidenet/contract'
import { nodeLabelOf } from '@tidenet/daemon'
import { createCertificateRequest } from '../../apps/node/src/reach/certificate-request.ts'
import { sampleRegistration, signedBy } from '../../apps/server/src/network/control/sample-registration.fixture.ts'
import { nodeToken } from '../../apps/server/src/network/nodes/node-session.ts'
import { sql } from '../../apps/server/src/platform/db/sql.ts'
import { issueReceipt } from '../../apps/server/src/platform/transparency-log/issue.ts'
import { sampleFile, sampleFiles } from '../../apps/server/src/storage/assets/sample-files.fixture.ts'
import { OPEN_PER_ACCOUNT } from '../../apps/server/src/storage/grants/grants.ts'
import type { As, Person, TestEnv } from '../../apps/server/src/test-env.fixture.ts'
import { cn, newNetwork, unknownCid } from './refused.ts'

/** Inserts upload grants, of an account or a client network, to which nothing was sent yet. */
export const openUploads = (
  { db, clock }: Pick<TestEnv, 'db' | 'clock'>,
  who: { id: number; uid: string } | { ip: string },
  count: number,
) =>
  db.run(sql`
    insert into upload_grants (trace_id, account, user_id, network, kind, max_bytes, nodes, tokens, reserved, open_until, created_at)
    select 'open ' || i, ${'uid' in who ? who.uid : 'temp:x'}, ${'id' in who ? who.id : null}, ${'ip' in who ? who.ip : null}, 'file', 1,
      '{}', '{}', 0, ${new Date(clock.now() + 60_000)}, ${new Date(clock.now())}
    from generate_series(1, ${count}::int) i`)

/** Provokes each refusal of folders, files, thumbnails, shares and anonymous files. */
export function contentRefusals(env: () => TestEnv, node: () => Awaited<ReturnType<TestEnv['node']>>) {
  /** A shared file, and calls of a visitor. */
  async function shared(person: Person, more: { short_pass?: string } = {}) {
    const { cid } = await sampleFile(env().db, person.id, { nodes: [node()] })
    const { data } = await env().call('shares.create', { cid, ...more }, person)
    await env().call('shares.setStatus', { cid }, person)
    const open = (input: object = {}, as: As = newNetwork()) =>
      env().call('downloads.open', { user_id: person.uid, asset_cid: cid, ...input }, as)
    const check = (password: string, as: As = newNetwork()) =>
      env().call('shares.check', { cid, username: person.uid, password }, as)
    return { cid, id: data.id, open, check }
  }

  async function anonymous() {
    const cid = await unknownCid()
    const receipt = await node().receipt({ sub: 'temp:x', cid, size: 10 })
    const create = () =>
      env().call('tempFiles.create', { asset_name: 'a', asset_size: 10, asset_cid: cid, receipt }, newNetwork())
    await create()
    return { cid, create }
  }

  /** Registers a node without a join token, with this time. */
  const register = async (time: number, kind: 'candidate' | 'edge' = 'candidate', as: As = cn) => {
    const { publicKey, privateKey } = generateKeyPairSync('ed25519')
    const public_key = publicKey.export({ format: 'jwk' }).x as string
    const [area_id, url] = ['Europe-Germany-Hesse-Frankfurt', 'http://127.0.0.1:9']
    const text = ['tidenet-register', public_key, kind, area_id, url, time].join('\n')
    const signature = sign(null, Buffer.from(text), privateKey).toString('base64url')
    const rest = { version: '1', latitude: 0, longitude: 0, cpu_cores: 1, memory: 1, capacity: 1 }
    return env().call('nodeControl.register', { public_key, kind, area_id, url, time, signature, ...rest }, as)
  }

  /** While nodes have names. */
  const withZone = async <T>(run: () => Promise<T>): Promise<T> => {
    const { config } = env().context
    const before = config.names
    Object.assign(config, { names: { ...before, zone: 'nodes.localhost', tls: 'acme' } })
    try {
      return await run()
    } finally {
      Object.assign(config, { names: before })
    }
  }
  const registered = async () => {
    const node = sampleRegistration(env())
    const { node_id } = (await env().call('nodeControl.register', node.input)).data
    return { ...node, node_id }
  }
  /** A node asks for a certificate, with its own request or another one. */
  const certificate = async (
    node: Awaited<ReturnType<typeof registered>>,
    other?: string,
    time = env().clock.now(),
  ) => {
    const key = node.input.public_key
    const name = `*.${nodeLabelOf(key)}.nodes.localhost`
    const own = createCertificateRequest(name, generateKeyPairSync('ec', { namedCurve: 'P-256' }))
    const csr = other ?? own.toString('base64url')
    const signature = signedBy(certificateText(key, csr, time), node.keys.privateKey)
    const token = await nodeToken(env().context, node.node_id)
    return env().call('nodeControl.certificate', { csr, time, signature }, { ...cn, token })
  }

  /** Binds a new node with its signature of a code that nobody has. */
  async function bind(more: { node_id?: string }, first?: (node: string) => Promise<unknown>) {
    const node = sampleRegistration(env())
    const { node_id } = (await env().call('nodeControl.register', node.input)).data
    await first?.(node_id)
    const hash = `own_${'A'.repeat(22)}`
    const digest = createHash('sha256').update(hash).digest()
    const signature = sign(null, digest, node.keys.privateKey).toString('hex')
    return env().call('devices.binding', { hash, signature, node_id, ...more }, cn)
  }

  return {
    badThumbnail: async (as: As, person: Person) => {
      const { cid } = await sampleFile(env().db, person.id)
      return env().call('thumbnails.keep', { cid, image: 'PHN2Zy8+' }, as)
    },
    receiptPending: async (as: As, { uid }: Person) => {
      const stated = { kind: 'upload', sub: uid, cid: await unknownCid(), type: 'file', size: 1 } as const
      return env().call('receipts.get', { id: await issueReceipt(env().db, stated, new Date()) }, as)
    },
    folderUnknown: (as: As) => env().call('folders.list', { parent: 2_000_000_000 }, as),
    folderNotEmpty: async (as: As) => {
      const { data } = await env().call('folders.create', { name: 'f' }, as)
      await env().call('folders.create', { name: 'inside', parent: data.group.ID }, as)
      return env().call('folders.remove', { group_id: data.group.ID, force: false }, as)
    },
    accelerationPlan: async (as: As, person: Person) => {
      const { cid } = await sampleFile(env().db, person.id)
      return env().call('acceleration.set', { cid, on: true }, as)
    },
    tooManyAccelerated: async () => {
      const owner = await env().person({ vip: true })
      const at = new Date(env().clock.now())
      await env().db.run(sql`
        insert into accelerations (user_id, folder_id, started_at, check_at)
        select ${owner.id}, i, ${at}, ${new Date(at.getTime() + 1e9)} from generate_series(1, ${ACCELERATIONS_MAX}::int) i`)
      const { cid } = await sampleFile(env().db, owner.id)
      return env().call('acceleration.set', { cid, on: true }, { ...cn, token: owner.token })
    },
    tooManyFolders: async (as: As) => {
      const paths = Array.from({ length: FREE_FOLDERS }, (_, folder) => `f${folder}`)
      await env().call('folderUploads.folders', { paths }, as)
      return env().call('folders.create', { name: 'one more' }, as)
    },
    moveIntoSelf: async (as: As) => {
      const { ID } = (await env().call('folders.create', { name: 'f' }, as)).data.group
      return env().call('folders.move', { group_id: ID, target_group_id: ID }, as)
    },
    moveRoot: (as: As) => env().call('folders.remove', { group_id: 0 }, as),
    moveSame: async (as: As) => {
      const { ID } = (await env().call('folders.create', { name: 'f' }, as)).data.group
      return env().call('folders.move', { group_id: ID, target_group_id: 0 }, as)
    },

    assetUnknown: async (as: As) => env().call('assets.remove', { asset_cid: await unknownCid() }, as),
    assetExists: async (as: As, person: Person) => {
      const { cid } = await sampleFile(env().db, person.id)
      return env().call('assets.create', { asset_name: 'x', asset_type: 'file', asset_size: 20, asset_cid: cid }, as)
    },
    nameTaken: async (as: As, person: Person) => {
      await sampleFile(env().db, person.id, { name: 'taken' })
      const input = { asset_name: 'taken', asset_type: 'file', asset_size: 20, asset_cid: await unknownCid() } as const
      return env().call('assets.create', { ...input, on_conflict: 'fail' }, as)
    },
    emptyFile: (as: As) => env().call('uploads.info', { size: 0 }, as),
    fileExpired: async (as: As, person: Person) => {
      const { cid } = await sampleFile(env().db, person.id, { expires: new Date(env().clock.now() - 1000) })
      return env().call('downloads.own', { asset_cid: cid }, as)
    },
    contentRestoring: async (as: As, person: Person) => {
      const { cid } = await sampleFile(env().db, person.id)
      const at = new Date(env().clock.now())
      await env().db.run(sql`insert into third_party_contents (cid, check_at) values (${cid}, ${at})`)
      await env().db.run(sql`
        insert into third_party_replicas (cid, size, kind, provider, adapter, slot, state, created_at, updated_at, expected_at, stored_at, next_at)
        values (${cid}, 20, 'file', 'kubo', 'kubo', 0, 'stored', ${at}, ${at}, ${at}, ${at}, ${at})`)
      return env().call('downloads.own', { asset_cid: cid }, as)
    },
    contentBlocked: async (as: As, person: Person) => {
      const { cid } = await sampleFile(env().db, person.id, { nodes: [node()] })
      const token = (await env().person({ role: 'operator' })).token
      await env().call('admin.block', { cid, category: 'malware', reason: 'test' }, { token })
      return env().call('downloads.own', { asset_cid: cid }, as)
    },
    reportTarget: () =>
      env().call('abuse.report', { target: 'hello', category: 'other', text: 'x' }, { lang: 'cn', ip: '10.77.0.1' }),
    objectionAnswered: async (as: As, person: Person) => {
      const { cid } = await sampleFile(env().db, person.id)
      const at = new Date(env().clock.now())
      await env().db.run(sql`
        insert into blocked_owners (user_id, cid, name, category, told_at, objected_at, answered_at, answer)
        values (${person.id}, ${cid}, 'a', 'other', ${at}, ${at}, ${at}, 'no')`)
      return env().call('abuse.object', { cid, text: 'again' }, as)
    },
    nodesOffline: async (as: As, person: Person) => {
      const { cid } = await sampleFile(env().db, person.id)
      return env().call('downloads.own', { asset_cid: cid }, as)
    },
    downloadQuotaExceeded: async () => {
      const person = await env().person({ downloadQuota: 0 })
      const { cid } = await sampleFile(env().db, person.id, { nodes: [node()] })
      return env().call('downloads.own', { asset_cid: cid }, { ...cn, token: person.token })
    },
    visitorTrafficUsedUp: async (_: As, person: Person) => {
      const { open } = await shared(person)
      const network = newNetwork()
      const visit = () => open({ preview: true }, network)
      const { data } = await visit()
      await env().db.run(sql`update traces set node_bytes = ${10 * GiB} where id = ${data.trace_id}`)
      return visit()
    },
    quotaExceeded: (as: As) => env().call('uploads.info', { size: 10 ** 12 }, as),
    tooManyUploads: async (as: As, person: Person) => {
      await openUploads(env(), person, OPEN_PER_ACCOUNT)
      return env().call('uploads.info', { size: 1 }, as)
    },
    noArea: (as: As) => env().call('uploads.info', { area_id: ['Atlantis'] }, as),
    noNode: async () => {
      const person = await env().person({ storageQuota: 10 ** 15 })
      return env().call('uploads.info', { size: 10 ** 14 }, { ...cn, token: person.token })
    },
    proofFailed: async (as: As) =>
      env().call('uploads.prove', { id: 'unknown', cid: await unknownCid(), sha256: '0'.repeat(64) }, as),
    nodeSignature: async (as: As) => {
      const receipt = `${(await node().receipt({ sub: 'x', cid: await unknownCid(), size: 1 })).slice(0, -9)}AAAAAAAAA`
      const input = {
        asset_name: 'x',
        asset_type: 'file' as const,
        asset_size: 1,
        asset_cid: await unknownCid(),
        receipt,
      }
      return env().call('assets.create', input, as)
    },
    deviceUnknown: () => bind({ node_id: 'e_nowhere' }),
    deviceBound: async () => {
      const { id } = await env().person()
      return bind({}, (node) => env().db.run(sql`update nodes set owner_id = ${id} where id = ${node}`))
    },
    ownerCodeUnknown: () => bind({}),
    joinRefused: () => register(env().clock.now()),
    notContained: async () => {
      const { cid } = await sampleFile(env().db, (await env().person()).id)
      const token = (await env().node()).token
      return env().call('nodeControl.contains', { cid, blocks: ['AAAA'], blocked: cid }, { lang: 'cn', token })
    },
    nodeClock: () => register(env().clock.now() - 3_600_000),
    tooManyEdges: async () => {
      const join = () => register(env().clock.now(), 'edge', { ...cn, ip: '198.18.0.1' })
      for (let edge = 0; edge < EDGES_PER_NETWORK_DAY; edge++) await join()
      return join()
    },
    zoneMissing: async () => {
      const { token } = await env().node()
      return env().call('nodeControl.relays', {}, { ...cn, token })
    },
    certificateRequest: () => withZone(async () => certificate(await registered(), 'AAAA')),
    certificateReplayed: () =>
      withZone(async () => {
        const node = await registered()
        const time = env().clock.now()
        await certificate(node, undefined, time)
        return certificate(node, undefined, time)
      }),
    tooManyCertificates: () =>
      withZone(async () => {
        const node = await registered()
        const label = nodeLabelOf(node.input.public_key)
        const times = Array(CERTIFICATES_PER_DAY).fill(new Date(env().clock.now()))
        await env().db.run(sql`
          insert into node_certificates (label, issued_at, last_at) values (${label}, ${times}, ${times[0]})`)
        return certificate(node)
      }),
    relayRefused: () =>
      withZone(async () => {
        const { node_id } = await registered()
        const token = await nodeToken(env().context, node_id)
        return env().call('nodeControl.relays', { serves: { address: '127.0.0.1', port: 443 } }, { ...cn, token })
      }),
    inventoryTooLarge: async () => {
      const { id, token } = await env().node()
      await env().db.run(sql`
        insert into inventory_runs (node_id, named, most, runs, since) values (${id}, 10000, 10000, 1, ${new Date(env().clock.now())})`)
      return env().call('nodeControl.inventory', { cids: ['a'], first: false, last: true }, { ...cn, token })
    },

    tempTooLarge: () => env().call('tempFiles.uploadInfo', { size: 10 ** 9 }, newNetwork()),
    tempUploads: async () => {
      const { cid, create } = await anonymous()
      await env().db.run(sql`update temp_files set shares = 59 where cid = ${cid}`)
      return create()
    },
    tempDownloads: async () => {
      const { cid } = await anonymous()
      await env().db.run(sql`update temp_files set downloads = 20 where cid = ${cid}`)
      return env().call('tempFiles.download', { cid }, newNetwork())
    },

    linkExists: async (as: As, person: Person) => {
      const { cid } = await shared(person)
      return env().call('shares.create', { cid }, as)
    },
    publicationEncrypted: async (as: As, person: Person) => {
      const { cid } = await sampleFile(env().db, person.id)
      await env().db.run(sql`update assets set encrypted = true where user_id = ${person.id}`)
      return env().call('publications.create', { cid }, as)
    },
    publicationUnproven: async (as: As, person: Person) => {
      const { cid } = await sampleFile(env().db, person.id)
      await env().db.run(sql`update assets set restricted_to = ${['e_1']} where user_id = ${person.id}`)
      return env().call('publications.create', { cid }, as)
    },
    folderUnpublishable: async (as: As) => {
      const { data } = await env().call('folders.create', { name: 'empty' }, as)
      return env().call('publications.createFolder', { folder_id: data.group.ID }, as)
    },
    tooManyPublications: async (as: As, person: Person) => {
      await sampleFiles(env().db, person.id, PUBLICATIONS_MAX)
      await env().db.run(sql`
        insert into publications (user_id, asset_id, cid, created_at, next_at)
        select user_id, id, cid, now(), now() from assets where user_id = ${person.id}`)
      const { cid } = await sampleFile(env().db, person.id)
      return env().call('publications.create', { cid }, as)
    },
    tooManyLinks: async (as: As, person: Person) => {
      const { cid } = await shared(person)
      await env().db.run(sql`
        insert into short_links (id, user_id, token_hash, token, folder_id, created_at, updated_at)
        select ${person.uid} || i, ${person.id}, sha256((${person.uid} || i)::bytea), '', 1, now(), now()
        from generate_series(1, ${SHORT_LINKS_MAX}::int) i`)
      return env().call('shortLinks.create', { cid }, as)
    },
    linkEmailRequired: async (_: As, person: Person) => {
      const { cid } = await shared(person)
      const { data } = await env().call('shortLinks.create', { cid, emails: ['reader@mail.test'] }, person)
      return env().call('shortLinks.open', { token: data.url.split('/').at(-1) ?? '' }, newNetwork())
    },
    tooManyLinkEmails: async (as: As, person: Person) => {
      const { cid } = await shared(person)
      const emails = Array.from({ length: LINK_EMAILS_MAX + 1 }, (_, index) => `reader${index}@mail.test`)
      return env().call('shortLinks.create', { cid, emails }, as)
    },
    uploadLinkTarget: async (as: As, person: Person) => {
      const { cid } = await shared(person)
      return env().call('shortLinks.create', { cid, upload_files: 1, upload_bytes: 1 }, as)
    },
    uploadLinkEnded: () => env().call('uploadLinks.begin', { ticket: 'unknown', size: 1 }, newNetwork()),
    uploadLinkFull: async (_: As, person: Person) => {
      const { data: made } = await env().call('folders.create', { name: 'inbox', parent: 0 }, person)
      const limits = { upload_files: 1, upload_bytes: 10 }
      const { data } = await env().call('shortLinks.create', { cid: String(made.group.ID), ...limits }, person)
      const opened = await env().call('shortLinks.open', { token: data.url.split('/').at(-1) ?? '' }, newNetwork())
      return env().call('uploadLinks.begin', { ticket: opened.data.ticket, size: 11 }, newNetwork())
    },
    linkNotYours: async (as: As) => {
      const { id } = await shared(await env().person())
      return env().call('shares.revoke', { id }, as)
    },
    userIdMissing: async () => env().call('downloads.open', { asset_cid: await unknownCid() }, newNetwork()),
    shareExpired: async (_: As, person: Person) => {
      const { cid, open } = await shared(person)
      await env().db.run(sql`update links set expires_at = ${new Date(env().clock.now() - 1)} where target = ${cid}`)
      return open()
    },
    sharePassRequired: async (_: As, person: Person) => (await shared(person, { short_pass: 'abc123' })).open(),
    sharePassWrong: async (_: As, person: Person) => (await shared(person, { short_pass: 'abc123' })).check('wrong1'),
    sharePassLocked: async (_: As, person: Person) => {
      const { check } = await shared(person, { short_pass: 'abc123' })
      const from = newNetwork()
      for (let guess = 0; guess < 5; guess++) await check('wrong1', from)
      return check('wrong1', from)
    },
    shareLimit: async (_: As, person: Person) => {
      const { cid, open } = await shared(person)
      await env().db.run(sql`update assets set downloads = 10 where cid = ${cid}`)
      return open()
    },
  }
}
