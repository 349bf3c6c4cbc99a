import { VAULT_PASSPHRASE_MIN, type VaultWayKind } from '@tidenet/contract/vault'
import type { Answer } from '../api.ts'
import type { Phrase } from '../codes.ts'
import { type Core, settle } from '../core.ts'
import { type OpenWith, type SealedBy, sealedBy } from '../encryption.ts'
import type { Files, OpenFileOptions } from '../open-file.ts'
import { isSuccess, need, type Result, Stop, success } from '../result.ts'
import { type Kit, kitText, makeKit, readKit } from './kit.ts'
import {
  createPasskey,
  keyOf,
  NotAKey,
  newKey,
  passkeyIdentity,
  passkeyRecipient,
  unwrapKey,
  type VaultKey,
  wrapKey,
} from './wraps.ts'

export type VaultInfo = Answer<'vault.info'>
type Way = NonNullable<VaultInfo['vault']>['ways'][number]

/** A passphrase; the text of a recovery kit or its recovery key; or a passkey of the vault (browsers only). */
export interface VaultUnlock {
  passphrase?: string
  kit?: string
  passkey?: true
}

/** One of the ways, with a name to recognize it by. */
export interface NewVaultWay {
  passphrase?: string
  /** Creates a passkey for the vault alone (browsers only). */
  passkey?: true
  name: string
  /** Id of a way of the same kind that ends. */
  replaces?: number
  /** scrypt work factor of a passphrase; tests only. */
  workFactor?: number
}

/** Something that is stored only after its owner kept the recovery kit. */
export interface KitDraft<T> {
  /** The recovery kit, to print or save as a text file. */
  kit: string
  save(): Promise<Result<T>>
}

/**
 * The vault of the account: one key that files are encrypted with, in the client. The portal stores it only wrapped, once per way to
 * unlock. Failures have `data.reason`: `wrongKey`, `noVault`, `noKit`, `kitReplaced`, `otherKey`, `noPasskey`, `weak`.
 */
export interface Vault {
  /** The vault, its ways to unlock, and how much is encrypted; `vault` is null before the first `prepare`. */
  info(): Promise<Result<VaultInfo>>
  /** A new vault with a passphrase of at least 10 characters and a recovery kit; nothing is stored before `save`. */
  prepare(options: { passphrase: string; name?: string; workFactor?: number }): Promise<Result<KitDraft<VaultKey>>>
  /** The vault's key. Pass it to `encrypt: { recipients: [recipient] }` and `decrypt: { identities: [identity] }`. */
  unlock(by: VaultUnlock): Promise<Result<VaultKey>>
  /** Opens a recovery kit without the portal. */
  openKit(kit: string): Promise<Result<VaultKey>>
  /** Adds a way to unlock. Requires recent authentication (`err` 1030), as do all changes. */
  addWay(key: VaultKey, way: NewVaultWay): Promise<Result<{ id: number }>>
  /** A new recovery kit; `save` ends the old one. */
  newKit(key: VaultKey): Promise<Result<KitDraft<{ id: number }>>>
  /** Removes a way; the recovery kit and at least one other stay. */
  removeWay(id: number): Promise<Result<object>>
  /** Removes the vault; with `loseFiles` even if encrypted files exist, which then only the recovery kit opens. */
  remove(options?: { loseFiles?: boolean }): Promise<Result<object>>
  /** What opens an encrypted file, read from its first bytes. */
  sealedBy(cid: string, options?: OpenFileOptions): Promise<Result<{ by: SealedBy | null }>>
}

export function createVault(core: Core, { openFile }: Pick<Files, 'openFile'>): Vault {
  const { api, check, platform, toFailure } = core
  const { ciphers } = platform
  const stop = (phrase: Phrase, reason: string) => new Stop(toFailure('failure', { phrase, data: { reason } }))
  const info = () => api.call('vault.info', {})
  const vaultOf = async () => {
    const { vault } = need(await info())
    if (!vault) throw stop('vaultNone', 'noVault')
    return vault
  }
  const strong = (passphrase: string) => {
    if ([...passphrase].length < VAULT_PASSPHRASE_MIN) throw stop('vaultWeak', 'weak')
    return passphrase
  }
  const text = async (kit: Kit) => {
    const account = await api.call('accounts.info', {})
    const name = isSuccess(account) ? account.data.user_email || account.data.username : ''
    return kitText(kit, { portal: api.url, account: name, date: new Date().toISOString().slice(0, 10) })
  }
  const kitWay = ({ wrap }: Kit) => ({ kind: 'kit' as const, name: 'kit', wrap })

  /** The key of the first wrap that opens; undefined if none does. */
  async function firstOf(
    ways: readonly Way[],
    decryption: (way: Way) => Promise<OpenWith>,
  ): Promise<VaultKey | undefined> {
    for (const way of ways) {
      const open = await decryption(way)
      try {
        return await unwrapKey(ciphers, way.wrap, open)
      } catch (error) {
        if (error instanceof NotAKey) throw stop('vaultOther', 'otherKey')
        if (isRefused(error)) throw stop('vaultNoPasskey', 'noPasskey')
      }
    }
    return undefined
  }

  /** The key in a kit, which the portal is not asked for. */
  async function keyIn(kit: Partial<Kit>): Promise<VaultKey | undefined> {
    if (!kit.wrap || !kit.recovery) return undefined
    const key = await unwrapKey(ciphers, kit.wrap, { identities: [kit.recovery] }).catch(() => undefined)
    return key && (kit.recipient === undefined || kit.recipient === key.recipient) ? key : undefined
  }

  async function unlock(by: VaultUnlock): Promise<VaultKey> {
    const { ways, recipient } = await vaultOf()
    const of = (kind: VaultWayKind) => ways.filter((way) => way.kind === kind)
    let key: VaultKey | undefined
    if (by.kit !== undefined) {
      const kit = readKit(by.kit)
      if (!kit.recovery) throw stop('vaultNoKit', 'noKit')
      key = await firstOf(of('kit'), async () => ({ identities: [kit.recovery] }))
      if (!key && (await keyIn(kit))?.recipient === recipient) throw stop('vaultKitReplaced', 'kitReplaced')
      // The kit says which key it is for. Anyone could encrypt another one for a recovery key whose public part they know.
      if (key && kit.recipient !== undefined && kit.recipient !== key.recipient) throw stop('vaultOther', 'otherKey')
    } else if (by.passkey) {
      if (of('passkey').length === 0) throw stop('vaultNoPasskey', 'noPasskey')
      key = await firstOf(of('passkey'), async ({ credential }) => ({
        identities: [await passkeyIdentity(credential)],
      }))
    } else {
      const { passphrase = '' } = by
      key = passphrase === '' ? undefined : await firstOf(of('passphrase'), async () => ({ passphrase }))
    }
    if (!key) throw stop('vaultWrongKey', 'wrongKey')
    // Files are encrypted for the key that was unlocked, never for the one that the portal names.
    if (key.recipient !== recipient) throw stop('vaultOther', 'otherKey')
    return key
  }

  return {
    info: () => settle(core, info),
    prepare: (options) =>
      settle(core, async () => {
        check.options(options, 'vaultPrepare')
        const { workFactor, name = 'passphrase' } = options
        const passphrase = strong(options.passphrase)
        const key = await newKey()
        const kit = await makeKit(ciphers, key)
        const wrap = await wrapKey(ciphers, key, { passphrase, ...(workFactor && { workFactor }) })
        const ways = [kitWay(kit), { kind: 'passphrase' as const, name, wrap }]
        const save = () =>
          settle(core, async () => {
            need(await api.call('vault.create', { recipient: key.recipient, ways }))
            return success(key, api.lang)
          })
        return success({ kit: await text(kit), save }, api.lang)
      }),
    unlock: (by) =>
      settle(core, async () => {
        check.options(by, 'vaultUnlock')
        return success(await unlock(by), api.lang)
      }),
    openKit: (kit) =>
      settle(core, async () => {
        const read = readKit(kit)
        if (!read.recovery || !read.wrap) throw stop('vaultNoKit', 'noKit')
        const key = await keyIn(read)
        if (!key) throw stop('vaultWrongKey', 'wrongKey')
        return success(key, api.lang)
      }),
    addWay: (given, way) =>
      settle(core, async () => {
        check.options(way, 'vaultWay')
        check.name(way.name)
        const key = await keyOf(given.identity)
        const common = { recipient: key.recipient, ...(way.replaces !== undefined && { replaces: way.replaces }) }
        if (way.passkey) {
          const { credential, wrap } = await passkeyWay(key, way.name)
          const added = { kind: 'passkey' as const, name: way.name, wrap, credential }
          return api.call('vault.addWay', { ...common, way: added })
        }
        const passphrase = strong(way.passphrase ?? '')
        const wrap = await wrapKey(ciphers, key, { passphrase, ...(way.workFactor && { workFactor: way.workFactor }) })
        return api.call('vault.addWay', { ...common, way: { kind: 'passphrase', name: way.name, wrap } })
      }),
    newKit: (given) =>
      settle(core, async () => {
        const key = await keyOf(given.identity)
        const kit = await makeKit(ciphers, key)
        const save = () => settle(core, () => api.call('vault.addWay', { recipient: key.recipient, way: kitWay(kit) }))
        return success({ kit: await text(kit), save }, api.lang)
      }),
    removeWay: (id) => settle(core, () => api.call('vault.removeWay', { id })),
    remove: (options = {}) =>
      settle(core, async () => {
        check.options(options, 'vaultRemove')
        return api.call('vault.remove', { lose_files: options.loseFiles ?? false })
      }),
    sealedBy: (cid, options = {}) =>
      settle(core, async () => {
        const file = need(await openFile(cid, options))
        const front = need(await file.read(0, Math.min(file.size, 4096)))
        return success({ by: sealedBy(front) ?? null }, api.lang)
      }),
  }

  /** Creates the passkey, and asks for it a second time to encrypt the key. */
  async function passkeyWay(key: VaultKey, name: string): Promise<{ credential: string; wrap: string }> {
    try {
      const credential = await createPasskey(`Tidenet vault: ${name}`)
      return { credential, wrap: await wrapKey(ciphers, key, { recipients: [await passkeyRecipient(credential)] }) }
    } catch (error) {
      const data = { reason: 'noPasskey', cause: String((error as Error).message) }
      throw new Stop(toFailure('failure', { phrase: 'vaultNoPasskey', data }))
    }
  }
}

/** The person, or the browser, did not give the passkey. */
const isRefused = (error: unknown): boolean =>
  (typeof DOMException !== 'undefined' && error instanceof DOMException) || /PRF/.test((error as Error).message)
