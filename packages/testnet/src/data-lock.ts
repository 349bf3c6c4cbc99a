import { linkSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { StartError } from '@tidenet/daemon/start-error'
import { identify, isAlive, type ProcessIdentity, signal, until } from './process-identity.ts'

/** The right to use a data folder; one process has it at a time, and loses it by ending, however it ends. */
export interface DataLock {
  /** The last holder ended without giving the folder back, as after kill -9. */
  readonly recovered: boolean
  /** Notes a process that works in the folder, so that the next holder can wait for it. */
  addChild(pid: number): void
  removeChild(pid: number): void
  release(): void
}

interface Content {
  readonly holder: ProcessIdentity
  readonly children: readonly ProcessIdentity[]
}

/** Children of a killed holder stop by themselves within 5 seconds; after this they are ended. */
const CHILDREN_LIMIT_MS = 7_000

/**
 * Takes `<folder>/<name>.lock`. When the last holder was killed, first waits until what it had started is gone.
 * @throws StartError when a live process has it
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
    // Two may find the same leftover; only the one whose rename succeeds has removed it.
    const aside = `${file}.${process.pid}.stale`
    try {
      renameSync(file, aside)
      const taken = read(aside)
      if (taken && isAlive(taken.holder)) linkSync(aside, file)
    } catch {
      // Someone else was faster; the next round sees whom.
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

/** Creates the file with its content in one step; false when it is there already. */
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
