import {
  lstatSync,
  mkdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { basename, dirname, join } from 'node:path'
import type Docker from 'dockerode'
import { quietly } from './quietly.ts'
import { run } from './run.ts'

/**
 * What a container changes in its image, put onto the workload's own disk: the folders into which the engine's overlay writes become links
 * to it. So it counts against what was bought, and with the disk not mounted nothing starts. Works with engines that store by overlay on
 * this machine; whether it does is tried out.
 */

/** The folder into which a container writes; undefined where it is not one of this machine. */
export function upperOf({ GraphDriver }: Pick<Docker.ContainerInspectInfo, 'GraphDriver'>): string | undefined {
  const path = (GraphDriver?.Data as { UpperDir?: string } | undefined)?.UpperDir
  return path && basename(path) === 'diff' && exists(path) ? path : undefined
}

const exists = (path: string): boolean => quietly(() => lstatSync(path)) !== undefined

/** Whether what a container writes lies on the workload's disk. */
export const isMoved = (upper: string): boolean => quietly(() => readlinkSync(upper)) !== undefined

/**
 * Of a container that does not run. What it changed so far goes along, unless the disk holds what an earlier one of the same image changed.
 * @param own a folder on the workload's disk
 */
export function moveLayer(upper: string, own: string): Promise<void> {
  const next = (moving.get(own) ?? Promise.resolve()).then(() => move(upper, own))
  const left = next.catch(() => {})
  moving.set(own, left)
  left.then(() => moving.get(own) === left && moving.delete(own))
  return next
}

/** One after the other: two who start the same workload would move it twice. */
const moving = new Map<string, Promise<void>>()

async function move(upper: string, own: string): Promise<void> {
  const layer = join(own, 'layer')
  if (quietly(() => readlinkSync(upper)) === join(layer, 'diff')) return
  mkdirSync(layer, { recursive: true, mode: 0o700 })
  if (!exists(join(layer, 'diff'))) {
    // Under another name first: half of it is not taken for the whole.
    rmSync(join(layer, 'new'), { recursive: true, force: true })
    await run('cp', ['-a', upper, join(layer, 'new')])
    renameSync(join(layer, 'new'), join(layer, 'diff'))
  }
  rmSync(join(layer, 'work'), { recursive: true, force: true })
  mkdirSync(join(layer, 'work'), { mode: 0o700 })
  // The one that tells that all is done comes last.
  for (const name of ['work', 'diff']) {
    const path = join(dirname(upper), name)
    rmSync(path, { recursive: true, force: true })
    symlinkSync(join(layer, name), path)
  }
}

/** The image whose changes the disk holds. */
export interface Pinned {
  /** As it was asked for; empty: the cluster's own. */
  asked: string
  id: string
}

const noteIn = (own: string) => join(own, 'image.json')

export const pinnedOn = (own: string): Pinned | undefined =>
  quietly(() => JSON.parse(readFileSync(noteIn(own), 'utf8')) as Pinned)

/** What was changed in another image is no part of this one. */
export function pin(own: string, pinned: Pinned): void {
  if ((pinnedOn(own)?.asked ?? pinned.asked) !== pinned.asked)
    rmSync(join(own, 'layer'), { recursive: true, force: true })
  writeFileSync(`${noteIn(own)}.new`, JSON.stringify(pinned))
  renameSync(`${noteIn(own)}.new`, noteIn(own))
}

const NAMES = ['hosts', 'hostname', 'resolv.conf'] as const

/** What engines put into every container from files of their own, which would be the machine's disk to write on. */
export interface Names {
  name: string
  /** Whom programs ask for names; undefined: nobody. */
  server: string | undefined
  /** Whether the engine is Podman, which marks its containers. */
  podman: boolean
}

/** The same from the workload's disk, with nothing of this machine in it. Where it is seen in the container. */
export function namesOn(own: string, names: Names): { kind: 'bind'; source: string; target: string }[] {
  const folder = join(own, 'etc')
  mkdirSync(folder, { recursive: true, mode: 0o755 })
  const local = names.server === undefined ? `127.0.1.1 ${names.name}\n` : ''
  const texts = {
    hosts: `127.0.0.1 localhost\n::1 localhost ip6-localhost ip6-loopback\n${local}`,
    hostname: `${names.name}\n`,
    'resolv.conf': resolver(names),
  }
  for (const name of NAMES) if (!exists(join(folder, name))) writeFileSync(join(folder, name), texts[name])
  if (!exists(join(folder, 'containerenv'))) writeFileSync(join(folder, 'containerenv'), '')
  const path = join(folder, 'resolv.conf')
  // A network made anew has another address; a disk that is full keeps the old one.
  if (names.server !== undefined && !namesServer(path, names.server))
    quietly(() => writeFileSync(path, texts['resolv.conf']))
  return [
    ...NAMES.map((name) => ({ kind: 'bind' as const, source: join(folder, name), target: `/etc/${name}` })),
    ...(names.podman
      ? [{ kind: 'bind' as const, source: join(folder, 'containerenv'), target: '/run/.containerenv' }]
      : []),
  ]
}

/** Programs write there what they like, a file of gigabytes for example. */
const RESOLVER_MAX = 65_536

const namesServer = (path: string, server: string): boolean =>
  statSync(path).size <= RESOLVER_MAX && readFileSync(path, 'utf8').includes(`nameserver ${server}\n`)

const resolver = ({ server, podman }: Names): string =>
  server === undefined ? '' : `${podman ? 'search dns.podman\n' : ''}nameserver ${server}\noptions ndots:0\n`
