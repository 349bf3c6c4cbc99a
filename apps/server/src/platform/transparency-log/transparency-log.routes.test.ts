import { createPublicKey, randomBytes, verify } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { receiptClaims, type Stated } from '@tidenet/receipts'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { setup, type TestEnv } from '../../test-env.fixture.ts'
import type { Db } from '../db/db.ts'
import { sql } from '../db/sql.ts'
import { appendQueued } from './append.ts'
import { issueReceipt, issueReceipts } from './issue.ts'
import { LogBehind, logFigures } from './published.ts'
import { currentSize, type FoundReceipt, findReceipt, type ProvenReceipt, proveReceipt } from './read.ts'
import { lockState } from './repository.ts'
import { readTilePath } from './routes.ts'
import { LogDamaged, leafHash, rootOf, rootOfPath, tilesFrom } from './tree.ts'

let env: TestEnv
beforeAll(async () => {
  env = await setup()
})
afterAll(() => env.close())
beforeEach(() => env.db.run(sql`truncate log_queue, log_state, log_tiles, log_bundles, log_anchors`))

const stated = (more: object = {}): Stated<'upload'> => ({
  kind: 'upload',
  sub: 'owner',
  cid: `b${randomBytes(20).toString('hex')}`,
  type: 'file',
  size: 10,
  ...more,
})
const at = new Date(1_700_000_000_500)
const issue = (count: number) =>
  issueReceipts(
    env.db,
    Array.from({ length: count }, () => stated()),
    at,
  )
const append = () => appendQueued(env.context)

async function proven(id: number): Promise<ProvenReceipt> {
  const found = await findReceipt(env.context, id)
  if (!found?.logged) throw new Error(`receipt ${id} is not in the log`)
  return proveReceipt(env.context, found, found.logged)
}

const publicKey = async () => {
  const { keys } = (await env.app.inject('/.well-known/jwks.json')).json<{ keys: { kid: string }[] }>()
  return createPublicKey({ key: keys.find(({ kid }) => kid.startsWith('tr-')) as never, format: 'jwk' })
}

async function claimsOf(jws: string) {
  const [header = '', payload = '', signature = ''] = jws.split('.')
  const read = (part: string) => JSON.parse(Buffer.from(part, 'base64url').toString())
  expect(read(header)).toMatchObject({ alg: 'EdDSA', typ: 'tidenet-receipt', kid: expect.stringMatching(/^tr-/) })
  const signed = Buffer.from(`${header}.${payload}`)
  expect(verify(null, signed, await publicKey(), Buffer.from(signature, 'base64url'))).toBe(true)
  return receiptClaims.parse(read(payload))
}

const proves = ({ receipt, proof, checkpoint }: ProvenReceipt) => {
  const path = proof.hashes.map((hash) => Buffer.from(hash, 'base64'))
  const root = rootOfPath(leafHash(receipt), proof.index, proof.size, path).toString('base64')
  return checkpoint.startsWith(`${env.context.keys.log}\n${proof.size}\n${root}\n\n`)
}

describe('a receipt', () => {
  it('is signed with the key of the network, and is proven to be in the log', async () => {
    const claims = stated()
    const id = await issueReceipt(env.db, claims, at)
    await append()
    const file = await proven(id)
    expect(await claimsOf(file.receipt)).toEqual({
      ...claims,
      iss: env.context.keys.log,
      id,
      index: 0,
      iat: 1_700_000_000,
    })
    expect(proves(file)).toBe(true)
  })

  it('is the same whenever it is read, and is proven in every later checkpoint', async () => {
    const [first = 0] = await issue(1)
    await append()
    const before = await proven(first)
    for (const more of [1, 254, 1, 700]) {
      await issue(more)
      await append()
      const after = await proven(first)
      expect(after.receipt).toBe(before.receipt)
      expect(proves(after)).toBe(true)
    }
  })

  it('can be proven for an earlier size of the log', async () => {
    const [id = 0] = await issue(300)
    await append()
    const earlier = await currentSize(env.context)
    await issue(3000)
    await append()
    const found = (await findReceipt(env.context, id)) as FoundReceipt
    const file = await proveReceipt(env.context, found, { index: found.logged?.index ?? 0, log: earlier })
    expect(file.proof.size).toBe(300)
    expect(proves(file)).toBe(true)
  })

  it('does not exist if its transaction was rolled back', async () => {
    let id = 0
    await env.db
      .transaction(async (tx) => {
        id = await issueReceipt(tx, stated(), at)
        throw new Error('undone')
      })
      .catch(() => {})
    await append()
    expect(await findReceipt(env.context, id)).toBeUndefined()
    expect((await currentSize(env.context)).size).toBe(0)
  })

  it('is found if its transaction ended after those of larger ids', async () => {
    const client = await env.db.pool.connect()
    await client.query('begin')
    const { rows } = await client.query('insert into log_queue (claims, issued_at) values ($1, now()) returning id', [
      JSON.stringify(stated()),
    ])
    const late = Number(rows[0].id)
    const ids = await issue(600)
    await append()
    await client.query('commit')
    client.release()
    await append()
    for (const id of [late, ids[0], ids[599]]) expect(proves(await proven(id as number))).toBe(true)
    expect((await claimsOf((await proven(late)).receipt)).index).toBe(600)
  })

  it('is refused if its claims do not have the shape of their kind', async () => {
    await expect(issueReceipt(env.db, stated({ size: -1 }), at)).rejects.toThrow()
    await expect(issueReceipt(env.db, stated({ more: 1 }) as never, at)).rejects.toThrow()
  })
})

describe('the log', () => {
  it('contains each receipt once if several servers append at the same time', async () => {
    const ids = (await Promise.all(Array.from({ length: 40 }, () => issue(25)))).flat()
    await Promise.all(Array.from({ length: 8 }, append))
    await append()
    const indexes = new Set<number>()
    for (const id of ids) indexes.add((await findReceipt(env.context, id))?.logged?.index as number)
    expect([...indexes].sort((a, b) => a - b)).toEqual(ids.map((_, index) => index))
    expect((await currentSize(env.context)).size).toBe(ids.length)
  })

  it('is left alone while another server appends to it', async () => {
    await issue(1)
    await append()
    const { size } = await currentSize(env.context)
    await issue(1)
    await env.db.transaction(async (other) => {
      await lockState(other, env.context.keys.log)
      await append()
      expect((await currentSize(env.context)).size).toBe(size)
    })
    await append()
    expect((await currentSize(env.context)).size).toBe(size + 1)
  })

  it('is as it was if the server is killed before the commit', async () => {
    const [id = 0] = await issue(300)
    await append()
    const before = await currentSize(env.context)
    await issue(300)
    const transaction = <T>(work: (tx: Db) => Promise<T>): Promise<T> =>
      env.db.transaction(async (tx) => {
        await work(tx)
        throw new Error('killed')
      })
    const broken = { ...env.context, db: { ...env.db, transaction } }
    await expect(appendQueued(broken)).rejects.toThrow('killed')
    expect(await currentSize(env.context)).toEqual(before)
    expect(proves(await proven(id))).toBe(true)
    await append()
    expect((await currentSize(env.context)).size).toBe(600)
  })

  it('begins again with another name if the secret changes, and keeps what it had', async () => {
    const [id = 0] = await issue(3)
    await append()
    const other = await setup({ databaseUrl: env.context.config.databaseUrl })
    try {
      const context = { ...other.context, db: env.db }
      expect(await currentSize(context)).toMatchObject({ size: 0 })
      const [next = 0] = await issue(1)
      await appendQueued(context)
      expect(await currentSize(context)).toMatchObject({ size: 1 })
      expect(await findReceipt(context, next)).toMatchObject({ logged: { index: 0 } })
      expect(await findReceipt(context, id)).toBeUndefined()
      expect(proves(await proven(id))).toBe(true)
    } finally {
      await other.close()
    }
  })

  it.each([
    ['tile', sql`update log_tiles set hashes = set_byte(hashes, 40, get_byte(hashes, 40) # 1) where level = 0`],
    ['bundle', sql`update log_bundles set claims = (select claims from log_bundles where number = 0) where number = 1`],
    ['root', sql`update log_state set root = set_byte(root, 0, get_byte(root, 0) # 1)`],
    ['size', sql`update log_state set size = size - 1`],
  ])('signs nothing more if a %s was changed', async (_, change) => {
    const ids = await issue(512 + 40)
    await append()
    await env.db.run(change)
    await issue(1)
    const results = await Promise.allSettled([append(), proven(ids[1] as number), proven(ids[300] as number)])
    expect(results.some(({ status }) => status === 'rejected')).toBe(true)
  })

  it('appends nothing to a tree that is damaged at its edge', async () => {
    await issue(40)
    await append()
    await env.db.run(sql`update log_tiles set hashes = set_byte(hashes, 40, get_byte(hashes, 40) # 1)`)
    await issue(1)
    await expect(append()).rejects.toThrow(LogDamaged)
    expect((await currentSize(env.context)).size).toBe(40)
  })
})

describe('a log that was published', () => {
  let data: string
  beforeEach(async () => {
    data = await mkdtemp(join(tmpdir(), 'tidenet-log-'))
  })
  afterEach(() => rm(data, { recursive: true, force: true }))

  const TABLES = ['log_state', 'log_tiles', 'log_bundles']
  const run = async (statement: (table: string) => string) => {
    for (const table of TABLES) await env.db.pool.query(statement(table))
  }
  const backup = async () => {
    await run((table) => `drop table if exists backup_${table}`)
    await run((table) => `create table backup_${table} as table ${table}`)
  }
  const restore = async () => {
    await env.db.run(sql`truncate log_state, log_tiles, log_bundles, log_anchors`)
    await run((table) => `insert into ${table} select * from backup_${table}`)
  }
  /** A server with a data folder. */
  const server = () => ({ ...env.context, config: { ...env.context.config, data } })
  const grow = async (count: number, context = server()) => {
    await issue(count)
    await appendQueued(context)
  }
  const size = async () => (await currentSize(env.context)).size

  it('is not continued after an older backup was restored, also if another server did, until operators decide', async () => {
    await grow(300)
    await backup()
    await grow(500)
    await restore()
    await expect(grow(20)).rejects.toThrow(LogBehind)
    expect([await size(), (await logFigures(server())).behind]).toEqual([300, true])
    expect((await logFigures(server())).waiting).toBe(20)
    // A server without the folder does not know, and goes on.
    await grow(600, env.context)
    expect(await size()).toBe(920)
    await expect(grow(1)).rejects.toThrow(LogBehind)
    await rm(join(data, 'log'), { recursive: true })
    await grow(1)
    expect([await size(), (await logFigures(server())).behind]).toEqual([922, false])
  })

  it('is not begun again if the whole database is lost', async () => {
    await grow(3)
    await env.db.run(sql`truncate log_state, log_tiles, log_bundles, log_anchors`)
    await expect(grow(5)).rejects.toThrow(LogBehind)
  })

  it('is continued if the backup was newer, and after others have appended', async () => {
    await grow(255)
    for (const count of [1, 2, 700]) {
      await grow(count, env.context)
      await grow(3)
    }
    await backup()
    await restore()
    await grow(1)
    expect(await size()).toBe(255 + 703 + 9 + 1)
  })

  it('is not continued if the checkpoint on the disk cannot be read', async () => {
    await grow(3)
    await writeFile(join(data, 'log', `${env.context.keys.log}.checkpoint`), 'torn')
    await expect(grow(1)).rejects.toThrow(LogBehind)
  })
})

describe('monitors', () => {
  const get = (path: string) => env.app.inject({ url: `/log/${path}`, remoteAddress: '192.0.2.1' })

  it('read a checkpoint, which is a signed note of origin, size and root', async () => {
    await issue(5)
    await append()
    const answer = await get('checkpoint')
    expect(answer.headers).toMatchObject({
      'content-type': 'text/plain; charset=utf-8',
      'access-control-allow-origin': '*',
    })
    const [text = '', signatures = ''] = answer.body.split('\n\n')
    const { log } = env.context.keys
    expect(text).toBe(`${log}\n5\n${(await currentSize(env.context)).root.toString('base64')}`)
    const [, name, signature = ''] = signatures.trimEnd().split(' ')
    expect(name).toBe(log)
    const signed = Buffer.from(signature, 'base64').subarray(4)
    expect(verify(null, Buffer.from(`${text}\n`), await publicKey(), signed)).toBe(true)
  })

  it('compute the root from tiles', async () => {
    await issue(600)
    await append()
    const read = async (path: string) => (await get(`tile/${path}`)).rawPayload
    const tiles = tilesFrom([
      { level: 0, number: 0, hashes: await read('0/000') },
      { level: 0, number: 1, hashes: await read('0/001') },
      { level: 0, number: 2, hashes: await read('0/002.p/88') },
      { level: 1, number: 0, hashes: await read('1/000.p/2') },
    ])
    expect(rootOf(tiles, 600)).toEqual((await currentSize(env.context)).root)
    expect((await get('tile/0/002.p/88')).headers).toMatchObject({
      'cache-control': expect.stringContaining('immutable'),
      'content-type': 'application/octet-stream',
    })
    expect(await read('0/000.p/3')).toEqual((await read('0/000')).subarray(0, 96))
  })

  it.each([
    '0/002',
    '0/002.p/89',
    '0/003',
    '1/000',
    '1/000.p/3',
    '2/000',
    '0/000.p/0',
    '0/000.p/256',
    '0/0',
    '64/000',
    '0/x000/000',
    '-1/000',
    'entries/000',
    '0/999999999999999999',
  ])('get no tile %s, and may ask again later', async (path) => {
    await issue(600)
    await append()
    const answer = await get(`tile/${path}`)
    expect(answer.statusCode).toBe(404)
    expect(answer.headers['cache-control']).toBe('no-store')
  })

  it('cannot read claims', async () => {
    await issue(1)
    await append()
    const answer = await get('tile/entries/000')
    expect(answer.statusCode).toBe(404)
  })

  it('are limited per client network', async () => {
    const answers = await Promise.all(
      Array.from({ length: 1300 }, () => env.app.inject({ url: '/log/tile/0/000', remoteAddress: '192.0.2.9' })),
    )
    expect(answers.some(({ statusCode }) => statusCode === 429)).toBe(true)
    expect((await get('checkpoint')).statusCode).toBe(200)
  })
})

it('large numbers of tiles are written in groups of three digits', () => {
  expect(readTilePath('3/x001/x234/067')).toEqual({ level: 3, number: 1_234_067, width: 256 })
  expect(readTilePath('0/000.p/255')).toEqual({ level: 0, number: 0, width: 255 })
})
