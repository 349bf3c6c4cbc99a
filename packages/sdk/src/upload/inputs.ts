import { type ByteSource, blobSource, bytesSource, emptyFolder, type PathedSource } from '../bytes.ts'
import type { Core } from '../core.ts'
import { Stop } from '../result.ts'
import type { PathedFile, UploadInput } from './types.ts'

/** What the caller gave, opened. */
export type Opened =
  | { kind: 'file'; source: ByteSource }
  /** `name` is empty when nothing tells it. Paths do not contain the folder's own name. */
  | { kind: 'folder'; name: string; files: () => AsyncIterable<PathedSource> }

/** Finds out what was given. Throws Stop when it is nothing that can be uploaded. */
export async function openInput(core: Core, input: UploadInput): Promise<Opened> {
  const { say } = core
  if (typeof input === 'string') return openPath(core, input)
  if (input instanceof Blob) return { kind: 'file', source: blobSource(input) }
  if (input instanceof Uint8Array) return { kind: 'file', source: bytesSource(input) }
  if (input instanceof ArrayBuffer) return { kind: 'file', source: bytesSource(new Uint8Array(input)) }
  if (typeof input !== 'object' || input === null) throw new Stop(say('optionsInvalid'))
  if (Symbol.asyncIterator in input) return openStream(core, input)
  if (!('length' in input)) throw new Stop(say('optionsInvalid'))
  const given = Array.from(input as ArrayLike<Blob | PathedFile>)
  const [first] = given
  if (!first) throw new Stop(say('sizeError'))
  const pathed = await Promise.all(given.map((one) => placed(core, one)))
  if (pathed.length === 1 && !pathed[0]!.path.includes('/')) return { kind: 'file', source: pathed[0]!.source }
  const top = commonTop(pathed)
  return {
    kind: 'folder',
    name: top,
    async *files() {
      for (const one of pathed) yield* within(top, one)
    },
  }
}

async function openPath({ platform, say }: Core, path: string): Promise<Opened> {
  if (!platform.openPath || path === '') throw new Stop(say('optionsInvalid'))
  return platform.openPath(path).catch((error: Error) => {
    throw new Stop(say('uploadError', { phrase: 'uploadFailed', fill: [error.message] }))
  })
}

/** A list that is too long to be held: the first path says what the folder is called. */
async function openStream(core: Core, input: AsyncIterable<PathedFile>): Promise<Opened> {
  const iterator = input[Symbol.asyncIterator]()
  const first = await iterator.next()
  if (first.done) throw new Stop(core.say('sizeError'))
  const beginning = await placed(core, first.value)
  const [top = '', ...below] = beginning.path.split('/')
  const name = below.length > 0 ? top : ''
  return {
    kind: 'folder',
    name,
    async *files() {
      for (let next = beginning; ; ) {
        if (name !== '' && !next.path.startsWith(`${name}/`)) throw new Stop(core.say('optionsInvalid'))
        yield* within(name, next)
        const more = await iterator.next()
        if (more.done) return
        next = await placed(core, more.value)
      }
    },
  }
}

/** A file by its place below a folder, or by the place it has when that has no name. The folder itself is there without being named. */
function* within(folder: string, { path, source }: PathedSource): Iterable<PathedSource> {
  const below = folder === '' ? path : path.slice(folder.length + 1)
  if (below !== '') yield { path: below, source }
}

/** A file with the place that it has within its folder. */
async function placed(core: Core, one: Blob | PathedFile): Promise<PathedSource> {
  const { say } = core
  if (one instanceof Blob) {
    const path = 'webkitRelativePath' in one && typeof one.webkitRelativePath === 'string' ? one.webkitRelativePath : ''
    const source = blobSource(one)
    return { path: path || source.name, source }
  }
  if (typeof one !== 'object' || one === null || typeof one.path !== 'string') throw new Stop(say('optionsInvalid'))
  core.check.options(one, 'pathedFile')
  const path = one.path.replace(/^\/+/, '')
  const { file } = one
  if (path.endsWith('/') !== (file === undefined)) throw new Stop(say('optionsInvalid'))
  if (file === undefined) return emptyFolder(path.slice(0, -1))
  if (file instanceof Blob) return { path, source: blobSource(file) }
  if (file instanceof Uint8Array) return { path, source: bytesSource(file, path.split('/').at(-1)) }
  if (typeof file !== 'string') throw new Stop(say('optionsInvalid'))
  const opened = await openPath(core, file)
  if (opened.kind !== 'file') throw new Stop(say('optionsInvalid'))
  return { path, source: opened.source }
}

/** The first part that all paths share, as a page gives them; empty when they share none. */
function commonTop(files: readonly PathedSource[]): string {
  const top = files[0]!.path.split('/')[0]!
  return files.every(({ path }) => path.startsWith(`${top}/`)) ? top : ''
}
