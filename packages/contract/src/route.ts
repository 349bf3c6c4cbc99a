import type { z } from 'zod'
import type { ErrorKey } from './errors.ts'
import type { Permission } from './permissions.ts'
import type { TeamRole } from './roles.ts'

export { PERMISSIONS, type Permission } from './permissions.ts'

/**
 * Who can call an operation:
 * - `public`: anyone, credentials are ignored; `optional`: anyone, valid credentials are used
 * - `session`: a signed-in user, not an API key
 * - `any`: a signed-in user or any API key; `admin`: a signed-in user or an admin key
 * - a permission: a signed-in user or an API key with this permission
 * - `operator`: a signed-in user with the role operator, not an API key; `agent`: with the role agent or operator
 * - `node`: a registered storage node
 * - `gateway`: an S3 gateway of the operator
 * - `console`: a session of the container console, which gives access to the account's workspaces only
 */
export type Auth =
  | 'public'
  | 'optional'
  | 'session'
  | 'any'
  | 'admin'
  | 'agent'
  | 'operator'
  | 'node'
  | 'gateway'
  | 'console'
  | Permission

/** One operation. The server, the clients and the OpenAPI document are all based on it. */
export interface Route {
  method: 'GET' | 'POST'
  /** In Fastify's syntax: `/api/v1/storage/temp_file/download/:cid`. */
  path: string
  /** Other paths of the same operation. */
  aliases?: readonly string[]
  /** For a GET with side effects: POST works at the same path. */
  alsoPost?: true
  /** Idempotent: a client that got no answer can repeat the call. A GET without `alsoPost` always is. */
  repeatable?: true
  auth: Auth
  /**
   * The least role of members who may call it for their team, with the header `Team`. Operations with a permission need none: the role has
   * permissions. Others are refused for teams unless they name one.
   */
  team?: TeamRole
  /** Credentials can also be a bearer token in the header Authorization, where clients of these operations send them. */
  authorization?: true
  /** Path, query and body merged into one object; clients send GET fields in the query, POST fields as JSON. */
  input: z.ZodType
  /** Content type of the body of a POST that is not JSON; `input` is in the query then, and the handler reads the body. */
  accepts?: string
  output: z.ZodType
  /** `double`: the data is wrapped twice; `raw`: the handler writes the HTTP response itself. */
  shape?: 'double' | 'raw'
  /** Content type of a raw response that is not a redirect; `output` describes its content. */
  media?: string
  /** Every error is `{ code: 401, msg, success: false }` without `err`, as clients expect of a sign-in; temporary ones have `data.seconds`. */
  refuses401?: true
  errors: readonly ErrorKey[]
  /** Maximum calls per minute and IP address. */
  limit?: number
  summary: string
}

/** Keeps the literal types of an operation. */
export function route<const R extends Route>(spec: R): R {
  return spec
}

/** Whether a client that got no answer can repeat the call. */
export const isRepeatable = ({ method, alsoPost, shape, repeatable }: Route): boolean =>
  repeatable === true || (method === 'GET' && !alsoPost && shape !== 'raw')

export type Input<R extends Route> = z.input<R['input']>
export type Parsed<R extends Route> = z.output<R['input']>
export type Output<R extends Route> = z.input<R['output']>
