import { join } from 'node:path'

/** Where an engine may be. */
export type Candidate =
  | { what: string; kind: 'socket'; path: string }
  | { what: string; kind: 'tcp'; host: string; port: number }
  /** Podman without a socket: one is started for us, with this runtime; empty: its usual one. */
  | { what: string; kind: 'podman'; runtime: string }
  /** Something that was named and is not used. */
  | { what: string; kind: 'refused'; why: string }

export interface Surroundings {
  env: Readonly<Record<string, string | undefined>>
  home: string
  platform: NodeJS.Platform
  /** The contents of a file; undefined when it cannot be read. */
  read(path: string): string | undefined
  /** Names in a folder; none when it cannot be read. */
  names(path: string): readonly string[]
  /** What Podman may run containers with here, the likeliest first; empty: its usual one. */
  runtimes: readonly string[]
}

/**
 * Where to look for an engine, in order: what the setting names and nothing else, or else what the environment and the current docker
 * context name, the places where engines put their sockets, and at last Podman itself. A machine elsewhere is used only when the setting
 * names it: DOCKER_HOST may lead to somebody's production.
 */
export function candidates(setting: string, around: Surroundings): Candidate[] {
  const podman = (what: string): Candidate[] =>
    around.runtimes.map((runtime) => ({
      what: runtime === '' ? what : `${what} with ${runtime}`,
      kind: 'podman',
      runtime,
    }))
  if (setting === 'podman') return podman('setting podman')
  if (setting !== '') return [addressed('setting', setting, true)]
  const { env, home, platform } = around
  const found: Candidate[] = []
  if (env.DOCKER_HOST) found.push(addressed('DOCKER_HOST', env.DOCKER_HOST, false))
  const context = dockerContext(around)
  if (context) found.push(context)
  const runtime = env.XDG_RUNTIME_DIR
  const paths = [
    ...(platform === 'win32' ? ['//./pipe/docker_engine'] : ['/var/run/docker.sock']),
    join(home, '.docker/run/docker.sock'),
    join(home, '.colima/default/docker.sock'),
    join(home, '.orbstack/run/docker.sock'),
    ...(runtime ? [join(runtime, 'docker.sock')] : []),
    '/run/podman/podman.sock',
    ...(runtime ? [join(runtime, 'podman/podman.sock')] : []),
  ]
  for (const path of paths) found.push({ what: path, kind: 'socket', path })
  found.push(...podman('podman'))
  return found.filter(
    (one, index) =>
      one.kind !== 'socket' || found.findIndex((other) => other.kind === 'socket' && other.path === one.path) === index,
  )
}

/** The engine that `docker context use` chose; undefined for the default one. */
function dockerContext({ env, home, read, names }: Surroundings): Candidate | undefined {
  const folder = env.DOCKER_CONFIG ?? join(home, '.docker')
  const name = env.DOCKER_CONTEXT ?? field(read(join(folder, 'config.json')), ['currentContext'])
  if (!name || name === 'default') return undefined
  for (const id of names(join(folder, 'contexts/meta'))) {
    const meta = read(join(folder, 'contexts/meta', id, 'meta.json'))
    const host = field(meta, ['Endpoints', 'docker', 'Host'])
    if (field(meta, ['Name']) === name && host) return addressed(`docker context ${name}`, host, false)
  }
  return { what: `docker context ${name}`, kind: 'refused', why: 'there is no such context' }
}

function field(text: string | undefined, path: readonly string[]): string | undefined {
  try {
    let value: unknown = JSON.parse(text ?? 'null')
    for (const key of path) value = (value as Record<string, unknown> | null)?.[key]
    return typeof value === 'string' ? value : undefined
  } catch {
    return undefined
  }
}

function addressed(source: string, address: string, elsewhere: boolean): Candidate {
  const what = `${source} ${address}`
  const [, socket] = /^(?:unix|npipe):\/\/(.+)$/.exec(address) ?? []
  if (socket) return { what, kind: 'socket', path: socket }
  if (address.startsWith('/')) return { what, kind: 'socket', path: address }
  const [, host, port] = /^(?:tcp|http):\/\/([^/:]+):(\d+)\/?$/.exec(address) ?? []
  if (!host) return { what, kind: 'refused', why: 'only unix://, npipe:// and tcp:// are understood' }
  if (!elsewhere) return { what, kind: 'refused', why: 'an engine elsewhere is used only when the setting names it' }
  return { what, kind: 'tcp', host, port: Number(port) }
}
