import type { Readable } from 'node:stream'
import { isContentError } from '@tidenet/content'
import { carFrame, carHeader, readCar, writeCar } from '@tidenet/content/car'
import { catFile, walk } from '@tidenet/content/graph'
import { verifyingGet } from '@tidenet/content/verify'
import { walkToLeaf } from '@tidenet/content/walk-to-leaf'
import { copyAddress, fetchNode } from '../../network/index.ts'
import type { Context } from '../context.ts'
import { findSourceNodes } from '../downloads/sources.ts'
import { type Stored, type ThirdParty, ThirdPartyError } from './adapter.ts'

/** Bytes between nodes and providers; every block is verified against the CID on the way. */

/** Paths from the root to a leaf that are read back. */
const SAMPLES = 3
const SOURCES_MAX = 5

/** Most bytes of an archive: repeated blocks and headers included. */
const archiveMost = (size: number): number => 2 * size + 65_536

/** The verified blocks of a content from the network's own nodes, as a CAR. @throws ThirdPartyError source */
export async function* carFromNodes(
  context: Pick<Context, 'db' | 'clock' | 'config' | 'keys' | 'policy'>,
  { cid, size }: Pick<Stored, 'cid' | 'size'>,
  signal: AbortSignal,
): AsyncIterable<Uint8Array> {
  const { body, first } = await open(context, { cid, size }, signal)
  try {
    yield first
    yield* body
  } catch (error) {
    signal.throwIfAborted()
    throw new ThirdPartyError('source', `a node did not send it whole: ${(error as Error).message}`)
  }
}

async function open(
  context: Parameters<typeof carFromNodes>[0],
  { cid, size }: Pick<Stored, 'cid' | 'size'>,
  signal: AbortSignal,
): Promise<{ body: AsyncIterable<Uint8Array>; first: Uint8Array }> {
  const { nodes } = await findSourceNodes(context, cid.toString(), [])
  let why = 'no node is reachable that has it'
  for (const node of nodes.slice(0, SOURCES_MAX)) {
    let body: Readable | undefined
    try {
      const address = await copyAddress(context, node, cid.toString(), 'third-party')
      body = await fetchNode(context, `${address}&format=car`, archiveMost(size), signal)
      const reading = readCar(body)
      await reading.roots
      return { body: frames(reading.blocks), first: carHeader([cid]) }
    } catch (error) {
      signal.throwIfAborted()
      body?.destroy()
      why = (error as Error).message
    }
  }
  throw new ThirdPartyError('source', why)
}

async function* frames(blocks: ReturnType<typeof readCar>['blocks']): AsyncIterable<Uint8Array> {
  for await (const block of blocks) yield carFrame(block)
}

/** @throws ThirdPartyError of a provider that cannot be read from */
const reader = (provider: ThirdParty, signal: AbortSignal) => {
  const { readBlock } = provider
  if (!readBlock) throw new ThirdPartyError('unverified', 'a simulation stores no bytes')
  return verifyingGet((cid) => readBlock(cid, signal))
}

/**
 * Reads random leaves back from a provider, with the blocks above them, and verifies them: a statement that it stores a content proves
 * nothing.
 * @throws ThirdPartyError unverified, or unreachable
 */
export async function readBack(
  provider: ThirdParty,
  { cid }: Pick<Stored, 'cid'>,
  signal: AbortSignal,
  random: () => number = Math.random,
): Promise<void> {
  const getBlock = reader(provider, signal)
  try {
    for (let sample = 0; sample < SAMPLES; sample++) await walkToLeaf(cid, random(), getBlock)
  } catch (error) {
    signal.throwIfAborted()
    if (error instanceof ThirdPartyError && error.reason === 'unreachable') throw error
    const why = (error as Error).message
    throw new ThirdPartyError('unverified', isContentError(error) ? `wrong block: ${why}` : `no block: ${why}`)
  }
}

/** The whole content from a provider, for a node: the bytes of a file, or the CAR of a folder. Every block is verified. */
export function bytesFromProvider(
  provider: ThirdParty,
  { cid, kind }: Pick<Stored, 'cid' | 'kind'>,
  signal: AbortSignal,
): AsyncIterable<Uint8Array> {
  const getBlock = reader(provider, signal)
  return kind === 'file' ? catFile(cid, getBlock, { signal }) : writeCar([cid], walk(cid, getBlock, { signal }))
}
