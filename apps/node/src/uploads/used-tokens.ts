import { createHash } from 'node:crypto'
import { type FileHandle, open, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { UPLOAD_TOKEN_LIFE } from '@tidenet/contract'
import { z } from 'zod'
import { writeDurably } from '../contents/durable.ts'
import type { Write } from '../contents/write-ahead.ts'
import { parseJson } from '../parse-json.ts'

const entry = z.object({ upload: z.string(), cid: z.string(), size: z.number(), receipt: z.string(), exp: z.number() })
/** The use of an upload token. `exp` in unix seconds, as in the token; `size` as sent by the client. */
export type UsedToken = z.infer<typeof entry>

/** Upload tokens that were used; each may store something once. Survives restarts. */
export interface UsedTokens {
  get(upload: string): UsedToken | undefined
  add(used: UsedToken): Promise<void>
  /** The entry as a write for the write-ahead log; `noted` once it is written. */
  asWrite(used: UsedToken): Write
  noted(used: UsedToken): void
  close(): Promise<void>
}

/** Name of an upload; it cannot be guessed without the token. */
export const uploadName = (jti: string): string =>
  createHash('sha256').update(`upload ${jti}`).digest('hex').slice(0, 32)

const NAME = 'uploads.jsonl'
/**
 * The most uses in memory, about 100 MB. Beyond, the oldest is forgotten: its token could store something of the same size once more, which is
 * deleted again because nothing lists it.
 */
export const USED_TOKENS_MAX = 100_000
/** An entry truncated by a full disk must not corrupt the next one. */
const lineOf = (entry: UsedToken): string => `\n${JSON.stringify(entry)}\n`

/**
 * Reads the record in the data folder and rewrites it without expired entries.
 * @param now unix ms
 */
export async function openUsedTokens(folder: string, now: () => number, max = USED_TOKENS_MAX): Promise<UsedTokens> {
  const path = join(folder, NAME)
  const used = new Map<string, UsedToken>()
  const text = await readFile(path, 'utf8').catch(() => '')
  for (const line of text.split('\n')) {
    // The last line may be incomplete after a crash; its upload was not answered.
    const parsed = entry.safeParse(parseJson(line))
    if (parsed.success && parsed.data.exp * 1000 > now()) used.set(parsed.data.upload, parsed.data)
  }
  for (const upload of [...used.keys()].slice(0, Math.max(0, used.size - max))) used.delete(upload)
  const compact = writeDurably(path, [...used.values()].map((entry) => `${JSON.stringify(entry)}\n`).join(''), 0o600)
  // If the disk is full, the longer record stays, which is equivalent.
  await compact.catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOSPC' && error.code !== 'EDQUOT') throw error
  })
  const file: FileHandle = await open(path, 'a')
  const note = (entry: UsedToken) => {
    // The oldest come first; tokens are valid equally long. An upload that began in time may end after its token expired.
    for (const [upload, { exp }] of used) {
      if (exp * 1000 + UPLOAD_TOKEN_LIFE > now() && used.size < max) break
      used.delete(upload)
    }
    used.set(entry.upload, entry)
  }
  return {
    get: (upload) => used.get(upload),
    async add(entry) {
      await file.appendFile(lineOf(entry))
      await file.datasync()
      note(entry)
    },
    asWrite: (entry) => ({ path: NAME, bytes: Buffer.from(lineOf(entry)), append: true }),
    noted: note,
    close: () => file.close(),
  }
}
