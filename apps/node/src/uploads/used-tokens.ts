import { createHash } from 'node:crypto'
import { readdir, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { UPLOAD_TOKEN_LIFE } from '@tidenet/contract'
import { z } from 'zod'
import { writeDurably } from '../contents/durable.ts'
import type { Write } from '../contents/place.ts'
import { parseJson } from '../parse-json.ts'

const entry = z.object({ upload: z.string(), cid: z.string(), size: z.number(), receipt: z.string(), exp: z.number() })
/** The use of an upload token. `exp` in unix seconds, as in the token; `size` as sent by the client. */
export type UsedToken = z.infer<typeof entry>

/** Upload tokens that were used; each may store something once. Survives restarts. */
export interface UsedTokens {
  get(upload: string): UsedToken | undefined
  /** The entry as a write for the write-ahead log; `noted` once it is written. */
  asWrite(used: UsedToken): Write
  noted(used: UsedToken): void
  close(): Promise<void>
}

/** Name of an upload; it cannot be guessed without the token. */
export const uploadName = (jti: string): string =>
  createHash('sha256').update(`upload ${jti}`).digest('hex').slice(0, 32)

/**
 * The most uses in memory, about 100 MB. Beyond, the oldest is forgotten: its token could store something of the same size once more, which is
 * deleted again because nothing lists it.
 */
export const USED_TOKENS_MAX = 100_000
/** A file that is smaller is not written again. */
const FILE_MIN_BYTES = 4 << 20
/** Entries written at once, between which uploads go on. */
const BATCH = 500

/** An entry truncated by a full disk must not corrupt the next one. */
const lineOf = (entry: UsedToken): string => `\n${JSON.stringify(entry)}\n`

/** The files of the record: `uploads.jsonl`, and those that followed it since the start. */
const fileName = (number: number): string => (number === 0 ? 'uploads.jsonl' : `uploads-${number}.jsonl`)
const FILE = /^uploads(?:-(\d{1,15}))?\.jsonl(\.new)?$/

/**
 * Reads the record in the data folder and rewrites it without expired entries, at the start and whenever it has doubled.
 *
 * While the node runs, the entries in memory go to a new file, which also gets the next ones. The file before it stays until the next time:
 * a write that began earlier may still add to it. So after a kill at any moment, every entry is in some file.
 * @param now unix ms
 */
export async function openUsedTokens(
  folder: string,
  now: () => number,
  { max = USED_TOKENS_MAX, minBytes = FILE_MIN_BYTES }: { max?: number; minBytes?: number } = {},
): Promise<UsedTokens> {
  const pathOf = (number: number) => join(folder, fileName(number))
  const used = new Map<string, UsedToken>()
  /** Files with entries, in order; the last one gets the next entries. */
  let files = await filesIn(folder)
  for (const number of files)
    for (const line of (await readFile(pathOf(number), 'utf8')).split('\n')) {
      // The last line may be incomplete after a crash; its upload was not answered.
      const parsed = entry.safeParse(parseJson(line))
      if (parsed.success && parsed.data.exp * 1000 > now()) used.set(parsed.data.upload, parsed.data)
    }
  for (const upload of [...used.keys()].slice(0, Math.max(0, used.size - max))) used.delete(upload)

  let bytes = 0
  /** Bytes at which the next file begins. */
  let full = minBytes
  let rewriting: Promise<void> | undefined
  /** @param replaced files that the new one replaces, as nothing writes to them any more */
  const rewrite = async (number: number, replaced: readonly number[]) => {
    let written = 0
    await writeDurably(
      pathOf(number),
      inBatches(used.values(), (text) => {
        written += text.length
      }),
      0o600,
    )
    bytes = written
    full = Math.max(minBytes, 2 * written)
    files = [...files.filter((file) => file !== number && !replaced.includes(file)), number]
    for (const file of replaced) if (file !== number) await rm(pathOf(file), { force: true })
  }
  // If the disk is full, the longer record stays, which is equivalent.
  await rewrite(0, files).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOSPC' && error.code !== 'EDQUOT') throw error
    if (files.length === 0) files = [0]
  })
  const current = () => files.at(-1) as number
  const rewriteIfFull = () => {
    if (bytes < full || rewriting) return
    rewriting = rewrite(current() + 1, files.slice(0, -1))
      .catch(() => {
        full = bytes + minBytes
      })
      .finally(() => {
        rewriting = undefined
      })
  }
  const note = (entry: UsedToken) => {
    // The oldest come first; tokens are valid equally long. An upload that began in time may end after its token expired.
    for (const [upload, { exp }] of used) {
      if (exp * 1000 + UPLOAD_TOKEN_LIFE > now() && used.size < max) break
      used.delete(upload)
    }
    used.set(entry.upload, entry)
    bytes += lineOf(entry).length
    rewriteIfFull()
  }
  return {
    get: (upload) => used.get(upload),
    asWrite: (entry) => ({
      path: fileName(current()),
      bytes: Buffer.from(lineOf(entry)),
      append: true,
      mode: 0o600,
    }),
    noted: note,
    close: async () => rewriting,
  }
}

/** Numbers of the files that a run left, in order. What it had not finished is deleted. */
async function filesIn(folder: string): Promise<number[]> {
  const numbers: number[] = []
  for (const name of await readdir(folder)) {
    const found = FILE.exec(name)
    if (!found) continue
    if (found[2]) await rm(join(folder, name))
    else numbers.push(Number(found[1] ?? 0))
  }
  return numbers.sort((a, b) => a - b)
}

/** The entries as text. Uploads go on between two batches. */
async function* inBatches(entries: Iterable<UsedToken>, onText: (text: string) => void): AsyncGenerator<string, void> {
  let lines: string[] = []
  const text = () => {
    const all = lines.join('')
    lines = []
    onText(all)
    return all
  }
  for (const entry of entries) {
    lines.push(`${JSON.stringify(entry)}\n`)
    if (lines.length === BATCH) yield text()
  }
  yield text()
}
