import { createHash, randomBytes } from 'node:crypto'
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { GetObjectCommand, ListObjectsV2Command, type S3Client } from '@aws-sdk/client-s3'

/** Trees of files that clients of S3 send and fetch, compared by the SHA-256 of each file. */

const KiB = 1024
const MiB = 1024 * KiB

/** Names that break what encodes badly, and sizes on both sides of the limits of gateway and clients. */
const FILES: readonly (readonly [path: string, size: number])[] = [
  ['empty', 0],
  ['with space/a b  c.txt', 5],
  ['plus+and%20percent/100%+1.txt', 300],
  ['照片/海滩 一.bin', 40 * KiB],
  ["quotes'()!*~/é & ü=?#.txt", 1000],
  ['deep/a/b/c/d/e/empty', 0],
  ['just-below', MiB - 1],
  ['just-above', MiB + 1],
  ['parts.bin', 30 * MiB],
]

/** By path, with `/` between folders. */
export type Tree = Record<string, string>

const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex')

/** Writes the files above, and `small` ones of 16 KiB. */
export async function writeTree(folder: string, { small = 40 } = {}): Promise<Tree> {
  const files = [...FILES, ...Array.from({ length: small }, (_, index) => [`small/${index}`, 16 * KiB] as const)]
  const tree: Tree = {}
  for (const [path, size] of files) {
    const bytes = randomBytes(size)
    await mkdir(dirname(join(folder, path)), { recursive: true })
    await writeFile(join(folder, path), bytes)
    tree[path] = sha256(bytes)
  }
  return sorted(tree)
}

export async function treeOf(folder: string): Promise<Tree> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  const paths = entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1))
  return sorted(
    Object.fromEntries(
      await Promise.all(paths.map(async (path) => [path, sha256(await readFile(join(folder, path)))])),
    ),
  )
}

/** What a bucket has, through the AWS SDK: the second client, whichever wrote. */
export async function treeOfBucket(client: S3Client, Bucket: string, Prefix = ''): Promise<Tree> {
  const tree: Tree = {}
  let ContinuationToken: string | undefined
  do {
    const page = await client.send(new ListObjectsV2Command({ Bucket, Prefix, ContinuationToken }))
    for (const { Key = '' } of page.Contents ?? []) {
      const { Body } = await client.send(new GetObjectCommand({ Bucket, Key }))
      tree[Key.slice(Prefix.length)] = sha256((await Body?.transformToByteArray()) ?? new Uint8Array())
    }
    ContinuationToken = page.NextContinuationToken
  } while (ContinuationToken)
  return sorted(tree)
}

const sorted = (tree: Tree): Tree => Object.fromEntries(Object.entries(tree).sort(([a], [b]) => (a < b ? -1 : 1)))
