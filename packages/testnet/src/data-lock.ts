import { linkSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { StartError } from '@tidenet/daemon/start-error'
import { identify, isAlive, type ProcessIdentity, signal, until } from './process-identity.ts'

/** An exclusive lock of a data folder, released when the process ends. */
export interface DataLock {
  /** The previous holder was killed. */
  readonly recovered: boolean
  /** Records a child process that uses the folder; the next holder waits for it. */
  addChild(pid: number): void
  removeChild(pid: number): void
  release(): void
}

interface Content {
  readonly holder: ProcessIdentity
  readonly children: readonly ProcessIdentity[]
}

/** Children of a killed holder stop within 5 seconds; after this they are killed. */
const CHILDREN_LIMIT_MS = 7_000

/**
 * Locks `<folder>/<name>.lock`. If the previous holder was killed, first waits until its children are gone.
 * @throws StartError if a live process holds the lock
 */
export async function lockData(folder: string, name: string): Promise<DataLock> {
  const file = join(folder, `${name}.lock`)
  const self = identify(process.pid)
  if (!self) throw new Error('this process cannot find itself')
  let children: ProcessIdentity[] = []
  let recovered = false

  for (;;) {
    if (create(file, { holder: self, children: [] })) break
    const old = read(file)
    if (old && isAlive(old.holder)) {
      throw new StartError(
        `The data folder ${folder} is in use by process ${old.holder.pid}. Stop that one first (Ctrl-C there, or ` +
          `\`kill ${old.holder.pid}\`), or set TIDENET_DATA to another folder.`,
      )
    }
    recovered = true
    await endChildren(old?.children ?? [])
    // Several processes may find the same stale lock; only one rename succeeds.
    const aside = `${file}.${process.pid}.stale`
    try {
      renameSync(file, aside)
      const taken = read(aside)
      if (taken && isAlive(taken.holder)) linkSync(aside, file)
    } catch {
      // Another process was faster; check again.
    }
    rmSync(aside, { force: true })
  }

  let held = true
  const save = () => {
    if (held) write(file, { holder: self, children })
  }
  return {
    recovered,
    addChild(pid) {
      const child = identify(pid)
      if (child) children = [...children.filter(isAlive), child]
      save()
    },
    removeChild(pid) {
      children = children.filter((child) => child.pid !== pid)
      save()
    },
    release() {
      if (held) rmSync(file, { force: true })
      held = false
    },
  }
}

async function endChildren(children: readonly ProcessIdentity[]): Promise<void> {
  if (await until(() => !children.some(isAlive), CHILDREN_LIMIT_MS)) return
  for (const child of children) if (isAlive(child)) signal(child.pid, 'SIGKILL')
  await until(() => !children.some(isAlive), 1_000)
}

/** Creates the file with its content atomically; false if it exists. */
function create(file: string, content: Content): boolean {
  const draft = `${file}.${process.pid}.new`
  writeFileSync(draft, JSON.stringify(content), { mode: 0o600 })
  try {
    linkSync(draft, file)
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false
    throw error
  } finally {
    rmSync(draft, { force: true })
  }
}

function write(file: string, content: Content): void {
  const draft = `${file}.${process.pid}.new`
  writeFileSync(draft, JSON.stringify(content), { mode: 0o600 })
  renameSync(draft, file)
}

function read(file: string): Content | undefined {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as Content
  } catch {
    return undefined
  }
}
