import { join } from 'node:path'
import {
  type Cid,
  cidText,
  isContentError,
  MAX_BLOCK_SIZE,
  parseCid,
  RAW,
  readCar,
  sameCid,
  verifyBlock,
} from '@tidenet/content'
import { walk } from '@tidenet/content/graph'
import { folderOfOne, readNode } from '@tidenet/content/unixfs'
import type { ImportReason } from '@tidenet/contract'
import { type BlockFile, createBlockFile } from './block-file.ts'
import { storeFile } from './from-url.ts'
import { ImportFailed } from './import-failed.ts'
import { type ImportTask, requireFits } from './import-task.ts'
import { fetchSource, piecesOf } from './source-fetch.ts'

/** Most blocks of a content: for each, a gateway keeps its place in memory. */
const BLOCKS_MAX = 1_000_000
/** Bytes of CIDs and lengths beside the blocks of a CAR, and blocks that a gateway sends twice. */
const CAR_OVERHEAD = 1.1

/**
 * Fetches the blocks of a content from the gateways that the operator named, and stores them under the same CID. Each gateway is asked for a
 * CAR until all blocks are there, then for the missing blocks one by one. None is trusted: a block counts if it matches its CID and something
 * that was verified before leads to it. A file without raw leaves gets a folder of its own, because nodes verify the leaves of files one by one.
 * @returns the CID. @throws ImportFailed
 */
export async function importFromCid(task: ImportTask): Promise<string> {
  const { job } = task
  const root = parseCid(job.source).toV1()
  const blocks = await createBlockFile(join(task.folder, 'blocks.car'), root)
  try {
    const fetching = createFetching(task, root, blocks)
    const { isWrapped } = await fetching.all()
    task.counts.total = task.counts.received
    const name = job.name || cidText(root)
    if (isWrapped) {
      await putIntoFolder(task, root, blocks, name)
      // If this gateway dies, the portal finds the folder only by what it was told before.
      await task.tell()
    }
    return await storeFile(task, blocks.path, name, { importCar: true })
  } finally {
    await blocks.close()
  }
}

async function putIntoFolder(task: ImportTask, root: Cid, blocks: BlockFile, name: string): Promise<void> {
  const bytes = (await blocks.read(root)) as Uint8Array
  const { links } = readNode(root, bytes)
  task.wrappedBytes = links.reduce((sum, { cumulativeSize }) => sum + cumulativeSize, bytes.length)
  const folder = await folderOfOne(name, root, task.wrappedBytes)
  await blocks.add(folder.cid, folder.bytes)
  await blocks.reroot(folder.cid)
}

function createFetching(task: ImportTask, root: Cid, blocks: BlockFile) {
  const { job, limits, counts } = task
  /** CIDs to which a verified block leads. */
  const wanted = new Set([cidText(root)])
  let worst: ImportReason = 'noSource'

  const add = async (cid: Cid, bytes: Uint8Array) => {
    const name = cidText(cid)
    if (!wanted.has(name) || blocks.has(cid)) return
    if (cid.code !== RAW) for (const link of linksOf(cid, bytes)) wanted.add(cidText(link.cid.toV1()))
    // Links to blocks that nobody has cost memory, too.
    if (wanted.size > BLOCKS_MAX) throw new ImportFailed('unsupported', 'too many blocks')
    await blocks.add(cid, bytes)
    counts.received += bytes.length
    requireFits(task, blocks.size())
    if (blocks.count() > BLOCKS_MAX) throw new ImportFailed('unsupported', 'too many blocks')
  }
  /** What is verified and too large or unusable ends the import. Apart from that, a gateway that fails or lies is only passed over. */
  const passOver = (error: unknown) => {
    limits.signal.throwIfAborted()
    requireFits(task, blocks.size())
    if (error instanceof ImportFailed && error.reason === 'unsupported') throw error
    if (!(error instanceof ImportFailed) && !isContentError(error)) throw error
    if (isContentError(error) || (error.reason !== 'missing' && error.reason !== 'unreachable')) worst = 'wrongBlocks'
  }
  const ask = async (gateway: string, cid: Cid, query: string, accept: string, most: number) => {
    const url = new URL(`${gateway}/ipfs/${cidText(cid)}?${query}`)
    const answer = await fetchSource(url, limits, { most, headers: { accept }, isNamed: true })
    if (answer.status === 200) return answer.body
    answer.body.destroy()
    throw new ImportFailed(answer.status === 404 || answer.status === 410 ? 'missing' : 'unreachable')
  }
  const readCarOf = async (gateway: string) => {
    const most = Math.ceil(Math.min(task.free, job.file_max) * CAR_OVERHEAD) + MAX_BLOCK_SIZE
    const query = 'format=car&dag-scope=all&car-order=dfs&car-dups=n'
    const accept = 'application/vnd.ipld.car; version=1; order=dfs; dups=n'
    const body = await ask(gateway, root, query, accept, most)
    try {
      const reading = readCar(piecesOf(body), { signal: limits.signal })
      for await (const { cid, bytes } of reading.blocks) await add(cid.toV1(), bytes)
    } finally {
      body.destroy()
    }
  }
  const readBlockOf = async (gateway: string, cid: Cid) => {
    const body = await ask(gateway, cid, 'format=raw', 'application/vnd.ipld.raw', MAX_BLOCK_SIZE)
    const pieces: Uint8Array[] = []
    for await (const piece of piecesOf(body)) pieces.push(piece)
    const bytes = Buffer.concat(pieces)
    await verifyBlock(cid, bytes)
    await add(cid, bytes)
  }
  const getBlock = async (cid: Cid): Promise<Uint8Array> => {
    const known = await blocks.read(cid)
    if (known) return known
    for (const gateway of job.ipfs_sources) {
      await readBlockOf(gateway, cid).catch(passOver)
      const bytes = await blocks.read(cid)
      if (bytes) return bytes
    }
    throw new ImportFailed(blocks.count() > 0 ? 'wrongBlocks' : worst)
  }
  return {
    /** Until every block is there, and all of them together are a file or a folder. */
    async all(): Promise<{ isWrapped: boolean }> {
      for (const gateway of job.ipfs_sources) {
        const before = blocks.count()
        const isWhole = await readCarOf(gateway).then(
          () => true,
          (error: unknown) => {
            passOver(error)
            return false
          },
        )
        if (isWhole && blocks.count() > before) break
      }
      try {
        let isFile = false
        let isWrapped = false
        for await (const { cid, bytes } of walk(root, (cid) => getBlock(cid.toV1()), { signal: limits.signal })) {
          if (cid.code === RAW) continue
          const { kind, data, links } = readNode(cid, bytes)
          if (sameCid(cid, root)) isFile = kind === 'file' || kind === 'raw'
          isWrapped ||= isFile && (data.length > 0 || links.length === 0)
        }
        return { isWrapped }
      } catch (error) {
        limits.signal.throwIfAborted()
        if (isContentError(error)) throw error.code === 'mismatch' ? new ImportFailed('wrongBlocks') : unusable()
        throw error
      }
    },
  }
}

/** @throws ImportFailed if a verified block is not one of files and folders */
function linksOf(cid: Cid, bytes: Uint8Array) {
  try {
    return readNode(cid, bytes).links
  } catch (error) {
    throw isContentError(error) ? unusable() : error
  }
}

const unusable = () => new ImportFailed('unsupported')
