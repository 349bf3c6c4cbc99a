import { armor, Decrypter, Encrypter, generateX25519Identity, identityToRecipient } from 'age-encryption'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { isSuccess, type Result } from '../result.ts'
import { someBytes, startTestEnv, type TestEnv } from '../test-env.fixture.ts'
import { readKit } from './kit.ts'
import type { VaultInfo } from './vault.ts'

/** The vault of one account, at a portal that only stores what it gets. */
let env: TestEnv
let stored: NonNullable<VaultInfo['vault']> | null
let ids: number
beforeEach(async () => {
  env = await startTestEnv()
  stored = null
  ids = 0
  const data = (answer: object) => ({ code: 0, msg: 'success', data: answer })
  const wayOf = (way: object) => ({ credential: '', created_at: '', ...way, id: ++ids }) as Way
  env.answers.set('vault', () => data({ vault: stored, folders: 0, files: 0 }))
  env.answers.set('create', (input) => {
    stored = { recipient: String(input.recipient), created_at: '', ways: (input.ways as object[]).map(wayOf) }
    return data({})
  })
  env.answers.set('add_way', ({ way }) => {
    const added = wayOf(way as object)
    if (stored) stored.ways = [...stored.ways.filter(({ kind }) => kind !== 'kit' || added.kind !== 'kit'), added]
    return data({ id: added.id })
  })
})
afterEach(() => env.close())

type Way = NonNullable<VaultInfo['vault']>['ways'][number]
const passphrase = 'a passphrase of a test'
const dataOf = <T>(result: Result<T>): T => {
  if (!isSuccess(result)) throw new Error(result.msg)
  return result.data
}
const reasonOf = (result: Result<unknown>) => (isSuccess(result) ? 'opened' : result.data.reason)

/** A vault that is set up; each storage is another browser. */
async function setUp() {
  const draft = dataOf(await env.storage().vault.prepare({ passphrase, workFactor: 8 }))
  return { kit: draft.kit, key: dataOf(await draft.save()) }
}
/** An armored age file of a text for a recipient. */
async function sealedText(text: string, recipient: string) {
  const encrypter = new Encrypter()
  encrypter.addRecipient(recipient)
  return `${armor.encode(await encrypter.encrypt(text))}\n`
}
const change = (kind: Way['kind'], wrap: string) => {
  for (const way of stored?.ways ?? []) if (way.kind === kind) way.wrap = wrap
}

describe('a vault', () => {
  it('is stored only after the kit could be kept, and the portal gets no key', async () => {
    const draft = dataOf(await env.storage().vault.prepare({ passphrase, workFactor: 8 }))
    expect(stored).toBeNull()
    const key = dataOf(await draft.save())
    expect(stored?.ways.map(({ kind }) => kind)).toEqual(['kit', 'passphrase'])
    const sent = JSON.stringify(env.calls.map(({ input }) => input))
    for (const secret of [key.identity, passphrase, readKit(draft.kit).recovery]) expect(sent).not.toContain(secret)
  })

  it('is unlocked in another browser by the passphrase, the kit, or the recovery key as people type it', async () => {
    const { kit, key } = await setUp()
    const { recovery } = readKit(kit)
    const typed = recovery.toLowerCase().replace(/(.{30})/, '$1\n ')
    for (const by of [{ passphrase }, { kit }, { kit: recovery }, { kit: typed }])
      expect(dataOf(await env.storage().vault.unlock(by))).toEqual(key)
  })

  it('is opened by the kit without the portal', async () => {
    const { kit, key } = await setUp()
    stored = null
    expect(dataOf(await env.storage().vault.openKit(kit))).toEqual(key)
  })

  it('is opened by the steps in the kit, with another age implementation', async () => {
    const { kit, key } = await setUp()
    const identities = kit.split('\n').filter((line) => line !== '' && !line.startsWith('#'))
    expect(identities).toHaveLength(1)
    const lines = kit.split('\n').map((line) => line.replace(/^# /, ''))
    const wrap = lines.slice(
      lines.indexOf('-----BEGIN AGE ENCRYPTED FILE-----'),
      lines.indexOf('-----END AGE ENCRYPTED FILE-----') + 1,
    )
    const decrypter = new Decrypter()
    decrypter.addIdentity(identities[0] ?? '')
    expect(await decrypter.decrypt(armor.decode(wrap.join('\n')), 'text')).toBe(`${key.identity}\n`)
  })

  it('keeps opening the same files when a way is added, replaced or lost', async () => {
    const { kit, key } = await setUp()
    const { vault } = env.storage()
    dataOf(await vault.addWay(key, { passphrase: 'another passphrase', name: 'spare', workFactor: 8 }))
    const next = dataOf(await vault.newKit(key))
    dataOf(await next.save())
    for (const by of [{ passphrase }, { passphrase: 'another passphrase' }, { kit: next.kit }])
      expect(dataOf(await env.storage().vault.unlock(by))).toEqual(key)
    expect(reasonOf(await vault.unlock({ kit }))).toBe('kitReplaced')
    if (stored) stored.ways = stored.ways.filter((way) => way.kind === 'kit')
    expect(dataOf(await vault.unlock({ kit: next.kit }))).toEqual(key)
  })

  it('encrypts and decrypts files', async () => {
    const { key } = await setUp()
    const storage = env.storage()
    const bytes = someBytes(200_000)
    const uploaded = await storage.uploadAsset(bytes, { name: 'a', encrypt: { recipients: [key.recipient] } })
    const { cid } = dataOf(uploaded)
    expect(dataOf(await storage.vault.sealedBy(cid))).toEqual({ by: 'key' })
    const got = await storage.downloadAsset({ assetCid: cid, to: 'blob', decrypt: { identities: [key.identity] } })
    expect(Buffer.from((await dataOf(got).blob?.arrayBuffer()) ?? new ArrayBuffer(0)).equals(bytes)).toBe(true)
  })

  it('refuses wrong keys as wrong keys', async () => {
    const { vault } = env.storage()
    expect(reasonOf(await vault.unlock({ passphrase }))).toBe('noVault')
    const { kit } = await setUp()
    const other = await generateX25519Identity()
    expect(reasonOf(await vault.unlock({ passphrase: 'a passphrase of a tesT' }))).toBe('wrongKey')
    expect(reasonOf(await vault.unlock({ passphrase: '' }))).toBe('wrongKey')
    expect(reasonOf(await vault.unlock({ kit: other }))).toBe('wrongKey')
    expect(reasonOf(await vault.unlock({ kit: kit.replace(readKit(kit).recovery, other) }))).toBe('wrongKey')
    expect(reasonOf(await vault.unlock({ kit: 'my notes' }))).toBe('noKit')
    expect(reasonOf(await vault.openKit(readKit(kit).recovery))).toBe('noKit')
    expect(reasonOf(await vault.prepare({ passphrase: 'too short' }))).toBe('weak')
  })
})

describe('a portal that lies', () => {
  it('about the public key of the vault is noticed, and nothing is encrypted for its key', async () => {
    await setUp()
    const theirs = await identityToRecipient(await generateX25519Identity())
    if (stored) stored.recipient = theirs
    expect(reasonOf(await env.storage().vault.unlock({ passphrase }))).toBe('otherKey')
  })

  it('cannot replace the key behind the kit by its own, even if it knows the kit’s public key', async () => {
    const { kit } = await setUp()
    const theirs = await generateX25519Identity()
    const recipient = await identityToRecipient(theirs)
    change('kit', await sealedText(`${theirs}\n`, await identityToRecipient(readKit(kit).recovery)))
    if (stored) stored.recipient = recipient
    expect(reasonOf(await env.storage().vault.unlock({ kit }))).toBe('otherKey')
  })

  it('cannot make the passphrase open a key of its own', async () => {
    await setUp()
    const theirs = await generateX25519Identity()
    const recipient = await identityToRecipient(theirs)
    change('passphrase', await sealedText(`${theirs}\n`, recipient))
    if (stored) stored.recipient = recipient
    expect(reasonOf(await env.storage().vault.unlock({ passphrase }))).toBe('wrongKey')
  })

  it('cannot pass off something else as a key', async () => {
    const { kit } = await setUp()
    const recovery = await identityToRecipient(readKit(kit).recovery)
    change('kit', await sealedText('AGE-PLUGIN-EVIL-1QQQ\n', recovery))
    expect(reasonOf(await env.storage().vault.unlock({ kit }))).toBe('otherKey')
    change('kit', 'nothing')
    expect(reasonOf(await env.storage().vault.unlock({ kit: readKit(kit).recovery }))).toBe('wrongKey')
  })
})

describe('what was made before', () => {
  /** A kit of the first release, and a file of its vault; `age` 1.1.1 opens both with the steps in the kit. */
  const kit = `# vault · 公钥: age16hg6qcvw4fr0585950j86npaa5aqnqmrmnvdpktrqkeu0qa63q2suhrvnp
AGE-SECRET-KEY-1WC2EGA7XW0TU83GSGWXZ4RNPSEH05PG3HW2A63FJLMRHFJHX0GKQJCKMY8
# -----BEGIN AGE ENCRYPTED FILE-----
# YWdlLWVuY3J5cHRpb24ub3JnL3YxCi0+IFgyNTUxOSBEa2F1VEVDdUd6REFkSkU3
# cmJMYW1CcWhRTzRLcDVGbVpGQlVnV1prSGo0CkZ4YnFtTjhQcmlOaWRtaUdBektk
# WFZmdWl3OTl1WVJydkNVYmJVbng5TGcKLS0tIG1COHljZ0xnYzJRZm5SNUR3QnYr
# djF5VGY2T25aT0kwdGxwS2R5alJpMlkK6YMrggyhBJYvLz4wmmrdoFKrGizlR9rY
# CpX9hFd0NpKyE2WkEXh6HA3wZHDEeTPYQNBH8oCwDvni0bHw3LXYv2ygx8KYPTLa
# s6LPhdpzdBRXWL3B3eWKtTfhe+pb390bQQBuw/oUU0/DnT0=
# -----END AGE ENCRYPTED FILE-----`
  const sealed = [
    'YWdlLWVuY3J5cHRpb24ub3JnL3YxCi0+IFgyNTUxOSBSU1VsU0pCY20wMWxBdllTNFE0YldiRmpKZGpIdmRRWisrb1VqcWoyZ2tR',
    'CkNxUjU3ajNpMU9rOWlCbk91aDQ5VUxaSU9KSXowR3d6SHR1eEpXUGFaZmMKLS0tIHlWemlESlVmTVhZanFNV1VWQ3d0eU5QbllL',
    'M2EyZUdWYi9zMzNHVXkyS2MKM3vQvsKkBP0PlbHk1XWQE1IUaDbtfP4y7OVzJxgx81YR7Orvtgc9/YIdWk8=',
  ].join('')

  it('opens, whatever surrounds the lines of the kit', async () => {
    const { vault } = env.storage()
    for (const text of [kit, kit.replaceAll('# ', ''), kit.replaceAll('\n', '\r\n'), kit.replaceAll(/^/gm, '> ')]) {
      const { identity } = dataOf(await vault.openKit(text))
      const decrypter = new Decrypter()
      decrypter.addIdentity(identity)
      expect(await decrypter.decrypt(new Uint8Array(Buffer.from(sealed, 'base64')), 'text')).toBe('hello vault\n')
    }
  })

  it('does not open with a kit that was changed', async () => {
    const { vault } = env.storage()
    const other = await identityToRecipient(await generateX25519Identity())
    for (const text of [kit.replace(/age1\w+/, other), kit.replace('YWdlLW', 'YWdlLx'), kit.replace('CpX9', 'CpX8')])
      expect(reasonOf(await vault.openKit(text))).toBe('wrongKey')
  })
})
