import { type Cid, cidOfDigest, DAG_PB, isContentError, sameCid, sha256 } from '@tidenet/content'
import { readNode } from '@tidenet/content/unixfs'
import { wholeLinks } from '@tidenet/content/whole-links'
import { AppError, type contract, type Parsed } from '@tidenet/contract'
import { readCid } from '../../platform/cids.ts'
import { type Context, now } from '../context.ts'
import * as placement from '../placement/placement.ts'
import * as repository from './repository.ts'

/**
 * Records that a content contains a blocked one. Any node may say so, because the blocks prove it: nothing else is believed. The content is
 * neither audited nor copied while the block lasts.
 * @throws AppError badCid, notContained
 */
export async function takeProof(
  context: Pick<Context, 'db' | 'clock'>,
  input: Parsed<(typeof contract)['nodeControl']['contains']>,
): Promise<void> {
  const { db } = context
  const root = readCid(input.cid)
  const part = readCid(input.blocked)
  const isKnown = (await placement.findContents(db, [root.text])).has(root.text)
  if (!isKnown || !(await repository.isBlocked(db, part.text)) || !(await provesPath(root.cid, input.blocks, part.cid)))
    throw new AppError('notContained')
  await repository.insertPart(db, { cid: root.text, part: part.text, at: now(context) })
}

/** Whether the first block is the root, each is linked by the one before, and the last links to `end` as to a whole file or folder. */
async function provesPath(root: Cid, blocks: readonly string[], end: Cid): Promise<boolean> {
  let expected = [root]
  for (const block of blocks) {
    const bytes = Buffer.from(block, 'base64')
    const cid = cidOfDigest(DAG_PB, await sha256(bytes))
    if (!expected.some((each) => sameCid(each, cid))) return false
    try {
      expected = wholeLinks(readNode(cid, bytes))
    } catch (error) {
      if (isContentError(error)) return false
      throw error
    }
  }
  return expected.some((cid) => sameCid(cid, end))
}
