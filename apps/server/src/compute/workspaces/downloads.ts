import { type Cid, cidText, createFileHasher, parseCid } from '@tidenet/content'
import { AppError } from '@tidenet/contract'
import { fetchNode } from '../../network/index.ts'
import type { ConsoleCaller } from '../../platform/http/callers.ts'
import { type AssetInFolder, openTrace, sourcesOf } from '../../storage/index.ts'
import { type Context, now } from '../context.ts'

/** Downloads of the server from the storage of an account. */

export type DownloadDeps = Pick<Context, 'config' | 'db' | 'clock' | 'keys' | 'clusters' | 'log' | 'policy'>

type Owner = Pick<ConsoleCaller, 'userId' | 'uid'>

/** Addresses of a file at nodes, for one download. */
export async function urlsOf(
  context: DownloadDeps,
  { userId, uid }: Owner,
  asset: AssetInFolder,
): Promise<readonly string[]> {
  const trace = { userId, account: uid, kind: 'download', cid: asset.cid, name: asset.name } as const
  const traceId = await openTrace(context.db, { ...trace, at: now(context) })
  return (await sourcesOf(context, { ...asset, account: uid, traceId })).url
}

/** Downloads a file. The result fails at its end if it does not match the CID. @throws AppError nodesOffline */
export async function openFile(
  context: DownloadDeps,
  owner: Owner,
  asset: AssetInFolder,
): Promise<AsyncIterable<Uint8Array>> {
  const body = await fetchFirst(context, await urlsOf(context, owner, asset), asset.size)
  return verifyFile(body, parseCid(asset.cid))
}

/** Downloads from the first node that answers. @throws AppError nodesOffline */
export async function fetchFirst(
  context: DownloadDeps,
  urls: readonly string[],
  maxBytes: number,
): Promise<AsyncIterable<Uint8Array>> {
  for (const url of urls) {
    const body = await fetchNode(context, url, maxBytes).catch(() => undefined)
    if (body) return body
  }
  throw new AppError('nodesOffline')
}

/** Passes the bytes through. Fails at the end if they do not match the CID. */
async function* verifyFile(source: AsyncIterable<Uint8Array>, cid: Cid): AsyncGenerator<Uint8Array> {
  const hasher = createFileHasher()
  for await (const chunk of source) {
    await hasher.update(chunk)
    yield chunk
  }
  if (cidText((await hasher.finish()).cid) !== cidText(cid)) throw new AppError('nodesOffline')
}
