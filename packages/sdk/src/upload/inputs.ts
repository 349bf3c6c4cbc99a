import { type ByteSource, blobSource, bytesSource, emptyFolder, type PathedSource } from '../bytes.ts'
import type { Core } from '../core.ts'
import { Stop } from '../result.ts'
import type { PathedFile, UploadInput } from './types.ts'

/** The opened input. */
export type OpenedInput =
  | { kind: 'file'; source: ByteSource }
  /** `name` is empty if unknown. Paths do not contain the folder's own name. `stream`: the files can be listed only once. */
  | { kind: 'folder'; name: string; files: () => AsyncIterable<PathedSource>; stream?: true }

/** Opens the input. Throws Stop if it cannot be uploaded. */
export async function openInput(core: Core, input: UploadInput): Promise<OpenedInput> {
  const { toFailure } = core
  if (typeof input === 'string') return openPath(core, input)
  if (input instanceof Blob) return { kind: 'file', source: blobSource(input) }
  if (input instanceof Uint8Array) return { kind: 'file', source: bytesSource(input) }
  if (input instanceof ArrayBuffer) return { kind: 'file', source: bytesSource(new Uint8Array(input)) }
  if (typeof input !== 'object' || input === null) throw new Stop(toFailure('optionsInvalid'))
  if (Symbol.asyncIterator in input) return openStream(core, input)
  if (!('length' in input)) throw new Stop(toFailure('optionsInvalid'))
  const given = Array.from(input as ArrayLike<Blob | PathedFile>)
  const [first] = given
  if (!first) throw new Stop(toFailure('sizeError'))
  const pathed = await Promise.all(given.map((one) => toPathedSource(core, one)))
  if (pathed.length === 1 && !pathed[0]!.path.includes('/')) return { kind: 'file', source: pathed[0]!.source }
  const top = commonFolder(pathed)
  return {
    kind: 'folder',
    name: top,
    async *files() {
      for (const one of pathed) yield* belowTop(top, one)
    },
  }
}

async function openPath({ platform, toFailure }: Core, path: string): Promise<OpenedInput> {
  if (!platform.openPath || path === '') throw new Stop(toFailure('optionsInvalid'))
  return platform.openPath(path).catch((error: Error) => {
    throw new Stop(toFailure('uploadError', { phrase: 'uploadFailed', fill: [error.message] }))
  })
}

/** Files as a stream, for lists too long for memory. The first path gives the name of the folder. */
async function openStream(core: Core, input: AsyncIterable<PathedFile>): Promise<OpenedInput> {
  const iterator = input[Symbol.asyncIterator]()
  const first = await iterator.next()
  if (first.done) throw new Stop(core.toFailure('sizeError'))
  const beginning = await toPathedSource(core, first.value)
  const [top = '', ...below] = beginning.path.split('/')
  const name = below.length > 0 ? top : ''
  return {
    kind: 'folder',
    name,
    stream: true,
    async *files() {
      for (let next = beginning; ; ) {
        if (name !== '' && !next.path.startsWith(`${name}/`)) throw new Stop(core.toFailure('optionsInvalid'))
        yield* belowTop(name, next)
        const more = await iterator.next()
        if (more.done) return
        next = await toPathedSource(core, more.value)
      }
    },
  }
}

/** The file with its path below the folder. The entry of the top folder itself is dropped. */
function* belowTop(folder: string, { path, source }: PathedSource): Iterable<PathedSource> {
  const below = folder === '' ? path : path.slice(folder.length + 1)
  if (below !== '') yield { path: below, source }
}

/** A file with its path inside the folder. */
async function toPathedSource(core: Core, one: Blob | PathedFile): Promise<PathedSource> {
  const { toFailure } = core
  if (one instanceof Blob) {
    const path = 'webkitRelativePath' in one && typeof one.webkitRelativePath === 'string' ? one.webkitRelativePath : ''
    const source = blobSource(one)
    return { path: path || source.name, source }
  }
  if (typeof one !== 'object' || one === null || typeof one.path !== 'string')
    throw new Stop(toFailure('optionsInvalid'))
  core.check.options(one, 'pathedFile')
  const path = one.path.replace(/^\/+/, '')
  const { file } = one
  if (path.endsWith('/') !== (file === undefined)) throw new Stop(toFailure('optionsInvalid'))
  if (file === undefined) return emptyFolder(path.slice(0, -1))
  if (file instanceof Blob) return { path, source: blobSource(file) }
  if (file instanceof Uint8Array) return { path, source: bytesSource(file, path.split('/').at(-1)) }
  if (typeof file !== 'string') throw new Stop(toFailure('optionsInvalid'))
  const opened = await openPath(core, file)
  if (opened.kind !== 'file') throw new Stop(toFailure('optionsInvalid'))
  return { path, source: opened.source }
}

/** The first path segment that all files share; empty if there is none. */
function commonFolder(files: readonly PathedSource[]): string {
  const top = files[0]!.path.split('/')[0]!
  return files.every(({ path }) => path.startsWith(`${top}/`)) ? top : ''
}
