import { readCar } from './car.ts'
import { type Cid, cidText, MAX_BLOCK_SIZE, RAW } from './cid.ts'
import { blockUrl, partUrl, withQuery } from './client-requests.ts'
import { collect } from './concat.ts'
import { readBlock as decodeBlock, type ReadBlock } from './dag.ts'
import { ContentError, isContentError } from './errors.ts'
import { prefixLength } from './hamt.ts'
import { type FileLayout, innerBlocks, readFileLayout, verifyLeaf } from './leaves.ts'
import { checkName } from './names.ts'
import { resolvePath } from './path.ts'
import { seededRandom } from './random.ts'
import { readNode, type UnixfsLink, type UnixfsNode } from './unixfs.ts'
import { verifyBlock } from './verify.ts'
import { childAt, DEPTH_MAX, walkToLeaf } from './walk-to-leaf.ts'

/**
 * Reads and verifies a few random leaves of a content from one node, with the requests of a client that downloads: the node cannot tell
 * which it is.
 */

export interface SampleAnswer {
  status: number
  /** The header Content-Range. */
  contentRange: string | undefined
  body: AsyncIterable<Uint8Array>
  /** Ends the request, unless the body was read to its end. */
  discard(): void
}

/**
 * Sends one GET.
 * @param range value of the header Range
 * @param most bytes after which the answer fails
 */
export type SampleGet = (url: string, ask: { range?: string; most: number }) => Promise<SampleAnswer>

export interface Sample {
  root: Cid
  kind: 'file' | 'folder'
  /** Bytes of the content. */
  size: number
  /** The address for a download. */
  url: string
  /** The address for looking through a folder, as portals do before a download; required for folders. */
  listUrl?: string | undefined
  /** 0 ≤ x < 1; determines the leaves, so that another auditor can read the same ones. */
  position: number
}

/** The node answered with another status or range. */
export class UnexpectedAnswer extends Error {}

const LEAVES_MAX = 4
/** As many nodes as a download has at most; the size of its chunks depends on their number. */
const NODES_MAX = 20
const CHUNK_MAX = 1 << 20
/** The inner nodes of larger files are too much for a sample: it walks to one leaf. So are inner nodes and lists of more bytes than this. */
const FILE_MAX = 8 * 2 ** 30
const INNER_MAX = 2 << 20
/** A sample has fewer bytes, unless a folder has a list or a file of an unusual shape. */
export const SAMPLE_MAX = 6 << 20
/** Idle timeout of the requests. */
export const SAMPLE_SILENCE_MS = 15_000

/** @returns the bytes of the leaves. Throws UnexpectedAnswer, ContentError, and errors of `get` */
export async function readSample(sample: Sample, get: SampleGet): Promise<number> {
  const { kind, size, listUrl } = sample
  if (size === 0 || (kind === 'file' ? size > FILE_MAX : listUrl === undefined)) return walk(sample, get)
  try {
    return await readAsClient(sample, get)
  } catch (error) {
    // The hashes are right: the content was made in a way that clients cannot read.
    if (isContentError(error) && (error.code === 'bad-dag' || error.code === 'too-large')) return walk(sample, get)
    throw error
  }
}

async function readAsClient(
  { root, kind, size, url, listUrl = '', position }: Sample,
  get: SampleGet,
): Promise<number> {
  // The same for every auditor of this position.
  const random = seededRandom(Math.floor(position * 2 ** 32))
  if (kind === 'file') return readLeaves(root, size, url, get, random, position)
  const found = await findFile(root, listUrl, position, get)
  if (!found) return 0
  // A download of one file of a folder.
  await probe(withQuery(url, 'format', 'car'), get)
  const proof = withQuery(withQuery(partUrl(url, found.names), 'format', 'car'), 'dag-scope', 'block')
  const blocks = await readBlocks(root, await open(proof, get))
  const { cid, node } = (await resolvePath(root, found.names.join('/'), blockOf(blocks))).at(-1) as ReadBlock
  return readLeaves(cid, node.fileSize, partUrl(url, found.names), get, random, found.position)
}

/** Leaves of a file: a probe, its inner nodes, and ranges. */
async function readLeaves(
  root: Cid,
  size: number,
  url: string,
  get: SampleGet,
  random: () => number,
  position: number,
): Promise<number> {
  if (size === 0) return 0
  await probe(url, get)
  const layout = await layoutOf(root, size, url, get)
  let bytes = 0
  for (const run of runsOf(layout, position, random)) bytes += await readRun(layout, run, url, get)
  return bytes
}

async function layoutOf(root: Cid, size: number, url: string, get: SampleGet): Promise<FileLayout> {
  if (root.code === RAW) return readFileLayout(root, size, async () => new Uint8Array())
  const blocks = await innerBlocks(root, limited(await open(withQuery(url, 'format', 'inner'), get)))
  return readFileLayout(root, undefined, blockOf(blocks))
}

interface Run {
  first: number
  last: number
}

/** Chunks as a download from a random number of nodes has them: the one with the position, and sometimes others. */
function runsOf(layout: FileLayout, position: number, random: () => number): Run[] {
  const nodes = 1 + Math.floor(random() * NODES_MAX)
  const wanted = Math.min(CHUNK_MAX, layout.size / (5 * nodes))
  const leafSize = layout.leafSize || layout.size / layout.leafCount
  const leaves = Math.min(LEAVES_MAX, Math.max(1, Math.ceil(wanted / leafSize)))
  const chunks = Math.ceil(layout.leafCount / leaves)
  const count = 1 + Math.floor(random() * Math.floor(LEAVES_MAX / leaves))
  const chosen = new Set([Math.min(chunks - 1, Math.floor((position * layout.leafCount) / leaves))])
  while (chosen.size < Math.min(count, chunks)) chosen.add(Math.floor(random() * chunks))
  return [...chosen].map((chunk) => ({
    first: chunk * leaves,
    last: Math.min(layout.leafCount, (chunk + 1) * leaves),
  }))
}

async function readRun(layout: FileLayout, { first, last }: Run, url: string, get: SampleGet): Promise<number> {
  const start = layout.leafAt(first).offset
  const { offset, size } = layout.leafAt(last - 1)
  const end = offset + size
  const answer = await get(url, { range: `bytes=${start}-${end - 1}`, most: end - start })
  const whole = answer.status === 200 && start === 0 && end === layout.size
  const part = answer.status === 206 && answer.contentRange?.startsWith(`bytes ${start}-${end - 1}/`)
  if (!whole && !part) throw unexpected(answer)
  const bytes = await collect(answer.body)
  if (bytes.length !== end - start) throw new UnexpectedAnswer('it sent less than was asked for')
  for (let leaf = first; leaf < last; leaf++) {
    const at = layout.leafAt(leaf)
    if (!(await verifyLeaf(layout, leaf, bytes.subarray(at.offset - start, at.offset - start + at.size))))
      throw new ContentError('mismatch', `the bytes of leaf ${leaf} are wrong`)
  }
  return bytes.length
}

/**
 * Looks through a folder, as a portal does, to the file at the position.
 * @returns its path and the position within it; undefined if there is none
 */
async function findFile(
  root: Cid,
  url: string,
  position: number,
  get: SampleGet,
): Promise<{ names: string[]; position: number } | undefined> {
  await probe(withQuery(url, 'format', 'car'), get)
  const names: string[] = []
  for (let at = position; names.length < DEPTH_MAX; ) {
    const list = withQuery(withQuery(partUrl(url, names), 'format', 'car'), 'dag-scope', 'entity')
    const blocks = await readBlocks(root, await open(list, get))
    const directory = (await resolvePath(root, names.join('/'), blockOf(blocks))).at(-1) as ReadBlock
    const entry = await entryAt(directory.node, at, blockOf(blocks))
    if (!entry) return undefined
    names.push(nameOf(entry.link))
    at = entry.position
    if (entry.link.cid.code === RAW) return { names, position: at }
    const bytes = await collect(await open(blockUrl(url, entry.link.cid), get, MAX_BLOCK_SIZE))
    await verifyBlock(entry.link.cid, bytes)
    const { kind } = readNode(entry.link.cid, bytes)
    if (kind === 'file' || kind === 'raw') return { names, position: at }
    if (kind !== 'directory' && kind !== 'shard') return undefined
  }
  throw new ContentError('bad-dag', 'the folder is a tree of too many levels')
}

function nameOf({ name }: UnixfsLink): string {
  try {
    checkName(name)
    return name
  } catch (error) {
    throw new ContentError('bad-dag', 'a folder holds a name that is not one', { cause: error })
  }
}

type BlockOf = (cid: Cid) => Promise<Uint8Array>

/** The entry of a directory at the position, through its shards. */
async function entryAt(
  directory: UnixfsNode,
  position: number,
  getBlock: BlockOf,
): Promise<{ link: UnixfsLink; position: number } | undefined> {
  const digits = directory.kind === 'shard' ? prefixLength(directory.fanout) : 0
  let found = childAt(directory, position)
  for (let depth = 0; found && digits > 0 && found.link.name.length === digits; depth++) {
    if (depth === DEPTH_MAX) throw new ContentError('bad-dag', 'a directory of too many levels')
    found = childAt((await decodeBlock(found.link.cid, getBlock)).node, found.position)
  }
  return found && { link: { ...found.link, name: found.link.name.slice(digits) }, position: found.position }
}

/** The blocks of an archive, each referenced by an earlier one, none twice; every hash is verified. */
async function readBlocks(root: Cid, body: AsyncIterable<Uint8Array>): Promise<Map<string, Uint8Array>> {
  const blocks = new Map<string, Uint8Array>()
  const known = new Set([cidText(root)])
  for await (const { cid, bytes } of readCar(limited(body)).blocks) {
    const name = cidText(cid)
    if (!known.has(name) || blocks.has(name)) throw new ContentError('bad-car', 'a block that is not expected')
    blocks.set(name, bytes)
    for (const link of readNode(cid, bytes).links) known.add(cidText(link.cid))
  }
  return blocks
}

/** Every block is verified as it arrives, and none repeats, so only a content that has so many is too large. */
async function* limited(body: AsyncIterable<Uint8Array>): AsyncIterable<Uint8Array> {
  let size = 0
  for await (const part of body) {
    size += part.length
    // The last block is not verified yet.
    if (size > INNER_MAX + 2 * MAX_BLOCK_SIZE) throw new ContentError('too-large', 'inner nodes of too many bytes')
    yield part
  }
}

const blockOf =
  (blocks: ReadonlyMap<string, Uint8Array>): BlockOf =>
  async (cid) => {
    const bytes = blocks.get(cidText(cid))
    if (!bytes) throw new ContentError('bad-car', 'a block is missing')
    return bytes
  }

/** Requests one byte, as clients do to find the fastest node. */
async function probe(url: string, get: SampleGet): Promise<void> {
  const answer = await get(url, { range: 'bytes=0-0', most: Number.MAX_SAFE_INTEGER })
  if (answer.status === 200) return answer.discard()
  if (answer.status !== 206) throw unexpected(answer)
  if ((await collect(limited(answer.body))).length !== 1) throw new UnexpectedAnswer('it sent more than one byte')
}

async function open(url: string, get: SampleGet, most = Number.MAX_SAFE_INTEGER): Promise<AsyncIterable<Uint8Array>> {
  const answer = await get(url, { most })
  if (answer.status !== 200) throw unexpected(answer)
  return answer.body
}

/** One leaf by the blocks on its path. */
async function walk({ root, url, position }: Sample, get: SampleGet): Promise<number> {
  let size = 0
  await walkToLeaf(root, position, async (cid) => {
    const bytes = await collect(await open(blockUrl(url, cid), get, MAX_BLOCK_SIZE))
    size = bytes.length
    return bytes
  })
  return size
}

function unexpected(answer: SampleAnswer): UnexpectedAnswer {
  answer.discard()
  return new UnexpectedAnswer(`it answered ${answer.status}`)
}
