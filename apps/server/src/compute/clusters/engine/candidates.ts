import { join } from 'node:path'

/** A place where an engine may be found. */
export type Candidate =
  | { what: string; kind: 'socket'; path: string }
  | { what: string; kind: 'tcp'; host: string; port: number }
  /** Podman without a socket: we start its service with this runtime; empty: Podman's default. */
  | { what: string; kind: 'podman'; runtime: string }
  /** Named in the configuration or environment, but not used. */
  | { what: string; kind: 'refused'; why: string }

export interface Host {
  env: Readonly<Record<string, string | undefined>>
  home: string
  platform: NodeJS.Platform
  /** The content of a file; undefined if it cannot be read. */
  read(path: string): string | undefined
  /** The names in a folder; empty if it cannot be read. */
  names(path: string): readonly string[]
  /** OCI runtimes to try with Podman, the most likely first; an empty name is Podman's default. */
  runtimes: readonly string[]
}

/**
 * Places to look for an engine, in order. A setting is the only candidate. Without one: DOCKER_HOST, the current docker context, the usual
 * socket paths, and finally Podman. Remote engines are used only if the setting names them, because DOCKER_HOST may point to production.
 */
export function candidates(setting: string, host: Host): Candidate[] {
  const podman = (what: string): Candidate[] =>
    host.runtimes.map((runtime) => ({
      what: runtime === '' ? what : `${what} with ${runtime}`,
      kind: 'podman',
      runtime,
    }))
  if (setting === 'podman') return podman('setting podman')
  if (setting !== '') return [parseAddress('setting', setting, true)]
  const { env, home, platform } = host
  const found: Candidate[] = []
  if (env.DOCKER_HOST) found.push(parseAddress('DOCKER_HOST', env.DOCKER_HOST, false))
  const context = dockerContext(host)
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

/** The engine selected by `docker context use`; undefined for the default. */
function dockerContext({ env, home, read, names }: Host): Candidate | undefined {
  const folder = env.DOCKER_CONFIG ?? join(home, '.docker')
  const name = env.DOCKER_CONTEXT ?? field(read(join(folder, 'config.json')), ['currentContext'])
  if (!name || name === 'default') return undefined
  for (const id of names(join(folder, 'contexts/meta'))) {
    const meta = read(join(folder, 'contexts/meta', id, 'meta.json'))
    const host = field(meta, ['Endpoints', 'docker', 'Host'])
    if (field(meta, ['Name']) === name && host) return parseAddress(`docker context ${name}`, host, false)
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

function parseAddress(source: string, address: string, allowRemote: boolean): Candidate {
  const what = `${source} ${address}`
  const [, socket] = /^(?:unix|npipe):\/\/(.+)$/.exec(address) ?? []
  if (socket) return { what, kind: 'socket', path: socket }
  if (address.startsWith('/')) return { what, kind: 'socket', path: address }
  const [, host, port] = /^(?:tcp|http):\/\/([^/:]+):(\d+)\/?$/.exec(address) ?? []
  if (!host) return { what, kind: 'refused', why: 'only unix://, npipe:// and tcp:// are supported' }
  if (!allowRemote) return { what, kind: 'refused', why: 'a remote engine is used only if the setting names it' }
  return { what, kind: 'tcp', host, port: Number(port) }
}
