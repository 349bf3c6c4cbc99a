import type { Core } from '../core.ts'
import type { MemoryTarget, Target } from '../platform/platform.ts'
import { Stop, type ToFailure } from '../result.ts'
import { type OrderedTarget, orderedTarget, streamSink } from './ordered-target.ts'
import type { DownloadedAsset, DownloadTarget } from './types.ts'

/** A target, and `finish` that commits it and returns fields for the result. */
export interface OpenedTarget {
  target: Target | OrderedTarget
  finish(size: number): Promise<Partial<DownloadedAsset>>
}

/** Throws Stop 10025 for an invalid target. */
export function checkTarget({ check, toFailure }: Core, to: DownloadTarget | undefined): void {
  if (to === undefined || to === 'blob' || to === 'save') return
  check.options(to, 'target', 'to.')
  if (Object.values(to).filter((target) => target !== undefined).length !== 1)
    throw new Stop(toFailure('optionsInvalid'))
}

/** Opens the target that the caller chose, or the platform's default. Throws Stop 10025 or 10030. */
export async function openTarget(
  core: Core,
  to: DownloadTarget | undefined,
  file: { name: string; size: number | undefined; resume: boolean },
): Promise<OpenedTarget> {
  const { platform, toFailure } = core
  const choice = to ?? (platform.save ? 'save' : 'blob')
  try {
    if (choice === 'blob' || choice === 'save')
      return blobTarget(core, platform.memoryTarget(file.name), choice, file.name)
    if ('path' in choice && choice.path !== undefined) {
      if (!platform.openFile || !platform.filePath) throw new Stop(toFailure('optionsInvalid'))
      const path = await platform.filePath(choice.path, file.name)
      const target = await platform.openFile(path, file.size, { keep: file.resume })
      return {
        target,
        async finish(size) {
          await target.commit(size)
          return { path }
        },
      }
    }
    if ('handle' in choice && choice.handle !== undefined) {
      const target = await handleTarget(choice.handle)
      return { target, finish: (size) => target.commit(size).then(() => ({})) }
    }
    const { stream } = choice as { stream: object }
    const web = stream instanceof WritableStream ? stream : platform.webStream?.(stream)
    if (!web) throw new Stop(toFailure('optionsInvalid'))
    const target = orderedTarget(streamSink(web as WritableStream<Uint8Array>))
    return { target, finish: (size) => target.commit(size).then(() => ({})) }
  } catch (error) {
    if (error instanceof Stop) throw error
    throw targetFailed(toFailure)(error as Error)
  }
}

/** Converts an error of the target to the failure of the download. */
export const targetFailed =
  (toFailure: ToFailure) =>
  (error: Error): Stop =>
    new Stop(toFailure('downloadFileError', { phrase: 'targetFailed', fill: [error.message] }))

function blobTarget({ platform }: Core, target: MemoryTarget, choice: 'blob' | 'save', name: string): OpenedTarget {
  return {
    target,
    async finish(size) {
      await target.commit(size)
      const blob = await target.blob()
      if (choice === 'blob' || !platform.save) return { blob }
      platform.save(blob, name)
      return {}
    },
  }
}

/** A file chosen with the File System Access API. The browser writes to a temporary file until it is closed. */
async function handleTarget(handle: FileSystemFileHandle): Promise<Target> {
  const file = await handle.createWritable()
  let turn = Promise.resolve()
  return {
    write(pieces, position) {
      const data = pieces.length === 1 ? pieces[0]! : new Blob(pieces as BlobPart[])
      const flight = turn.then(() => file.write({ type: 'write', position, data: data as BufferSource }))
      turn = flight.catch(() => {})
      return flight
    },
    async commit(size) {
      await turn
      await file.truncate(size)
      await file.close()
    },
    abort: () => file.abort(),
  }
}
