import {
  chmodSync,
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
import type { Disks, Source } from './disks.ts'
import { run } from './run.ts'
import { noteVolumes } from './volumes.ts'

const UNMOUNT_TIMEOUT_MS = 5000
const POLL_INTERVAL_MS = 100

/**
 * Disks with a fixed size: a sparse image file with a mounted ext4 file system. Needs Linux, root and an engine on the same machine. A
 * workload gets the folders `0`, `1`… and those with a name below the mount point. Without the mount they are missing, so a program that would write outside of
 * its disk does not start.
 */
export function enforcedDisks(folder: string): Disks {
  const point = ({ workspace, workload }: WorkloadRef) => join(folder, workspace, workload)
  const image = (ref: WorkloadRef) => `${point(ref)}.img`
  /** One operation at a time, so that no disk is created twice. */
  const mutex = createKeyedMutex()
  const locked = <T>(work: () => Promise<T>): Promise<T> => mutex('', work)
  const unmount = async (ref: WorkloadRef) => {
    // The engine's cleanup of the last program may still use it.
    for (const deadline = performance.now() + UNMOUNT_TIMEOUT_MS; isMounted(point(ref)); await wait(POLL_INTERVAL_MS))
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
    prepare: (ref, bytes, parts, named = []) =>
      locked(async () => {
        const [file, at] = [image(ref), point(ref)]
        mkdirSync(at, { recursive: true, mode: 0o700 })
        // Renamed when complete, so that a partial disk is never used.
        if (!existsSync(file)) {
          resizeFile(`${file}.new`, bytes)
          await run('mkfs.ext4', ['-q', '-F', '-m0', '-E', 'lazy_itable_init=1', `${file}.new`])
          renameSync(`${file}.new`, file)
        }
        // Enlarged while unmounted: online resizing needs privileges that root lacks on some machines.
        if (statSync(file).size < bytes) {
          await unmount(ref)
          resizeFile(file, bytes)
          await run('e2fsck', ['-f', '-p', file])
          await run('resize2fs', [file])
        }
        if (!isMounted(at)) await run('mount', ['-o', 'loop,nosuid,nodev', file, at])
        return [
          ...Array.from({ length: parts }, (_, index) => part(join(at, String(index)), 0o755)),
          ...named.map((name) => part(join(at, name), 0o777)),
        ]
      }),
    noteVolumes: async (ref, volumes) => noteVolumes(point(ref), volumes),
    hostFolder: point,
    workspaces: () => (existsSync(folder) ? readdirSync(folder) : []),
    unmount: (ref) => locked(() => unmount(ref)),
    remove: (ref) => locked(() => remove(ref)),
    removeAll: (workspace) =>
      locked(async () => {
        const names = existsSync(join(folder, workspace)) ? readdirSync(join(folder, workspace)) : []
        const workloads = new Set(names.map((name) => name.replace(/\.img(\.new)?$/, '')))
        for (const workload of workloads) await remove({ workspace, workload })
        rmSync(join(folder, workspace), { recursive: true, force: true })
      }),
    async used(refs) {
      const mounted = new Set(mountPoints())
      return Promise.all(
        refs.map(async (ref) => {
          if (!mounted.has(point(ref))) return existsSync(image(ref)) ? statSync(image(ref)).blocks * 512 : 0
          const { blocks, bfree, bsize } = await statfs(point(ref))
          return (blocks - bfree) * bsize
        }),
      )
    },
  }
}

/** Programs may change the mode of what exists. */
function part(source: string, mode: number): Source {
  if (!existsSync(source)) {
    mkdirSync(source)
    // Without the mask of this process.
    chmodSync(source, mode)
  }
  return { kind: 'bind', source }
}

function resizeFile(path: string, bytes: number): void {
  const file = openSync(path, 'a')
  try {
    ftruncateSync(file, bytes)
  } finally {
    closeSync(file)
  }
}

const mountPoints = (): string[] =>
  readFileSync('/proc/self/mounts', 'utf8')
    .split('\n')
    .map((line) => (line.split(' ')[1] ?? '').replace(/\\040/g, ' '))

const isMounted = (point: string): boolean => mountPoints().includes(point)
