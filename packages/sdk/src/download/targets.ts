import type { Core } from '../core.ts'
import type { Gathering, Target } from '../platform/platform.ts'
import { type Say, Stop } from '../result.ts'
import { type OrderedTarget, orderedTarget, streamOutlet } from './ordered-target.ts'
import type { DownloadedAsset, DownloadTarget } from './types.ts'

/** A target with what it adds to the result once it is committed. */
export interface Chosen {
  target: Target | OrderedTarget
  finish(size: number): Promise<Partial<DownloadedAsset>>
}

/** Throws Stop 10025 for what is no target. */
export function checkTarget({ check, say }: Core, to: DownloadTarget | undefined): void {
  if (to === undefined || to === 'blob' || to === 'save') return
  check.options(to, 'target', 'to.')
  if (Object.values(to).filter((target) => target !== undefined).length !== 1) throw new Stop(say('optionsInvalid'))
}

/** Opens what the caller named, or what the platform does when nothing was named. Throws Stop 10025 or 10030. */
export async function openTarget(
  core: Core,
  to: DownloadTarget | undefined,
  file: { name: string; size: number | undefined; resume: boolean },
): Promise<Chosen> {
  const { platform, say } = core
  const choice = to ?? (platform.save ? 'save' : 'blob')
  try {
    if (choice === 'blob' || choice === 'save') return gathered(core, platform.gather(file.name), choice, file.name)
    if ('path' in choice && choice.path !== undefined) {
      if (!platform.openFile || !platform.filePath) throw new Stop(say('optionsInvalid'))
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
    if (!web) throw new Stop(say('optionsInvalid'))
    const target = orderedTarget(streamOutlet(web as WritableStream<Uint8Array>))
    return { target, finish: (size) => target.commit(size).then(() => ({})) }
  } catch (error) {
    if (error instanceof Stop) throw error
    throw targetFailed(say)(error as Error)
  }
}

/** What a target throws, as what ends the download. */
export const targetFailed =
  (say: Say) =>
  (error: Error): Stop =>
    new Stop(say('downloadFileError', { phrase: 'targetFailed', fill: [error.message] }))

function gathered({ platform }: Core, target: Gathering, choice: 'blob' | 'save', name: string): Chosen {
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

/** A file that the person chose: the browser keeps what is written apart until it is closed. */
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
