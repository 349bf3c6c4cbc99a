import { createWriteStream } from 'node:fs'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createStorage, isSuccess } from '@tidenet/storage'
import { fileName } from './file-name.ts'
import { ImportFailed, reasonOfFailure } from './import-failed.ts'
import { type ImportTask, requireFits } from './import-task.ts'
import { fetchSource, piecesOf, requireFound } from './source-fetch.ts'

/** Downloads a file, then stores it: a node that fails is replaced by another one without asking the source again. @returns its CID */
export async function importFromUrl(task: ImportTask): Promise<string> {
  const { job, limits, counts } = task
  const most = Math.min(task.free, job.file_max)
  const { status, headers, body, url } = await fetchSource(new URL(job.source), limits, { most }).catch(
    (error: unknown) => {
      throw tooMuch(task, error)
    },
  )
  try {
    requireFound(status)
    const length = headers['content-length']
    counts.total = length === undefined ? null : Number(length)
    requireFits(task, counts.total ?? 0)
    const path = join(task.folder, 'file')
    const counted = async function* () {
      for await (const piece of piecesOf(body)) {
        counts.received += piece.length
        requireFits(task, counts.received)
        yield piece
      }
    }
    await pipeline(Readable.from(counted(), { objectMode: false }), createWriteStream(path, { mode: 0o600 }))
    counts.total = counts.received
    return await storeFile(task, path, fileName(job.name, url, headers['content-disposition']))
  } catch (error) {
    throw tooMuch(task, error)
  } finally {
    body.destroy()
  }
}

/** What is too large for the account is not too large for an import. */
const tooMuch = ({ job, free }: ImportTask, error: unknown): unknown =>
  error instanceof ImportFailed && error.reason === 'tooLarge' && free < job.file_max
    ? new ImportFailed('quota')
    : error

/** @returns the CID of the entry that was made. @throws ImportFailed */
export async function storeFile(
  { job, server, limits }: ImportTask,
  path: string,
  name: string,
  options: { importCar?: boolean } = {},
): Promise<string> {
  const storage = createStorage({ url: server, token: job.token, lang: 'en' })
  const stored = await storage.uploadAsset(path, {
    name,
    groupId: job.group_id,
    onConflict: 'keep_both',
    allowEmpty: true,
    resume: false,
    signal: limits.signal,
    ...options,
  })
  if (!isSuccess(stored)) throw new ImportFailed(reasonOfFailure(stored), stored.msg)
  return stored.data.cid
}
