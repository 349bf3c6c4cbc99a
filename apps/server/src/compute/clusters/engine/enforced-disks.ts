import {
  closeSync,
  existsSync,
  ftruncateSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs'
import { statfs } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { createKeyedMutex } from '@tidenet/daemon'
import type { WorkloadRef } from '../driver.ts'
import type { Disks } from './disks.ts'
import { run } from './run.ts'

const FREED_WITHIN = 5000
const LOOK_AGAIN = 100

/**
 * Disks that refuse more than they were made for: a file of that size with a file system in it, mounted. The file is sparse: it takes
 * what was written to it. Needs Linux, root and an engine on the same machine. A workload gets folders `0`, `1`… below the mount point:
 * with the disk not mounted they are missing, and a program that would write beside it does not start.
 */
export function enforcedDisks(folder: string): Disks {
  const point = ({ workspace, workload }: WorkloadRef) => join(folder, workspace, workload)
  const image = (ref: WorkloadRef) => `${point(ref)}.img`
  /** One after the other: the same disk is never made twice. */
  const turns = createKeyedMutex()
  const inTurn = <T>(work: () => Promise<T>): Promise<T> => turns('', work)
  const unmount = async (ref: WorkloadRef) => {
    // What cleans up behind the last program may still be at it.
    for (const deadline = performance.now() + FREED_WITHIN; isMounted(point(ref)); await wait(LOOK_AGAIN))
      await run('umount', [point(ref)]).catch((error) => {
        if (performance.now() > deadline) throw error
      })
  }
  const remove = async (ref: WorkloadRef) => {
    await unmount(ref)
    rmSync(point(ref), { recursive: true, force: true })
    rmSync(image(ref), { force: true })
  }

  return {
    kind: 'enforced',
    ready: (ref, bytes, parts) =>
      inTurn(async () => {
        const [file, at] = [image(ref), point(ref)]
        mkdirSync(at, { recursive: true, mode: 0o700 })
        // Made under another name first: a half-made disk is made anew.
        if (!existsSync(file)) {
          resizeFile(`${file}.new`, bytes)
          await run('mkfs.ext4', ['-q', '-F', '-m0', '-E', 'lazy_itable_init=1', `${file}.new`])
          renameSync(`${file}.new`, file)
        }
        // Grown while nobody uses it: growing a mounted one takes more rights than some machines give to root.
        if (statSync(file).size < bytes) {
          await unmount(ref)
          resizeFile(file, bytes)
          await run('e2fsck', ['-f', '-p', file])
          await run('resize2fs', [file])
        }
        if (!isMounted(at)) await run('mount', ['-o', 'loop,nosuid,nodev', file, at])
        return Array.from({ length: parts }, (_, index) => {
          const source = join(at, String(index))
          mkdirSync(source, { recursive: true, mode: 0o755 })
          return { kind: 'bind', source }
        })
      }),
    own: point,
    workspaces: () => (existsSync(folder) ? readdirSync(folder) : []),
    release: (ref) => inTurn(() => unmount(ref)),
    remove: (ref) => inTurn(() => remove(ref)),
    removeAll: (workspace) =>
      inTurn(async () => {
        const names = existsSync(join(folder, workspace)) ? readdirSync(join(folder, workspace)) : []
        const workloads = new Set(names.map((name) => name.replace(/\.img(\.new)?$/, '')))
        for (const workload of workloads) await remove({ workspace, workload })
        rmSync(join(folder, workspace), { recursive: true, force: true })
      }),
    async used(ref) {
      if (!isMounted(point(ref))) return existsSync(image(ref)) ? statSync(image(ref)).blocks * 512 : 0
      const { blocks, bfree, bsize } = await statfs(point(ref))
      return (blocks - bfree) * bsize
    },
  }
}

function resizeFile(path: string, bytes: number): void {
  const file = openSync(path, 'a')
  try {
    ftruncateSync(file, bytes)
  } finally {
    closeSync(file)
  }
}

const isMounted = (point: string): boolean =>
  readFileSync('/proc/self/mounts', 'utf8')
    .split('\n')
    .some((line) => (line.split(' ')[1] ?? '').replace(/\\040/g, ' ') === point)
