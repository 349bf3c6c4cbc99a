import { ASSET_NAME_MAX, FOLDER_BATCH_MAX, FOLDER_PATH_MAX, UPLOAD_BATCH_MAX } from '@tidenet/contract/constants'
import type { Answer } from '../api.ts'
import type { ByteSource, PathedSource } from '../bytes.ts'
import { forEachLimit } from '../for-each-limit.ts'
import { type Failure, need } from '../result.ts'
import { type Bundle, inBundles } from './tree-bundle.ts'
import type { Granted, Infos, TreeFile, TreeUpload } from './tree-upload.ts'

type Found = Answer<'folders.findNames'>['list'][number]

/** Folders of the upload by path; '' is the folder itself. `created`: by this upload, so it contains nothing else. */
type Folders = Map<string, { id: number; created: boolean }>

/** Names that find_names takes at once. */
const NAMES_MAX = 1000
const CALLS = 4

/**
 * Creates folders and announces files in batches, and yields every file that has to be sent, small ones together. The next batch is prepared while the files of
 * one are sent. Files that need no sending, or cannot be sent, are reported to `upload.done`. Throws Stop if no file can be sent any more.
 */
export async function* grantedFiles(
  upload: TreeUpload,
  root: { id: number; created: boolean },
  files: AsyncIterable<PathedSource>,
): AsyncGenerator<Bundle, void> {
  const folders: Folders = new Map([['', root]])
  const batches = inBatches(files)
  const prepareNext = async () => {
    const { value, done } = await batches.next()
    return done ? undefined : prepare(upload, folders, value)
  }
  let ahead = prepareNext()
  for (;;) {
    const batch = await ahead
    if (!batch) return
    ahead = prepareNext()
    // Avoid an unhandled rejection until the loop awaits it.
    ahead.catch(() => {})
    yield* inBundles(batch)
  }
}

async function* inBatches(files: AsyncIterable<PathedSource>): AsyncGenerator<PathedSource[], void> {
  let batch: PathedSource[] = []
  for await (const file of files) {
    batch.push(file)
    if (batch.length < UPLOAD_BATCH_MAX) continue
    yield batch
    batch = []
  }
  if (batch.length > 0) yield batch
}

async function prepare(upload: TreeUpload, folders: Folders, batch: readonly PathedSource[]): Promise<Granted[]> {
  const { core, signal } = upload
  signal.throwIfAborted()
  const usable = batch.flatMap((file) => {
    const path = plainPath(file.path)
    if (path !== undefined) return [{ path, source: file.source, empty: file.path.endsWith('/') }]
    const shown = JSON.stringify(file.path.slice(0, 200))
    upload.done(failed(file.path, file.source, core.toFailure('uploadError', { phrase: 'treePath', fill: [shown] })))
    return []
  })
  await createFolders(
    upload,
    folders,
    usable.map(({ path, empty }) => (empty ? path : folderOf(path))),
  )
  const placed: TreeFile[] = []
  for (const { path, source, empty } of usable) {
    if (empty) continue
    if (source.size <= 0 && !upload.allowEmpty) {
      upload.done(failed(path, source, core.toFailure('sizeError')))
      continue
    }
    const sealed = upload.seal ? upload.seal(source) : source
    const folder = folders.get(folderOf(path))?.id ?? 0
    const name = path.split('/').at(-1) ?? path
    placed.push({ item: upload.next++, path, name, folder, source: sealed, size: sealed.size })
  }
  return grant(upload, await withoutConflicts(upload, folders, placed))
}

/** The path without spaces around its names; undefined if the account cannot have it. */
function plainPath(path: string): string | undefined {
  const names = path
    .replace(/\/$/, '')
    .split('/')
    .map((name) => name.trim())
  // biome-ignore lint/suspicious/noControlCharactersInRegex: names must not contain them
  const bad = /^\.{0,2}$|[\\\u0000-\u001f\u007f\u202a-\u202e\u2066-\u2069]|\p{Surrogate}/u
  const plain = names.join('/')
  const fits = plain.length <= FOLDER_PATH_MAX && names.every((name) => [...name].length <= ASSET_NAME_MAX)
  return fits && !names.some((name) => bad.test(name)) ? plain : undefined
}

const folderOf = (path: string): string => path.slice(0, Math.max(0, path.lastIndexOf('/')))

const failed = (path: string, { size }: ByteSource, failure: Failure) =>
  ({ path, size, state: 'failed', cid: '', failure }) as const

/** Creates the folders on these paths that are not known yet. */
async function createFolders(upload: TreeUpload, folders: Folders, wanted: readonly string[]): Promise<void> {
  const missing = new Set<string>()
  for (const path of wanted) for (let one = path; one !== '' && !folders.has(one); one = folderOf(one)) missing.add(one)
  // The outermost first: a path that exceeds the limits of one call continues below folders of an earlier one.
  const paths = [...missing].sort((a, b) => a.split('/').length - b.split('/').length)
  for (let at = 0; at < paths.length; at += FOLDER_BATCH_MAX) {
    // By the nearest folder that exists: paths below it, and the whole paths.
    const above = new Map<number, { below: string; whole: string }[]>()
    for (const path of paths.slice(at, at + FOLDER_BATCH_MAX)) {
      let known = folderOf(path)
      while (!folders.has(known)) known = folderOf(known)
      const { id } = folders.get(known) as { id: number }
      const below = known === '' ? path : path.slice(known.length + 1)
      const list = above.get(id)
      if (list) list.push({ below, whole: path })
      else above.set(id, [{ below, whole: path }])
    }
    for (const [parent, inside] of above) {
      const asked = { parent, paths: inside.map(({ below }) => below) }
      const { list } = need(await upload.core.api.call('folderUploads.folders', asked, { signal: upload.signal }))
      list.forEach(({ id, created }, index) => {
        if (created) upload.created += 1
        folders.set(inside[index]?.whole ?? '', { id, created })
      })
    }
  }
}

/** Drops the files that their folders have already, and applies the conflict rule to the others whose names are taken. */
async function withoutConflicts(upload: TreeUpload, folders: Folders, files: readonly TreeFile[]): Promise<TreeFile[]> {
  const { core, signal } = upload
  const existing = new Set([...folders.values()].filter(({ created }) => !created).map(({ id }) => id))
  const byFolder = new Map<number, TreeFile[]>()
  for (const file of files) {
    if (!existing.has(file.folder)) continue
    const list = byFolder.get(file.folder)
    if (list) list.push(file)
    else byFolder.set(file.folder, [file])
  }
  const dropped = new Set<TreeFile>()
  await forEachLimit(CALLS, [...byFolder], async ([parent, inside]) => {
    const asked = { parent, names: inside.map(({ name }) => name).slice(0, NAMES_MAX) }
    const { list } = need(await core.api.call('folders.findNames', asked, { signal }))
    const taken = new Map(list.filter(({ kind }) => kind !== 'group').map((found) => [found.name, found]))
    for (const file of inside) {
      const found = taken.get(file.name)
      if (found && !(await settleConflict(upload, file, found))) dropped.add(file)
    }
  })
  return files.filter((file) => !dropped.has(file))
}

/** @returns whether the file is to be sent */
async function settleConflict(upload: TreeUpload, file: TreeFile, found: Found): Promise<boolean> {
  const { path, size, source } = file
  if (!upload.seal && found.size === size) {
    const digest = upload.core.platform.digest(source, { md5: false, signal: upload.signal })
    // A source that cannot be read fails when it is sent.
    const cid = await digest.finish().then(
      (finished) => finished.cid,
      () => '',
    )
    if (cid === found.id) {
      upload.done({ path, size, state: 'same', cid })
      return false
    }
  }
  if (upload.conflict === 'skip') {
    upload.done({ path, size, state: 'skipped', cid: found.id })
    return false
  }
  // Otherwise the server numbers the name.
  if (upload.conflict === 'replace') file.replaces = found.asset_id
  return true
}

/** Announces the files. Those that are refused, for example by the quota, are reported. */
async function grant(upload: TreeUpload, files: readonly TreeFile[]): Promise<Granted[]> {
  if (files.length === 0) return []
  const answer = await announce(upload, files)
  return files.flatMap((file, index) => {
    const info = answer.list[index]
    if (info?.ok) return [{ file, info, nodes: answer.nodes }]
    upload.done(failed(file.path, file.source, refusal(upload, info)))
    return []
  })
}

const refusal = (
  { core }: TreeUpload,
  said: { err?: number | undefined; msg?: string | undefined } | undefined,
): Failure =>
  core.toFailure('uploadError', { msg: said?.msg ?? '', data: said?.err === undefined ? {} : { err: said.err } })

/** Asks for nodes. @param md5s of the files, for an instant upload */
export async function announce(
  upload: TreeUpload,
  files: readonly TreeFile[],
  md5s: readonly string[] = [],
): Promise<Infos> {
  const { core, areas, gather, signal, traceId, name } = upload
  const asked = {
    name,
    ...(traceId && { trace_id: traceId }),
    ...(areas.length > 0 && { area_id: areas }),
    ...(gather && { gather }),
    proof: true,
    ...(upload.allowEmpty && { allow_empty: true }),
    files: files.map(({ item, size, upTo }, index) => ({
      item,
      size,
      ...(upTo && { up_to: true }),
      ...(md5s[index] && { md5: md5s[index] }),
    })),
  }
  const answer = need(await core.api.call('folderUploads.info', asked, { signal }))
  upload.traceId = answer.TraceID
  return answer
}
