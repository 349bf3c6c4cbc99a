import { describe, expect, it } from 'vitest'
import { cliNetwork, type Listing } from './cli-machine.ts'
import { until } from './wire-client.ts'

const { signedIn, machine } = cliNetwork()

interface Made {
  key: string
  access_key_id: string
  secret_access_key: string
  previous_until?: string | null
}
interface Keys {
  list: {
    name: string
    access_key_id: string
    type: string
    perms: string[]
    folders: { path: string[] }[] | null
    expires_at: string | null
    ips: string[]
    last_used: string | null
    former: { key: string }[]
  }[]
}
type Machine = Awaited<ReturnType<typeof machine>>

/** Runs commands with a key, on a machine where nobody is signed in. */
async function program(key: string) {
  const at = await machine()
  const env = { TIDENET_TOKEN: key }
  return {
    ...at,
    run: (args: readonly string[]) => at.run(args, { env }),
    names: async (path: string) =>
      (await at.json<Listing>(['ls', path], { env })).data.list.map(({ name }) => name).sort(),
  }
}
/** Servers remember a key for half a second. */
const ends = (at: Pick<Machine, 'run'>, code: number) => until(async () => (await at.run(['ls'])).code === code)
const terms = async (owner: Machine) => (await listed(owner)).map(({ name, ips, former }) => ({ name, ips, former }))
const listed = async (owner: Machine) => (await owner.json<Keys>(['key', 'ls'])).data.list

describe('a key', () => {
  it('of folders lists, reads and writes what is in them, and nothing else', async () => {
    const owner = await signedIn()
    await owner.write('in.bin', 1000)
    const outside = await owner.write('out.bin', 1000)
    await owner.run(['mkdir', '-p', '/photos/2026', '/private'])
    await owner.run(['up', 'in.bin', '/photos'])
    const up = await owner.json<{ list: { cid: string }[] }>(['up', 'out.bin', '/private'])
    const { data } = await owner.json<Made>([
      ...['key', 'create', 'camera', '--folder', '/photos', '--permission', 'readFile'],
      ...['--permission', 'createFile', '--permission', 'readFolder'],
    ])
    const camera = await program(data.key)
    expect(await camera.names('/')).toEqual(['photos'])
    expect(await camera.names('/photos')).toEqual(['2026', 'in.bin'])
    expect((await camera.run(['get', '/photos/in.bin', '--to', 'back.bin'])).code).toBe(0)
    await camera.write('new.bin', 500)
    expect((await camera.run(['up', 'new.bin', '/photos/2026'])).code).toBe(0)
    expect(await camera.names('/photos/2026')).toEqual(['new.bin'])

    for (const args of [
      ['ls', '/private'],
      ['get', '/private/out.bin'],
      ['get', up.data.list[0]?.cid ?? ''],
      ['up', 'new.bin', '/private'],
      ['mkdir', '/photos/more'],
      ['rm', '-y', '/photos/in.bin'],
      ['mv', '/photos/in.bin', '/'],
    ])
      expect((await camera.run(args)).code, args.join(' ')).not.toBe(0)
    expect((await owner.run(['get', '/private/out.bin', '--to', 'back.bin'])).code).toBe(0)
    expect(outside.equals(await owner.read('back.bin'))).toBe(true)
  })

  it('works from its addresses only, and the refusal names the address that the portal sees', {
    tags: ['long'],
  }, async () => {
    const owner = await signedIn()
    const { data } = await owner.json<Made>([
      'key',
      'create',
      'office',
      '--ip',
      '203.0.113.0/24',
      '--ip',
      '2001:db8::1',
    ])
    const office = await program(data.key)
    const refused = await office.run(['ls'])
    expect(refused.code).not.toBe(0)
    expect(refused.err).toContain('127.0.0.1')
    expect(await listed(owner)).toMatchObject([{ ips: ['203.0.113.0/24', '2001:db8::1'], last_used: null }])
    expect((await owner.run(['key', 'change', 'office', '--ip', '127.0.0.0/8'])).code).toBe(0)
    await ends(office, 0)
    await owner.run(['key', 'change', 'office', '--ip', '203.0.113.7'])
    await until(async () => (await office.run(['ls'])).code !== 0)
    await owner.run(['key', 'change', 'office', '--no-ip'])
    await ends(office, 0)
    expect(await listed(owner)).toMatchObject([{ ips: [] }])
  })

  it('works until it expires, and again when it gets more time', { tags: ['long'] }, async () => {
    const owner = await signedIn()
    const soon = new Date(Date.now() + 4000).toISOString()
    const { data } = await owner.json<Made>(['key', 'create', 'once', '--expires', soon])
    const once = await program(data.key)
    await ends(once, 3)
    expect(Date.now()).toBeGreaterThanOrEqual(Date.parse(soon))
    expect((await listed(owner))[0]?.expires_at).toBe(soon)
    expect((await owner.run(['key', 'change', 'once', '--expires', '30d'])).code).toBe(0)
    await ends(once, 0)
    await owner.run(['key', 'change', 'once', '--expires', 'never'])
    expect(await listed(owner)).toMatchObject([{ expires_at: null }])
  })

  it('gets another name, permissions and folders, and keeps what is not named', { tags: ['long'] }, async () => {
    const owner = await signedIn()
    await owner.run(['mkdir', 'a', 'b'])
    const { data } = await owner.json<Made>(['key', 'create', 'k', '--folder', '/a', '--ip', '127.0.0.1'])
    const holder = await program(data.key)
    expect(await holder.names('/')).toEqual(['a'])
    const change = ['key', 'change', 'k', '--name', 'sync', '--permissions', 'readFolder', '--folder', '/b']
    expect((await owner.json(change)).data).toEqual({ name: 'sync' })
    await until(async () => (await holder.names('/')).includes('b'))
    expect(await listed(owner)).toMatchObject([
      { name: 'sync', type: 'normal', perms: ['readFolder'], folders: [{ path: ['b'] }], ips: ['127.0.0.1'] },
    ])
    expect((await holder.run(['mkdir', '/b/c'])).code).not.toBe(0)
    await owner.run(['key', 'change', 'sync', '--no-folder'])
    await until(async () => (await holder.names('/')).length === 2)
    expect((await owner.run(['key', 'ls'])).out).toContain('sync')
  })

  it('has an S3 access key, which is shown once; scripts get the key alone', async () => {
    const owner = await signedIn()
    const { out, err } = await owner.run(['key', 'create', 'site'])
    expect(out.trim()).toMatch(/^tnk_[\w-]{43}$/)
    const [id] = (await owner.json<Keys>(['key', 'ls'])).data.list.map(({ access_key_id }) => access_key_id)
    expect(err).toContain(id)
    expect(err).toMatch(/(?:^|\W)[A-Za-z0-9]{40}$/m)
    const { data } = await owner.json<Made>(['key', 'rotate', 'site'])
    expect(data.access_key_id).not.toBe(id)
    expect(data.secret_access_key).toMatch(/^[A-Za-z0-9]{40}$/)
    expect((await owner.run(['key', 'ls', '--json'])).out).not.toContain(data.secret_access_key)
  })

  it('is rotated: both work for the overlap, which can end early', { tags: ['long'] }, async () => {
    const owner = await signedIn()
    const old = await program((await owner.json<Made>(['key', 'create', 'site'])).data.key)
    const { data } = await owner.json<Made>(['key', 'rotate', 'site', '--overlap', '1'])
    const hours = (Date.parse(data.previous_until ?? '') - Date.now()) / 3_600_000
    expect(hours).toBeGreaterThan(0.9)
    expect(hours).toBeLessThanOrEqual(1.01)
    const fresh = await program(data.key)
    expect([(await old.run(['ls'])).code, (await fresh.run(['ls'])).code]).toEqual([0, 0])
    expect((await listed(owner))[0]?.former).toHaveLength(1)
    expect((await owner.run(['key', 'change', 'site', '--end-former'])).code).toBe(0)
    await ends(old, 3)
    expect((await fresh.run(['ls'])).code).toBe(0)
    const last = await owner.json<Made>(['key', 'rotate', 'site', '--overlap', '0'])
    expect(last.data.previous_until).toBeNull()
    await ends(fresh, 3)
    await ends(await program(last.data.key), 0)
  })
})

describe('refused', () => {
  it('are limits that do not exist, and the key stays as it was', { tags: ['long'] }, async () => {
    const owner = await signedIn()
    await owner.run(['key', 'create', 'k', '--permissions', 'readFile'])
    await owner.run(['key', 'create', 'taken'])
    const before = await listed(owner)
    for (const [args, code] of [
      [['--permission', 'fly'], 2],
      [['--expires', 'tomorrow'], 2],
      [['--expires', '2027-02-30'], 2],
      [['--expires', '2020-01-01'], 1],
      [['--ip', 'example.org'], 1],
      [['--ip', '203.0.113.0/33'], 1],
      [['--folder', '/missing'], 4],
    ] as const) {
      expect((await owner.run(['key', 'create', 'new', ...args])).code, args.join(' ')).toBe(code)
      expect((await owner.run(['key', 'change', 'k', ...args])).code, args.join(' ')).toBe(code)
    }
    for (const args of [
      ['key', 'create', 'k'],
      ['key', 'change', 'k', '--name', 'taken'],
      ['key', 'change', 'unknown', '--no-ip'],
      ['key', 'rotate', 'unknown'],
      ['key', 'rotate', 'k', '--overlap', '169'],
      ['key', 'rotate', 'k', '--overlap', 'long'],
    ])
      expect((await owner.run(args)).code, args.join(' ')).not.toBe(0)
    expect(await listed(owner)).toEqual(before)
  })

  it('is a key that makes, changes or replaces keys, and a stranger', async () => {
    const [owner, stranger] = [await signedIn(), await signedIn()]
    const { data } = await owner.json<Made>(['key', 'create', 'k', '--ip', '127.0.0.1'])
    const before = await terms(owner)
    const holder = await program(data.key)
    for (const at of [holder, stranger])
      for (const args of [
        ['key', 'change', 'k', '--no-ip'],
        ['key', 'rotate', 'k'],
        ['key', 'rm', 'k'],
      ])
        expect((await at.run(args)).code, args.join(' ')).not.toBe(0)
    expect((await holder.run(['key', 'create', 'more'])).code).not.toBe(0)
    expect(await terms(owner)).toEqual(before)
  })
})
