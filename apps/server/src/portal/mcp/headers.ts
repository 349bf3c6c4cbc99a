import type { IncomingHttpHeaders } from 'node:http'
import {
  fieldsOf,
  isMcpVersion,
  MCP_ERRORS,
  RPC,
  type RpcAnswer,
  readStateless,
  rpcError,
  STATELESS_VERSION,
  unsupportedVersion,
} from '@tidenet/contract/mcp/index'

/**
 * Refuses a message whose headers say something else than it does, so that nothing between client and portal takes it for another one. Only
 * versions without sessions have more headers than that of the version.
 */
export function refuseHeaders(headers: IncomingHttpHeaders, body: unknown): RpcAnswer | undefined {
  const message = fieldsOf(body)
  const id = idOf(message)
  const said = headers['mcp-protocol-version']?.toString()
  if (said !== undefined && !isMcpVersion(said)) return unsupportedVersion(id, said)
  const stateless = readStateless(message?.params)
  // Notifications have no metadata.
  if (id === null) return undefined
  if (!stateless)
    return said === STATELESS_VERSION
      ? rpcError(id, RPC.params, 'The request does not say in its metadata which version it is of.')
      : undefined
  const { name } = fieldsOf(message?.params) ?? {}
  const expected: [header: string, value: unknown][] = [
    ['mcp-protocol-version', stateless.version],
    ['mcp-method', message?.method],
    ...(message?.method === 'tools/call' ? ([['mcp-name', name]] as [string, unknown][]) : []),
  ]
  // A version that nobody knows can have other headers.
  if (!isMcpVersion(stateless.version)) expected.length = 1
  const wrong = expected.find(([header, value]) => decoded(headers[header]) !== value)
  return wrong && rpcError(id, MCP_ERRORS.headers, `The header ${wrong[0]} is missing, or differs from the request.`)
}

/** Values that no header can have are sent in base64. */
function decoded(value: string | string[] | undefined): string | undefined {
  const text = value?.toString()
  const encoded = text === undefined ? null : /^=\?base64\?([A-Za-z0-9+/]*={0,2})\?=$/.exec(text)
  return encoded ? Buffer.from(encoded[1] ?? '', 'base64').toString() : text
}

const idOf = (message: Record<string, unknown> | undefined): string | number | null =>
  typeof message?.id === 'string' || typeof message?.id === 'number' ? message.id : null

/** @param body what was asked */
export function statusOf(answer: RpcAnswer | RpcAnswer[], body: unknown): number {
  if (Array.isArray(answer)) return 200
  if (answer.id === null) return 400
  const code = answer.error?.code
  if (code === MCP_ERRORS.version || code === MCP_ERRORS.headers) return 400
  const stateless = readStateless(fieldsOf(body)?.params)
  if (stateless?.version !== STATELESS_VERSION) return 200
  if (code === RPC.method) return 404
  return code === RPC.params && !stateless.isWhole ? 400 : 200
}
