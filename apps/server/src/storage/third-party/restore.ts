import { randomBytes } from 'node:crypto'
import { transferTimeout, uploadAnswer } from '@tidenet/contract'
import { guardedBytes } from '@tidenet/daemon'
import { type NodeRow, placement } from '../../network/index.ts'
import { readCid } from '../../platform/cids.ts'
import { newTraceId } from '../../platform/trace-ids.ts'
import { spendReceipts } from '../contents/receipts.ts'
import { type Context, now } from '../context.ts'
import { grantUpload } from '../grants/grants.ts'
import { slotsOf, type Upload, uploadNodes, uploadTargets } from '../grants/targets.ts'
import { acceptReceipt } from '../receipts/receipts.ts'
import { restores as repository } from '../third-party-records/records.ts'
import type { ThirdParty } from './adapter.ts'
import { bytesFromProvider } from './blocks.ts'
import { providersOf } from './providers.ts'

type Deps = Pick<Context, 'db' | 'clock' | 'config' | 'keys' | 'policy' | 'log'>

const MINUTE = 60_000
/** Contents that a server fetches back at the same time. */
const PARALLEL = 2
const BATCHES = 20
const NODES_MAX = 3
/** Until a content is tried again after all providers failed: longer each time. */
const RETRY_MS = { first: 15_000, most: 60 * MINUTE }
/** The account of uploads that the network makes itself: its receipts prove no account's possession. */
const NETWORK = 'network:third-party'
const ANSWER_MAX = 65_536

/** Fetches contents that no node has back from third parties, onto invited nodes. From there, copies spread as usual. */
export async function restoreContents(context: Deps, signal: AbortSignal): Promise<void> {
  for (let batch = 0; batch < BATCHES && !signal.aborted; batch++) {
    const at = now(context)
    const until = new Date(at.getTime() + 10 * MINUTE)
    const claimed = await repository.claimRestores(context.db, at, until, PARALLEL)
    if (claimed.length === 0) return
    await Promise.all(claimed.map((content) => restore(context, content, signal)))
  }
}

async function restore(context: Deps, { cid, tries }: repository.Restoring, signal: AbortSignal): Promise<void> {
  const { db, log } = context
  const content = (await placement.findContents(db, [cid])).get(cid)
  // Deleted, or a node that has it came back.
  if (!content || (await placement.isAvailable(db, cid))) return void (await repository.endRestore(db, cid))
  const providers = new Map(providersOf(context).map((provider) => [provider.name, provider]))
  let why = 'no provider has it'
  for (const copy of await repository.findCopies(db, cid)) {
    const provider = providers.get(copy.provider)
    if (!provider?.readBlock) continue
    try {
      await fetchBack(context, provider, { ...content, cid }, signal)
      log.info({ cid, provider: provider.name }, 'fetched a content back from a third party')
      return void (await repository.endRestore(db, cid))
    } catch (error) {
      if (signal.aborted) return
      why = `${provider.name}: ${(error as Error).message}`.slice(0, 300)
      log.warn({ cid, provider: provider.name, error: why }, 'a content could not be fetched back')
    }
  }
  const wait = Math.min(RETRY_MS.most, RETRY_MS.first * 2 ** Math.min(20, tries))
  await repository.retryRestore(db, cid, why, new Date(now(context).getTime() + wait))
}

/** Uploads the verified bytes to an invited node, whose receipt makes it a copy. */
async function fetchBack(
  context: Deps,
  provider: ThirdParty,
  { cid, kind, size }: { cid: string; kind: 'file' | 'folder'; size: number },
  signal: AbortSignal,
): Promise<void> {
  const { db } = context
  const nodes = (await uploadNodes(context, { areas: [], size })).filter(({ kind }) => kind !== 'edge')
  if (nodes.length === 0) throw new Error('no invited node accepts uploads')
  const upload: Upload & { cid: string } = {
    traceId: newTraceId(),
    account: NETWORK,
    kind,
    cid,
    areas: [],
    // An archive may repeat blocks.
    max: kind === 'file' ? size : 2 * size + 65_536,
    ...(kind === 'file' && { size }),
  }
  const tokens = await grantUpload(context, db, { ...upload, open: false }, nodes)
  const until = new Date(now(context).getTime() + transferTimeout(2 * size) + 10 * MINUTE)
  await repository.renewRestore(db, cid, until)
  let failure: unknown
  for (const target of (await addressesOf(context, upload, nodes, tokens)).slice(0, NODES_MAX)) {
    try {
      const receipt = await sendTo(
        context,
        target,
        bytesFromProvider(provider, { cid: readCid(cid).cid, kind }, signal),
        {
          kind,
          size,
          signal,
        },
      )
      await acceptReceipt(context, receipt)
      await spendReceipts(db, [cid], NETWORK)
      return
    } catch (error) {
      signal.throwIfAborted()
      failure = error
    }
  }
  throw failure
}

async function addressesOf(
  context: Deps,
  upload: Upload & { cid: string },
  nodes: readonly NodeRow[],
  tokens: readonly string[],
): Promise<{ url: string; token: string }[]> {
  if (upload.kind === 'file')
    return (await uploadTargets(context, upload, nodes, tokens)).list.map(({ UploadURL: url, Token: token }) => ({
      url,
      token,
    }))
  return (await slotsOf(context, upload, nodes, tokens)).map(({ CandidateAddr: url, Token: token }) => ({ url, token }))
}

/** @returns the node's receipt */
async function sendTo(
  { config }: Deps,
  { url, token }: { url: string; token: string },
  bytes: AsyncIterable<Uint8Array>,
  { kind, size, signal }: { kind: 'file' | 'folder'; size: number; signal: AbortSignal },
): Promise<string> {
  const boundary = randomBytes(16).toString('hex')
  const { status, bytes: answer } = await guardedBytes(url, {
    post: kind === 'folder' ? bytes : form(boundary, bytes),
    most: ANSWER_MAX,
    withinMs: transferTimeout(2 * size) + MINUTE,
    privateToo: config.privateNodes,
    manyNames: true,
    headers: {
      authorization: `Bearer ${token}`,
      'content-type': kind === 'folder' ? 'application/vnd.ipld.car' : `multipart/form-data; boundary=${boundary}`,
    },
    signal,
  })
  const parsed = uploadAnswer.safeParse(JSON.parse(answer.toString()))
  if (status !== 200 || !parsed.data?.receipt) throw new Error(`the node answered ${status}: ${parsed.data?.msg ?? ''}`)
  return parsed.data.receipt
}

async function* form(boundary: string, bytes: AsyncIterable<Uint8Array>): AsyncIterable<Uint8Array> {
  yield Buffer.from(
    `--${boundary}\r\ncontent-disposition: form-data; name="file"; filename="content"\r\ncontent-type: application/octet-stream\r\n\r\n`,
  )
  yield* bytes
  yield Buffer.from(`\r\n--${boundary}--\r\n`)
}
