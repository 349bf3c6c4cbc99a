import { createCipheriv, createDecipheriv, createHash, randomBytes } from 'node:crypto'
import { chmod, mkdir, open, readdir, readFile, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { createKeyedMutex } from '@tidenet/daemon'

/**
 * Where accounts, certificates, private keys, open orders, answers to challenges and the ledger of quotas are. Servers that share a store
 * share all of these: leases are made of `replace` as well, so a database needs one table of keys and values.
 */
export interface CertificateStore {
  /** The value of a key; undefined if there is none. */
  read(key: string): Promise<string | undefined>
  /**
   * Replaces a value by another one, in one step: only if it is still `before` (undefined: there is none). An undefined `after` deletes it.
   * @returns whether it was replaced
   */
  replace(key: string, before: string | undefined, after: string | undefined): Promise<boolean>
  /** The keys that begin so. @param prefix such as `certificate/` */
  keys(prefix: string): Promise<string[]>
}

/** Keys of the store: words and names, separated by slashes, such as `certificate/_.apps.example.com-2b…`. */
const KEY = /^[a-z0-9_-][a-z0-9._-]*(?:\/[a-zA-Z0-9_-][a-zA-Z0-9._-]*)+$/

/** File systems limit names to 255 bytes. */
const NAME_MAX = 200

/** For tests, and for programs that may lose everything. */
export function createMemoryStore(): CertificateStore {
  const values = new Map<string, string>()
  return {
    read: async (key) => values.get(key),
    async replace(key, before, after) {
      if (values.get(key) !== before) return false
      if (after === undefined) values.delete(key)
      else values.set(key, after)
      return true
    },
    keys: async (prefix) => [...values.keys()].filter((key) => key.startsWith(prefix)),
  }
}

/**
 * Files that only their owner can read (0600, in folders 0700), each written completely or not at all. For one process: several need a
 * database.
 * @param folder is created if missing
 */
export function createFolderStore(folder: string): CertificateStore {
  const alone = createKeyedMutex()
  const pathOf = (key: string) => {
    if (!KEY.test(key)) throw new TypeError(`Not a key of the certificate store: ${key}`)
    const name = encodeURIComponent(key)
    return join(folder, name.length <= NAME_MAX ? name : createHash('sha256').update(name).digest('hex'))
  }
  const read = async (key: string) => {
    try {
      return await readFile(pathOf(key), 'utf8')
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
      throw error
    }
  }
  const write = async (path: string, value: string) => {
    await mkdir(folder, { recursive: true, mode: 0o700 })
    const draft = `${path}~`
    // A draft of a killed process may have other permissions.
    await rm(draft, { force: true })
    const file = await open(draft, 'wx', 0o600)
    try {
      await file.writeFile(value)
      await file.sync()
    } finally {
      await file.close()
    }
    // The process may have an umask that takes even these away.
    await chmod(draft, 0o600)
    await rename(draft, path)
  }
  return {
    read,
    replace: (key, before, after) =>
      alone(key, async () => {
        if ((await read(key)) !== before) return false
        if (after === undefined) await rm(pathOf(key), { force: true })
        else await write(pathOf(key), after)
        return true
      }),
    async keys(prefix) {
      const names = await readdir(folder).catch((error: NodeJS.ErrnoException) => {
        if (error.code === 'ENOENT') return []
        throw error
      })
      // Drafts are no keys, and hashes of long names cannot be read back.
      return names.map(decodeURIComponent).filter((key) => KEY.test(key) && key.startsWith(prefix))
    },
  }
}

const ALGORITHM = 'aes-256-gcm'
const NONCE_BYTES = 12
const TAG_BYTES = 16

/**
 * Encrypts the values of another store, so that a copy of a database holds no private keys. A value cannot be moved to another key.
 * @param secret 32 bytes
 */
export function createSealedStore(store: CertificateStore, secret: Buffer): CertificateStore {
  const seal = (key: string, value: string) => {
    const nonce = randomBytes(NONCE_BYTES)
    const cipher = createCipheriv(ALGORITHM, secret, nonce).setAAD(Buffer.from(key))
    const sealed = Buffer.concat([cipher.update(value, 'utf8'), cipher.final()])
    return Buffer.concat([nonce, cipher.getAuthTag(), sealed]).toString('base64')
  }
  const unseal = (key: string, text: string) => {
    const bytes = Buffer.from(text, 'base64')
    const decipher = createDecipheriv(ALGORITHM, secret, bytes.subarray(0, NONCE_BYTES), { authTagLength: TAG_BYTES })
    decipher.setAAD(Buffer.from(key)).setAuthTag(bytes.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES))
    return decipher.update(bytes.subarray(NONCE_BYTES + TAG_BYTES)).toString('utf8') + decipher.final('utf8')
  }
  const read = async (key: string) => {
    const sealed = await store.read(key)
    return { sealed, value: sealed === undefined ? undefined : unseal(key, sealed) }
  }
  return {
    read: async (key) => (await read(key)).value,
    async replace(key, before, after) {
      const { sealed, value } = await read(key)
      return value === before && store.replace(key, sealed, after === undefined ? undefined : seal(key, after))
    },
    keys: (prefix) => store.keys(prefix),
  }
}
