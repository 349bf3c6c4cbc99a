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
import { run } from './run.ts'
import { tryOrUndefined } from './try-or-undefined.ts'

/**
 * Moves the writable layer of a container to the workload's disk: the overlay's folders become links to it. So the layer counts against the
 * disk that was bought, and the container does not start without that disk. Needs an engine with overlay storage on this machine; the
 * self-test checks whether it works.
 */

/** The overlay's upper folder of a container; undefined if it is not on this machine. */
export function upperOf({ GraphDriver }: Pick<Docker.ContainerInspectInfo, 'GraphDriver'>): string | undefined {
  const path = (GraphDriver?.Data as { UpperDir?: string } | undefined)?.UpperDir
  return path && basename(path) === 'diff' && exists(path) ? path : undefined
}

const exists = (path: string): boolean => tryOrUndefined(() => lstatSync(path)) !== undefined

/** Whether the writable layer is on the workload's disk. */
export const isMoved = (upper: string): boolean => tryOrUndefined(() => readlinkSync(upper)) !== undefined

/**
 * Moves the layer of a stopped container, with its changes, unless the disk already has a layer of an earlier container of the same image.
 * @param own a folder on the workload's disk
 */
export function moveLayer(upper: string, own: string): Promise<void> {
  const next = (moving.get(own) ?? Promise.resolve()).then(() => move(upper, own))
  const left = next.catch(() => {})
  moving.set(own, left)
  left.then(() => moving.get(own) === left && moving.delete(own))
  return next
}

/** Moves in progress, by folder: two starts of one workload must not move it twice. */
const moving = new Map<string, Promise<void>>()

async function move(upper: string, own: string): Promise<void> {
  const layer = join(own, 'layer')
  if (tryOrUndefined(() => readlinkSync(upper)) === join(layer, 'diff')) return
  mkdirSync(layer, { recursive: true, mode: 0o700 })
  if (!exists(join(layer, 'diff'))) {
    // Renamed when complete, so that a partial copy is never used.
    rmSync(join(layer, 'new'), { recursive: true, force: true })
    await run('cp', ['-a', upper, join(layer, 'new')])
    renameSync(join(layer, 'new'), join(layer, 'diff'))
  }
  rmSync(join(layer, 'work'), { recursive: true, force: true })
  mkdirSync(join(layer, 'work'), { mode: 0o700 })
  // `diff` last: it marks the move as complete.
  for (const name of ['work', 'diff']) {
    const path = join(dirname(upper), name)
    rmSync(path, { recursive: true, force: true })
    symlinkSync(join(layer, name), path)
  }
}

/** The image whose changes the disk holds. */
export interface Pinned {
  /** The requested name; empty: the cluster's own image. */
  asked: string
  id: string
}

const pinFile = (own: string) => join(own, 'image.json')

export const readPinnedImage = (own: string): Pinned | undefined =>
  tryOrUndefined(() => JSON.parse(readFileSync(pinFile(own), 'utf8')) as Pinned)

/** Notes the image of the layer and deletes the layer of another image. */
export function pinImage(own: string, pinned: Pinned): void {
  if ((readPinnedImage(own)?.asked ?? pinned.asked) !== pinned.asked)
    rmSync(join(own, 'layer'), { recursive: true, force: true })
  writeFileSync(`${pinFile(own)}.new`, JSON.stringify(pinned))
  renameSync(`${pinFile(own)}.new`, pinFile(own))
}

const NAMES = ['hosts', 'hostname', 'resolv.conf'] as const

/** Files that engines mount into every container. Engine files would let a container write to the machine's disk. */
export interface Names {
  name: string
  /** The DNS server; undefined: none. */
  server: string | undefined
  /** Whether the engine is Podman, which marks its containers. */
  podman: boolean
}

/** Creates these files on the workload's disk, without data of this machine. @returns their mounts */
export function writeNameFiles(own: string, names: Names): { kind: 'bind'; source: string; target: string }[] {
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
  // A recreated network has another address. A full disk keeps the old file.
  if (names.server !== undefined && !namesServer(path, names.server))
    tryOrUndefined(() => writeFileSync(path, texts['resolv.conf']))
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
