import { accessSync, constants, readFileSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { quietly } from './quietly.ts'

/** What a machine has that matters for running containers. */
export interface Machine {
  platform: NodeJS.Platform
  /** Whether both generations of cgroups are in use, which Podman's usual runtime refuses. */
  bothCgroups: boolean
  /** Whether there is a program of that name. */
  has(program: string): boolean
}

export const hasBothCgroups = (): boolean =>
  (quietly(() => readFileSync('/sys/fs/cgroup/unified/cgroup.controllers', 'utf8')) ?? '').trim() !== ''

export const thisMachine = (): Machine => ({
  platform: process.platform,
  bothCgroups: hasBothCgroups(),
  // Podman looks here as well, whatever the path.
  has: (program) =>
    [...(process.env.PATH ?? '').split(delimiter), '/usr/sbin', '/usr/local/sbin', '/sbin'].some((folder) =>
      quietly(() => {
        accessSync(join(folder, program), constants.X_OK)
        return true
      }),
    ),
})

/** What Podman may run containers with, the likeliest first; empty stands for its usual one. Each is tried out, none is believed. */
export function runtimesOf({ bothCgroups, has }: Machine): string[] {
  const others = ['runc', 'crun'].filter(has)
  if (!bothCgroups) return ['', ...others]
  return others.length > 0 ? others : ['']
}

export const machineRuntimes = (): string[] => runtimesOf(thisMachine())

/** The command that gives this machine what it lacks; undefined where no one command is known to. */
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
    // Where both generations of cgroups are in use nothing else is known to work.
    ...(has('runc') || (!bothCgroups && (has('crun') || !has('podman'))) ? [] : ['runc']),
  ]
  return missing.length > 0 ? `${installer} ${missing.join(' ')}` : undefined
}
