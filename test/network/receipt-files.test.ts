/** @module-tag long */
import { randomBytes } from 'node:crypto'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { checkDay, identityIn, KEYS_PATH } from '@tidenet/receipts'
import { createStorage, isSuccess, type Result, type Storage } from '@tidenet/storage'
import pg from 'pg'
import { beforeAll, expect, it } from 'vitest'
import { cliNetwork } from './cli-machine.ts'
import { signUp, until } from './wire-client.ts'

/** Receipts of a running network, saved and verified with the command line, then without the network. */

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
const SIZE = 5_000_000
/** Amounts are in millionths of a point. */
const POINT = 1_000_000

// Trusted nodes are audited by validators only.
const at = cliNetwork({ nodes: [{ kind: 'candidate' }, { kind: 'validator' }], chain: { blockMs: 500 } })
let database: pg.Client
beforeAll(async () => {
  database = new pg.Client({ connectionString: at.network.databaseUrl })
  // The test stops the network.
  database.on('error', () => {})
  await database.connect()
})

interface Report {
  list: { file: string; result: string; proven: string[]; claims?: { kind: string; id: number } }[]
  relations: object[]
  recomputed: { result: string; missing: number[] }[]
}
interface Statement {
  receipt: number | null
  hours: { hour: number; receipt: number | null; traffic: number }[]
}

function data<T>(result: Result<T>): T {
  if (!isSuccess(result)) throw new Error(`${result.code} ${result.msg} ${JSON.stringify(result.data)}`)
  return result.data
}

/** The devices page, the account page, the operator area and the command line state the same points. */
async function pointsAgree(owner: Awaited<ReturnType<typeof at.signedIn>>, api: Storage['api']) {
  const devices = data(await api.call('earnings.summary', {}))
  const { accumulated, not_withdrawn, withdrawing, credited } = data(await api.call('rewards.state', {}))
  expect(not_withdrawn).toBeGreaterThan(0)
  expect(not_withdrawn + withdrawing + credited).toBe(accumulated)
  expect(accumulated).toBe(Math.floor((devices.total.traffic + devices.total.storage) / POINT))
  const sums = { accumulated, not_withdrawn, withdrawing, credited }
  expect(devices.points).toEqual(sums)
  expect((await owner.json(['node', 'earnings'])).data).toMatchObject({ points: sums, total: devices.total })

  const { username, token } = await signUp(at.network.url)
  await database.query(`update users set role = 'operator' where email = $1`, [username])
  const operator = createStorage({ url: at.network.url, token })
  const { list } = data(await operator.api.call('admin.users', { q: owner.person.username }))
  expect(data(await operator.api.call('admin.user', { uid: list[0]?.uid ?? '' })).points).toEqual(sums)
}

it('a person keeps receipts that prove uploads, downloads and earnings, also after the network is gone', async () => {
  const { network } = at
  const owner = await at.signedIn()
  const { username, token } = owner.person
  await database.query('update users set vip = true where email = $1', [username])

  // Uploads a file, and another account downloads it from the device of the owner.
  const reader = await at.signedIn()
  await database.query('update users set vip = true where email = $1', [reader.person.username])
  await database.query('update nodes set owner_id = (select id from users where email = $1)', [username])
  await writeFile(join(reader.work, 'file.bin'), randomBytes(SIZE))
  expect((await reader.run(['up', 'file.bin'])).code).toBe(0)
  expect((await reader.run(['receipt', '/file.bin', '--out', 'upload.json'])).code).toBe(0)
  expect((await reader.run(['get', '/file.bin', '--to', 'copy.bin'])).code).toBe(0)

  const storage = createStorage({ url: network.url, token })
  const day = new Date().toISOString().slice(0, 10)
  const earning = await until(async () => {
    const { list } = data(await storage.api.call('earnings.summary', {}))
    return list.find(({ today }) => today.traffic > 0)
  }, 60_000)
  const downloads = await until(async () => {
    const { list } = data(await storage.api.call('earnings.downloads', { node_id: earning.node_id, day }))
    return list.length > 0 && list
  }, 60_000)

  // As if the file had been downloaded a thousand times: enough for whole points.
  await database.query('update node_traffic set signed = signed * 1000')

  // The hours and the day end; sessions do too.
  await network.moveClock(DAY_MS - (Date.now() % DAY_MS) + HOUR_MS + 6 * 60_000)
  const again = ['login', '--email', username, '--password-stdin']
  expect((await owner.run(again, { input: `${owner.person.password}\n` })).code).toBe(0)
  const ofDay = ['node', 'earnings', '--device', earning.node_id, '--day', day]
  const statement = await until(async () => {
    const { data } = await owner.json<Statement>(ofDay)
    return data.receipt !== null && data
  }, 60_000)
  const ids = [statement.receipt, ...statement.hours.map(({ receipt }) => receipt), downloads[0]?.receipt]
  const files: string[] = []
  for (const id of ids) {
    const file = `receipt-${id}.json`
    // Until the log with this receipt is anchored.
    await until(async () => {
      expect((await owner.run(['receipt', String(id)])).code).toBe(0)
      return JSON.parse((await owner.read(file)).toString()).anchor !== null
    }, 60_000)
    files.push(file)
  }

  // A number that is not that of an own receipt.
  expect((await owner.run(['receipt', '999999'])).code).toBe(4)

  const chain = network.chain?.url ?? ''
  const online = await owner.json<Report>(['verify', ...files, '--chain', chain])
  expect(online.code).toBe(0)
  for (const { result, proven } of online.data.list) {
    expect(result).toBe('valid')
    expect(proven).toEqual(['signed', 'logged', 'anchored', 'on_chain'])
  }
  const kinds = new Set(online.data.list.map(({ claims }) => claims?.kind))
  expect(kinds).toEqual(new Set(['earnings', 'node_hour', 'download']))
  expect(online.data.recomputed).toMatchObject([{ result: 'agrees', missing: [] }])
  const uploaded = await reader.json<Report>(['verify', 'upload.json'])
  expect(uploaded.data.list).toMatchObject([{ result: 'valid', claims: { kind: 'upload' } }])

  // What the portal states follows from the same files.
  const { keys } = identityIn(await (await fetch(`${network.url}${KEYS_PATH}`)).json())
  const fresh = JSON.parse(await readFile(join(owner.config, 'session.json'), 'utf8')) as { token: string }
  const { api } = createStorage({ url: network.url, token: fresh.token })
  const shown = data(await api.call('earnings.statement', { node_id: earning.node_id, day }))
  await pointsAgree(owner, api)
  const check = await checkDay(shown, keys, async (id) =>
    JSON.parse((await owner.read(`receipt-${id}.json`)).toString()),
  )
  expect(check).toMatchObject({ agrees: true, invalid: [], verified: files.length - 1 })
  const more = { ...shown, traffic: shown.traffic + 1 }
  expect((await checkDay(more, keys, async () => undefined)).agrees).toBe(false)

  // One hour is missing, or one byte is another one.
  const [ofDayFile = '', first = ''] = files
  const without = await owner.json<Report>(['verify', ofDayFile, ...files.slice(2)])
  expect(without.data.recomputed.map(({ result }) => result)).not.toContain('agrees')
  const text = (await owner.read(first)).toString()
  const place = text.indexOf('"receipt"') + 200
  const changed = text.slice(0, place) + (text[place] === 'A' ? 'B' : 'A') + text.slice(place + 1)
  await writeFile(join(owner.work, 'changed.json'), changed)
  expect((await owner.run(['verify', 'changed.json'])).code).toBe(1)

  await database.end()
  await network.stop()
  const offline = await owner.json<Report>(['verify', ...files, '--chain', chain])
  expect(offline.code).toBe(0)
  for (const { proven } of offline.data.list) expect(proven).toEqual(['signed', 'logged', 'anchored'])
  expect(offline.data.recomputed).toMatchObject([{ result: 'agrees' }])
  // Whoever never knew the network cannot tell whose the receipts are.
  const stranger = await at.machine()
  await writeFile(join(stranger.work, 'file.json'), text)
  const unknown = await stranger.json<Report>(['verify', 'file.json'])
  expect(unknown.code).toBe(1)
  expect(unknown.data.list).toMatchObject([{ result: 'unknown_network', proven: [] }])
})
