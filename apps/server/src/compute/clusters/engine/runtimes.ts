import { accessSync, constants, readFileSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { tryOrUndefined } from './try-or-undefined.ts'

/** Properties of a machine that matter for running containers. */
export interface Machine {
  platform: NodeJS.Platform
  /** Whether cgroups v1 and v2 are both mounted, which `crun` refuses. */
  bothCgroups: boolean
  /** Whether this program is installed. */
  has(program: string): boolean
}

export const hasBothCgroups = (): boolean =>
  (tryOrUndefined(() => readFileSync('/sys/fs/cgroup/unified/cgroup.controllers', 'utf8')) ?? '').trim() !== ''

export const thisMachine = (): Machine => ({
  platform: process.platform,
  bothCgroups: hasBothCgroups(),
  // Podman looks here as well, whatever the path.
  has: (program) => pathOf(program) !== undefined,
})

/** The path of an installed program. */
export const pathOf = (program: string): string | undefined =>
  [...(process.env.PATH ?? '').split(delimiter), '/usr/sbin', '/usr/local/sbin', '/sbin']
    .map((folder) => join(folder, program))
    .find((path) =>
      tryOrUndefined(() => {
        accessSync(path, constants.X_OK)
        return true
      }),
    )

/** The runtime of gVisor, which gives containers a kernel of their own. */
export const SANDBOX = 'runsc'

/** OCI runtimes to test with Podman, the safest first, then the most likely; empty: its default. */
export function runtimesOf({ bothCgroups, has }: Machine): string[] {
  const sandboxes = [SANDBOX].filter(has)
  const others = ['runc', 'crun'].filter(has)
  if (!bothCgroups) return [...sandboxes, '', ...others]
  return [...sandboxes, ...(others.length > 0 ? others : [''])]
}

export const machineRuntimes = (): string[] => runtimesOf(thisMachine())

/** The command that installs what is missing; undefined if none is known. */
export function commandFor({ platform, bothCgroups, has }: Machine): string | undefined {
  if (platform === 'darwin') return 'brew install colima docker && colima start'
  if (platform !== 'linux') return undefined
  const installer = [
    ['apt-get', 'apt-get install -y'],
    ['dnf', 'dnf install -y'],
    ['zypper', 'zypper install -y'],
    ['pacman', 'pacman -S --noconfirm'],
  ].find(([program = '']) => has(program))?.[1]
  if (!installer) return undefined
  const missing = [
    ...(has('podman') ? [] : ['podman']),
    // With cgroups v1 and v2 both mounted, only runc is known to work.
    ...(has('runc') || (!bothCgroups && (has('crun') || !has('podman'))) ? [] : ['runc']),
  ]
  return missing.length > 0 ? `${installer} ${missing.join(' ')}` : undefined
}
