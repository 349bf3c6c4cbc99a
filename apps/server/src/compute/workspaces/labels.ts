import { createHash } from 'node:crypto'

/** The first label of a program's address: `<program>-<workspace>`, or `<program>-<workspace>-<port>` for ports after its first. */
export interface Label {
  program: string
  /** 12 hex digits, see `workspaces.code`. */
  workspace: string
  /** Undefined: the first one. */
  port?: number
}

const LABEL = /^([a-z](?:[a-z\d-]{0,28}[a-z\d])?)-([\da-f]{12})(?:-([1-9]\d{0,4}))?$/

/** Undefined for what is no address of a program. */
export function readLabel(text: string): Label | undefined {
  const [, program, workspace, port] = LABEL.exec(text) ?? []
  if (!program || !workspace || Number(port ?? 1) > 65_535) return undefined
  return { program, workspace, ...(port && { port: Number(port) }) }
}

/**
 * The label in a host name, for example of a `Host` header. Undefined if the host is not directly below the domain.
 * @param host may end with a port, and with the dot of a full name
 */
export function labelOf(host: string, domain: string): string | undefined {
  const name = hostnameOf(host)
  const label = name.endsWith(`.${domain}`) ? name.slice(0, -domain.length - 1) : ''
  return label !== '' && !label.includes('.') ? label : undefined
}

/** The name in a `Host` header, which may end with a port, and with the dot of a full name. */
export const hostnameOf = (host: string): string => host.toLowerCase().replace(/:\d+$/, '').replace(/\.$/, '')

/** The name of a workspace in addresses; the database has the same in `workspaces.code`. */
export const codeOf = (workspace: string): string => createHash('md5').update(workspace).digest('hex').slice(0, 12)

/** The address of a port of a program; empty if the ingress has no domain. */
export function addressOf(
  url: string,
  { program, workspace }: Pick<Label, 'program' | 'workspace'>,
  ports: readonly number[],
  port: number,
): string {
  if (url === '') return ''
  const { protocol, host } = new URL(url)
  return `${protocol}//${program}-${workspace}${port === ports[0] ? '' : `-${port}`}.${host}`
}
