// Files of gigabytes, folders of many files, and what processes need for them.
import { createCipheriv, createHash, randomFillSync } from 'node:crypto'
import { createReadStream, createWriteStream, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import pg from 'pg'

const PIECE = 4 * 2 ** 20

/** Bytes that no compression and no deduplication shortens, made faster than a disk writes. */
function* pattern(size: number): Generator<Buffer> {
  const cipher = createCipheriv('aes-256-ctr', Buffer.alloc(32, 7), Buffer.alloc(16))
  const zeros = Buffer.alloc(PIECE)
  for (let at = 0; at < size; at += PIECE) yield cipher.update(zeros.subarray(0, Math.min(PIECE, size - at)))
}

/** Writes a file of `size` bytes. @returns its SHA-256, hex */
export async function writeLargeFile(path: string, size: number): Promise<string> {
  await pipeline(Readable.from(pattern(size)), createWriteStream(path))
  return sha256(createReadStream(path))
}

/** @returns the SHA-256 of all pieces, hex */
export async function sha256(pieces: AsyncIterable<Uint8Array>): Promise<string> {
  const hash = createHash('sha256')
  for await (const piece of pieces) hash.update(piece)
  return hash.digest('hex')
}

/** Gives every account of a network this much storage and download traffic. */
export async function provideQuota(databaseUrl: string, bytes: number): Promise<void> {
  const database = new pg.Client({ connectionString: databaseUrl })
  await database.connect()
  try {
    await database.query('update users set storage_quota = $1, outflow_quota = $1', [bytes])
  } finally {
    await database.end()
  }
}

/** A file of a process in `/proc`, or an empty text if it has ended. */
export function ofProcess(pid: number | string, file: string): string {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'utf8')
  } catch {
    return ''
  }
}

/** The most resident memory that a process had, MiB; 0 if it has ended. */
export const peakMemory = (pid: number | string = 0): number =>
  Number(/VmHWM:\s+(\d+)/.exec(ofProcess(pid, 'status'))?.[1] ?? 0) / 1024

export const FILES_PER_FOLDER = 250

/** The folder of a file of `writeTree`. */
export const treeFolder = (index: number) => `tide ${String(Math.floor(index / FILES_PER_FOLDER)).padStart(3, '0')}`

/** The path of a file of `writeTree`. */
export const treePath = (index: number) => `${treeFolder(index)}/潮汐 ${index}.txt`

/** Writes a folder of `count` files, each with different bytes, 200 to 1,400 of them; the first say which file it is. */
export function writeTree(at: string, count: number): void {
  for (let index = 0; index < count; index++) {
    if (index % FILES_PER_FOLDER === 0) mkdirSync(join(at, treeFolder(index)), { recursive: true })
    const bytes = randomFillSync(Buffer.alloc(200 + ((index * 7919) % 1200)))
    bytes.write(`file ${index}\n`)
    writeFileSync(join(at, treePath(index)), bytes)
  }
}
