import { mkdir, readdir, rm, statfs } from 'node:fs/promises'
import { join, relative, sep } from 'node:path'
import { StartError } from '@tidenet/daemon'
import { CONTENTS, LEAVES } from '../contents/content-record.ts'
import { lockFolder } from '../folder-lock.ts'
import { readStartSettings, writeStartSettings } from '../service/start-settings.ts'
import { waitFor } from '../wait.ts'
import { copyContents, copyTree, missingBytes } from './copy.ts'
import { MOVED, type Moved, markMoved, markMoving, movingFile, pathOf, readMoved, readMoving } from './marks.ts'

/** What a move needs of the machine. */
export interface MoveParts {
  /** The service that starts the node in the old folder; null: none. */
  service: Moved['service']
  /** Stops the service. */
  stopService: () => void
  /** Lets the service start the node in the new folder. May be called again. */
  switchService: (to: string, service: NonNullable<Moved['service']>) => Promise<void>
  /** Whether the node in a folder is registered with its portal. */
  serves: (folder: string) => Promise<boolean>
  report: (progress: MoveProgress) => void
  signal: AbortSignal
  /** Tests: how long to wait for the old node to stop, and for the new one to serve. */
  times?: { stop: number; serve: number }
}

export type MoveProgress =
  | { what: 'copying'; bytes: number; of: number }
  | { what: 'stopping' | 'switched' | 'removing' }
  | { what: 'damaged'; contents: number }

export type MoveEnd =
  /** The new folder serves, and the old one is gone. */
  | 'moved'
  /** The node must be started in the new folder; the old one stays until then. */
  | 'start'

const TIMES = { stop: 30_000, serve: 180_000 }
/** Passes beside the running node, so that few contents are left for the time in which it is stopped. */
const PASSES_MAX = 3
const PASS_SMALL = 50
const MARGIN_BYTES = 64 * 1024 * 1024
/** What the new folder gets otherwise, or not at all. */
const NOT_COPIED = [CONTENTS, LEAVES, 'page.json', 'open.html', 'moving.json', MOVED]

/**
 * Moves a node to another folder. Whatever interrupts it, calling it again continues; at every moment exactly one of the two folders works.
 * @throws StartError with what to do
 */
export async function moveNode(oldFolder: string, newFolder: string, parts: MoveParts): Promise<MoveEnd> {
  const [from, to] = [await pathOf(oldFolder), await pathOf(newFolder)]
  requireApart(from, to)
  const before = await readMoved(from)
  if (before && before.to !== to) throw new StartError(texts.elsewhere(before.to))
  const mark = before ?? (await copyAll(from, to, parts))
  await rm(movingFile(to), { force: true })
  if (mark.service) await parts.switchService(to, mark.service)
  parts.report({ what: 'switched' })
  const until = Date.now() + (mark.service ? (parts.times ?? TIMES).serve : 0)
  while (!(await parts.serves(to))) {
    if (Date.now() >= until || parts.signal.aborted) return 'start'
    await waitFor(500, parts.signal, true)
  }
  parts.report({ what: 'removing' })
  // The mark last: without it, the old folder would look like that of a node that works.
  for (const name of await readdir(from))
    if (name !== MOVED) await rm(join(from, name), { recursive: true, force: true, maxRetries: 3 })
  await rm(from, { recursive: true, force: true })
  return 'moved'
}

/** Copies everything, the rest of it while the node is stopped, and makes the new folder count. */
async function copyAll(from: string, to: string, parts: MoveParts): Promise<Moved> {
  const { service, report, signal } = parts
  await requireNew(from, to)
  await mkdir(join(to, 'incoming'), { recursive: true, mode: 0o700 })
  await markMoving(to, from)
  const of = await missingBytes(from, to)
  await requireSpace(to, of)
  const copy = () => copyContents(from, to, { signal, onCopied: (bytes) => report({ what: 'copying', bytes, of }) })
  for (let pass = 0; pass < PASSES_MAX; pass += 1) if ((await copy()).contents < PASS_SMALL) break

  report({ what: 'stopping' })
  if (service) parts.stopService()
  const unlock = await lockStopped(from, parts)
  try {
    const { damaged } = await copy()
    if (damaged > 0) report({ what: 'damaged', contents: damaged })
    await copyTree(from, to, NOT_COPIED)
    const settings = readStartSettings(to)
    if (settings.TIDENET_NODE_DATA) await writeStartSettings(to, { ...settings, TIDENET_NODE_DATA: to })
    const mark = { to, service }
    await markMoved(from, mark)
    return mark
  } finally {
    await unlock()
  }
}

function requireApart(from: string, to: string): void {
  const inside = (a: string, b: string) => {
    const path = relative(a, b)
    return path === '' || !(path.startsWith(`..${sep}`) || path === '..' || /^([A-Za-z]:|[\\/])/.test(path))
  }
  if (inside(from, to) || inside(to, from)) throw new StartError(texts.nested)
}

async function requireNew(from: string, to: string): Promise<void> {
  const names = await readdir(to).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return []
    throw new StartError(texts.unusable(to, error.message))
  })
  const coming = await readMoving(to)
  if (coming ? coming.from !== from : names.some((name) => name !== 'lost+found'))
    throw new StartError(texts.notEmpty(to))
}

async function requireSpace(to: string, bytes: number): Promise<void> {
  const { bavail, bsize } = await statfs(to)
  const lacks = bytes + MARGIN_BYTES - bavail * bsize
  if (lacks > 0) throw new StartError(texts.full(to, (lacks / 2 ** 30).toFixed(1)))
}

/** Waits until no node works in the folder. */
async function lockStopped(folder: string, { signal, times = TIMES }: MoveParts): Promise<() => Promise<void>> {
  const until = Date.now() + times.stop
  for (;;) {
    try {
      return await lockFolder(folder)
    } catch (error) {
      if (!(error instanceof StartError)) throw error
      if (Date.now() >= until || signal.aborted) throw new StartError(texts.running)
      await waitFor(200, signal, true)
    }
  }
}

const texts = {
  nested: 'The two folders must be apart from each other. 两个目录不能相同或互相包含。',
  elsewhere: (to: string) => `This node has already moved to ${to}. 此节点已迁移到 ${to}。`,
  unusable: (to: string, why: string) => `${to} cannot be used: ${why}. 无法使用该目录。`,
  notEmpty: (to: string) => `${to} is not empty. Choose a new folder. 该目录不为空，请选择新目录。`,
  full: (to: string, gib: string) => `${to} lacks ${gib} GiB of space. 该目录所在磁盘还缺少 ${gib} GiB 空间。`,
  running: 'The node still runs. Stop it, then run this command again. 节点仍在运行，请停止后重新执行此命令。',
}
