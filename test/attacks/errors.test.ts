import { request } from 'node:http'
import { rawCid } from '@tidenet/content/cid'
import { contract, type ErrorKey, errors, errorText, type Facts, type Lang } from '@tidenet/contract'
import type { InjectOptions } from 'fastify'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createWorld, form, type World as NodeWorld } from '../../apps/node/src/world.ts'
import { sampleFile } from '../../apps/server/src/assets/sample-files.ts'
import { sql } from '../../apps/server/src/db/sql.ts'
import { lastCode } from '../../apps/server/src/mail/inbox.ts'
import { type As, type Person, setup, type World } from '../../apps/server/src/world.ts'

/** Every refusal there is can be met: by a call to the server, by a request to a node, or on the page for dead links. */

let world: World
let nodes: NodeWorld
let node: Awaited<ReturnType<World['node']>>
beforeAll(async () => {
  world = await setup()
  nodes = await createWorld()
  node = await world.node()
})
afterAll(async () => {
  await world.close()
  await nodes.stop()
})

interface Refused {
  code?: number
  err?: number
  msg?: string
}
type Provoke = (as: As, person: Person) => Promise<Refused>

const PASSWORD = 'tide-Net9'
let count = 0
const cn = { lang: 'cn' } as const
const address = () => `nobody${++count}@mail.test`
const place = () => ({ ...cn, ip: `10.9.${++count >> 8}.${count & 255}` })
const lead = { kind: 'contact', name: 'Ann', email: 'ann@mail.test', text: 'Hello' } as const
const unknownCid = async () => (await rawCid(new TextEncoder().encode(`unknown ${++count}`))).toString()
const raw = async (options: InjectOptions) =>
  (await world.app.inject({ ...options, headers: { lang: 'cn', ...options.headers } })).json() as Refused

const askCode = (username: string, type = 1) => world.call('accounts.verifyCode', { username, type }, place())
const register = (username: string, verify_code: string, password = PASSWORD) =>
  world.call('accounts.register', { username, verify_code, password }, place())
const signIn = (username: string, password: string, as: As = place()) =>
  world.call('accounts.login', { username, password }, as)

/** A file with a link; somebody else asks for it. */
async function shared(person: Person, more: { short_pass?: string } = {}) {
  const { cid } = await sampleFile(world.db, person.id, { nodes: [node] })
  const { data } = await world.call('shares.create', { cid, ...more }, person)
  await world.call('shares.setStatus', { cid }, person)
  const open = (input: object = {}) =>
    world.call('downloads.open', { user_id: person.uid, asset_cid: cid, ...input }, place())
  const check = (password: string, as: As = place()) =>
    world.call('shares.check', { cid, username: person.uid, password }, as)
  return { cid, id: data.id, open, check }
}

async function anonymous() {
  const cid = await unknownCid()
  const receipt = await node.receipt({ sub: 'temp:x', cid, size: 10 })
  const create = () =>
    world.call('tempFiles.create', { asset_name: 'a', asset_size: 10, asset_cid: cid, receipt }, place())
  await create()
  return { cid, create }
}

async function onNode(path: string, init: RequestInit = {}): Promise<Refused> {
  const at = await nodes.start()
  const token = await nodes.server.uploadToken(at.id, { max: 1000 })
  const headers = { authorization: `Bearer ${token}`, lang: 'cn', ...init.headers }
  return (await fetch(at.url + path, { method: 'POST', ...init, headers })).json() as Promise<Refused>
}

/** All places of a node are taken by uploads that do not go on, and as many wait as may. */
async function busyNode(): Promise<Refused> {
  const at = await nodes.start()
  const token = await nodes.server.uploadToken(at.id)
  const headers = { authorization: `Bearer ${token}`, lang: 'cn', 'content-type': 'multipart/form-data; boundary=x' }
  const waiting = Array.from({ length: 105 }, () => {
    const upload = request(`${at.url}/uploadv2`, {
      method: 'POST',
      headers: { ...headers, 'content-length': 1000 },
      agent: false,
    })
    upload.on('error', () => {})
    upload.write('--x\r\n')
    return upload
  })
  try {
    for (;;) {
      const answer = await fetch(`${at.url}/uploadv2`, {
        method: 'POST',
        headers,
        body: '--x',
        signal: AbortSignal.timeout(500),
      })
        .then((answer) => answer.json() as Promise<Refused>)
        .catch(() => undefined)
      if (answer) return answer
    }
  } finally {
    for (const upload of waiting) upload.destroy()
  }
}

const provoke: Record<Exclude<ErrorKey, 'shareVisitsSpent'>, Provoke> = {
  unauthorized: () => world.call('accounts.info', {}, cn),
  sessionExpired: () => world.call('accounts.info', {}, { ...cn, token: 'a.b.c' }),
  keyRejected: () => world.call('accounts.info', {}, { ...cn, token: 'tnk_unknown' }),
  notFound: async (as) => world.call('shares.get', { cid: await unknownCid() }, as),
  invalidParams: (as) => world.call('assets.list', { page_size: 1000 }, as),
  personMissing: () => world.call('leads.create', { ...lead, name: ' ' }, place()),
  textMissing: () => world.call('leads.create', { ...lead, text: ' ' }, place()),
  textTooLong: () => world.call('leads.create', { ...lead, text: 'x'.repeat(100_000) }, place()),
  nameMissing: (as) => world.call('folders.create', { name: ' ' }, as),
  nameTooLong: (as) => world.call('folders.create', { name: 'x'.repeat(51) }, as),
  nameForbidden: (as) => world.call('folders.create', { name: 'a/b' }, as),
  twoTargets: async (as) =>
    world.call('folders.rename', { new_name: 'x', group_id: 1, asset_cid: await unknownCid() }, as),
  tooManyAreas: () => world.call('tempFiles.uploadInfo', { area_id: ['A', 'B', 'C', 'D'] }, place()),
  shortPassFormat: async (as) => world.call('shares.create', { cid: await unknownCid(), short_pass: 'x' }, as),
  expiryPast: async (as) => world.call('shares.create', { cid: await unknownCid(), expire_time: 1 }, as),
  badCid: (as) => world.call('assets.rename', { asset_cid: 'x', new_name: 'x' }, as),

  bodyNotJson: () =>
    raw({ method: 'POST', url: '/api/v1/user/login', payload: '{', headers: { 'content-type': 'application/json' } }),
  bodyTooLarge: () => raw({ method: 'POST', url: '/api/v1/user/login', payload: { username: 'x'.repeat(2_000_000) } }),
  bodyKind: () =>
    raw({ method: 'POST', url: '/api/v1/user/login', payload: 'x', headers: { 'content-type': 'application/xml' } }),
  badAddress: () => raw({ url: '/api/v1/storage/%E0%A4%A' }),
  tooManyRequests: async () => {
    const remoteAddress = place().ip
    const url = '/api/v1/storage/temp_file/get_upload_file'
    let answer: Refused = {}
    for (let call = 0; call <= 60; call++) answer = await raw({ url, remoteAddress })
    return answer
  },

  userNotFound: async () => {
    const person = await world.person()
    const as = { ...cn, token: person.token }
    // Known for a moment by its token, and gone.
    await world.call('accounts.info', {}, as)
    await world.db.run(sql`delete from users where id = ${person.id}`)
    return world.call('accounts.info', {}, as)
  },
  internal: async (as) => {
    await world.db.run(sql`alter table traces rename to away`)
    try {
      return await world.call('traces.list', {}, as)
    } finally {
      await world.db.run(sql`alter table away rename to traces`)
    }
  },

  signInFailed: () => signIn(address(), PASSWORD),
  signInLocked: async () => {
    const [who, from] = [address(), place()]
    for (let round = 0; round < 5; round++) await signIn(who, 'wrong-Net9', from)
    return signIn(who, 'wrong-Net9', from)
  },
  emailExists: async (_, person) => {
    await askCode(person.email)
    return register(person.email, await lastCode(world, person.email))
  },
  nameNotExists: async () => {
    const who = address()
    await askCode(who, 2)
    return world.call('accounts.login', { username: who, verify_code: await lastCode(world, who) }, place())
  },
  invalidCode: async () => {
    const who = address()
    await askCode(who)
    return register(who, String((Number(await lastCode(world, who)) + 1) % 1_000_000).padStart(6, '0'))
  },
  codeExpired: () => register(address(), '123456'),
  codeLocked: async () => {
    const who = address()
    await askCode(who)
    const wrong = String((Number(await lastCode(world, who)) + 1) % 1_000_000).padStart(6, '0')
    for (let round = 0; round < 5; round++) await register(who, wrong)
    return register(who, wrong)
  },
  codeKind: () => askCode(address(), 9),
  codeTooSoon: async () => {
    const who = address()
    await askCode(who)
    return askCode(who)
  },
  tooManyCodes: async () => {
    const who = address()
    await world.db.run(sql`
      insert into code_log (address, ip, sent_at) select ${who}, '10.0.0.1', ${new Date(world.clock.now())} from generate_series(1, 10)`)
    return askCode(who)
  },
  emailMissing: () => askCode(' '),
  emailInvalid: () => askCode('nobody'),
  incomplete: () => register(address(), '123456', ''),
  passwordCharacters: () => register(address(), '123456', 'tide Net 9'),
  passwordLength: () => register(address(), '123456', 'tide9'),
  passwordWeak: () => register(address(), '123456', 'password1'),

  forbidden: async (_, person) =>
    world.call('assets.list', {}, { ...cn, token: await world.key(person, ['createFile']) }),
  keyPermissions: (as) => world.call('apiKeys.create', { key_name: 'k', type: 'normal', perms: [] }, as),
  keyUnknown: (as) => world.call('apiKeys.remove', { key_name: 'unknown' }, as),
  keyNameTaken: async (as) => {
    await world.call('apiKeys.create', { key_name: 'k' }, as)
    return world.call('apiKeys.create', { key_name: 'k' }, as)
  },
  tooManyKeys: async (as) => {
    for (let key = 0; key < 5; key++) await world.call('apiKeys.create', { key_name: `k${key}` }, as)
    return world.call('apiKeys.create', { key_name: 'one more' }, as)
  },

  folderUnknown: (as) => world.call('folders.list', { parent: 2_000_000_000 }, as),
  folderNotEmpty: async (as) => {
    const { data } = await world.call('folders.create', { name: 'f' }, as)
    await world.call('folders.create', { name: 'inside', parent: data.group.ID }, as)
    return world.call('folders.remove', { group_id: data.group.ID, force: false }, as)
  },
  tooManyFolders: async (as) => {
    for (let folder = 0; folder < 20; folder++) await world.call('folders.create', { name: `f${folder}` }, as)
    return world.call('folders.create', { name: 'one more' }, as)
  },
  moveIntoSelf: async (as) => {
    const { ID } = (await world.call('folders.create', { name: 'f' }, as)).data.group
    return world.call('folders.move', { group_id: ID, target_group_id: ID }, as)
  },
  moveRoot: (as) => world.call('folders.remove', { group_id: 0 }, as),
  moveSame: async (as) => {
    const { ID } = (await world.call('folders.create', { name: 'f' }, as)).data.group
    return world.call('folders.move', { group_id: ID, target_group_id: 0 }, as)
  },

  assetUnknown: async (as) => world.call('assets.remove', { asset_cid: await unknownCid() }, as),
  assetExists: async (as, person) => {
    const { cid } = await sampleFile(world.db, person.id)
    return world.call('assets.create', { asset_name: 'x', asset_type: 'file', asset_size: 20, asset_cid: cid }, as)
  },
  emptyFile: (as) => world.call('uploads.info', { size: 0 }, as),
  fileExpired: async (as, person) => {
    const { cid } = await sampleFile(world.db, person.id, { expires: new Date(world.clock.now() - 1000) })
    return world.call('downloads.own', { asset_cid: cid }, as)
  },
  nodesOffline: async (as, person) => {
    const { cid } = await sampleFile(world.db, person.id)
    return world.call('downloads.own', { asset_cid: cid }, as)
  },
  outflowSpent: async () => {
    const person = await world.person({ outflowQuota: 0 })
    const { cid } = await sampleFile(world.db, person.id, { nodes: [node] })
    return world.call('downloads.own', { asset_cid: cid }, { ...cn, token: person.token })
  },
  quotaExceeded: (as) => world.call('uploads.info', { size: 10 ** 12 }, as),
  noArea: (as) => world.call('uploads.info', { area_id: ['Atlantis'] }, as),
  noNode: async () => {
    const person = await world.person({ storageQuota: 10 ** 15 })
    return world.call('uploads.info', { size: 10 ** 14 }, { ...cn, token: person.token })
  },
  proofFailed: async (as) =>
    world.call('uploads.prove', { id: 'unknown', cid: await unknownCid(), sha256: '0'.repeat(64) }, as),
  nodeSignature: async (as) => {
    const receipt = `${(await node.receipt({ sub: 'x', cid: await unknownCid(), size: 1 })).slice(0, -9)}AAAAAAAAA`
    const input = {
      asset_name: 'x',
      asset_type: 'file' as const,
      asset_size: 1,
      asset_cid: await unknownCid(),
      receipt,
    }
    return world.call('assets.create', input, as)
  },
  joinRefused: async () => {
    const { generateKeyPairSync, sign } = await import('node:crypto')
    const { publicKey, privateKey } = generateKeyPairSync('ed25519')
    const public_key = publicKey.export({ format: 'jwk' }).x as string
    const [kind, area_id, url, time] = [
      'candidate' as const,
      'Europe-Germany-Hesse-Frankfurt',
      'http://127.0.0.1:9',
      world.clock.now(),
    ]
    const text = ['tidenet-register', public_key, kind, area_id, url, time].join('\n')
    const signature = sign(null, Buffer.from(text), privateKey).toString('base64url')
    const rest = { version: '1', latitude: 0, longitude: 0, cpu_cores: 1, memory: 1, capacity: 1 }
    return world.call('nodeControl.register', { public_key, kind, area_id, url, time, signature, ...rest }, cn)
  },

  tempTooLarge: () => world.call('tempFiles.uploadInfo', { size: 10 ** 9 }, place()),
  tempUploads: async () => {
    const { cid, create } = await anonymous()
    await world.db.run(sql`update temp_files set shares = 59 where cid = ${cid}`)
    return create()
  },
  tempDownloads: async () => {
    const { cid } = await anonymous()
    await world.db.run(sql`update temp_files set downloads = 20 where cid = ${cid}`)
    return world.call('tempFiles.download', { cid }, place())
  },

  linkExists: async (as, person) => {
    const { cid } = await shared(person)
    return world.call('shares.create', { cid }, as)
  },
  linkNotYours: async (as) => {
    const { id } = await shared(await world.person())
    return world.call('shares.revoke', { id }, as)
  },
  userIdMissing: async () => world.call('downloads.open', { asset_cid: await unknownCid() }, place()),
  shareExpired: async (_, person) => {
    const { cid, open } = await shared(person)
    await world.db.run(sql`update links set expires_at = ${new Date(world.clock.now() - 1)} where target = ${cid}`)
    return open()
  },
  sharePassRequired: async (_, person) => (await shared(person, { short_pass: 'abc123' })).open(),
  sharePassWrong: async (_, person) => (await shared(person, { short_pass: 'abc123' })).check('wrong1'),
  sharePassLocked: async (_, person) => {
    const { check } = await shared(person, { short_pass: 'abc123' })
    const from = place()
    for (let guess = 0; guess < 5; guess++) await check('wrong1', from)
    return check('wrong1', from)
  },
  shareLimit: async (_, person) => {
    const { cid, open } = await shared(person)
    await world.db.run(sql`update assets set visits = 10 where cid = ${cid}`)
    return open()
  },

  tokenRejected: () => onNode('/uploadv2', { headers: { authorization: 'Bearer x' }, body: form(new Uint8Array(1)) }),
  fileFieldMissing: () => onNode('/uploadv2', { body: '{}', headers: { 'content-type': 'application/json' } }),
  uploadTooLarge: () => onNode('/uploadv2', { body: form(new Uint8Array(2000)) }),
  nodeFull: async () => {
    const small = await nodes.start({ capacity: 1_000_000 })
    const token = await nodes.server.uploadToken(small.id)
    const headers = { authorization: `Bearer ${token}`, lang: 'cn' }
    const body = form(new Uint8Array(2_000_000))
    return (await fetch(`${small.url}/uploadv2`, { method: 'POST', headers, body })).json() as Promise<Refused>
  },
  nodeBusy: busyNode,
}

/** The text of an entry as a pattern: whatever the facts are. */
function pattern(key: ErrorKey, lang: Lang): RegExp {
  const MARK = 7777 * 1048576
  const facts = new Proxy({}, { get: () => MARK }) as Facts
  const text = errorText(key, lang, facts).replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
  return new RegExp(`^${text.replaceAll(String(MARK), '.*').replaceAll('7777', '.*')}$`, 's')
}

describe('a refusal', () => {
  it.each(Object.entries(provoke))('can be met: %s', async (name, meet) => {
    const key = name as ErrorKey
    const person = await world.person()
    const answer = await meet({ ...cn, token: person.token }, person)
    expect(answer.msg).toMatch(pattern(key, 'cn'))
    if (answer.code === 401) return
    expect(answer).toMatchObject({ code: -1, err: errors[key].err })
  })

  it('has a text in each language that is no other’s', () => {
    for (const lang of ['en', 'cn'] as const) {
      const texts = (Object.keys(errors) as ErrorKey[]).map((key) => pattern(key, lang).source)
      expect(texts.filter((text, index) => texts.indexOf(text) !== index)).toEqual([])
    }
    for (const key of Object.keys(errors) as ErrorKey[]) {
      expect(pattern(key, 'cn').source).toMatch(/\p{Script=Han}/u)
      expect(pattern(key, 'en').source).not.toMatch(/\p{Script=Han}/u)
    }
  })

  it('that an operation declares is in the catalogue, once', () => {
    for (const [duty, operations] of Object.entries(contract))
      for (const [name, { errors: declared }] of Object.entries(operations)) {
        const keys = declared as readonly string[]
        expect([duty, name, keys.filter((key, index) => !(key in errors) || keys.indexOf(key) !== index)]).toEqual([
          duty,
          name,
          [],
        ])
      }
  })

  it('nobody can provoke is one that the page for dead links shows', () => {
    const met = new Set(Object.keys(provoke))
    expect(Object.keys(errors).filter((key) => !met.has(key))).toEqual(['shareVisitsSpent'])
    expect([errors.shareVisitsSpent.err, errors.tokenRejected.err]).toEqual([10011, 10012])
  })
})
