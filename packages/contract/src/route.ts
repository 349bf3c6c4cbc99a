import type { z } from 'zod'
import type { ErrorKey } from './errors.ts'

/** What a normal API key may be allowed to do; an admin key may do all of it. */
export const PERMISSIONS = [
  'readFile',
  'createFile',
  'deleteFile',
  'readFolder',
  'createFolder',
  'deleteFolder',
] as const
export type Permission = (typeof PERMISSIONS)[number]

/**
 * Who may call:
 * - `public`: anyone, identity not looked at; `optional`: anyone, identity used when it is valid
 * - `session`: a signed-in person, no API key
 * - `any`: a signed-in person or any API key; `admin`: a signed-in person or an admin key
 * - a permission: a signed-in person or a key that holds it
 * - `operator`: a signed-in person whose account has that role, never an API key
 * - `node`: a registered storage node
 * - `console`: a session of the container console, which is one of its own and opens the account's workspaces alone
 */
export type Auth = 'public' | 'optional' | 'session' | 'any' | 'admin' | 'operator' | 'node' | 'console' | Permission

/** One operation, written once: served by the server, called by the client, printed as OpenAPI. */
export interface Route {
  method: 'GET' | 'POST'
  /** Fastify's form, `/api/v1/storage/temp_file/download/:cid`. */
  path: string
  /** Other addresses of the same operation. */
  aliases?: readonly string[]
  /** A GET that changes something also answers POST at the same path. */
  twin?: true
  /**
   * Sent again, it leaves everything as the first time did and answers as well: who got no answer may repeat it. A GET without a twin reads,
   * and is so by itself.
   */
  repeatable?: true
  auth: Auth
  /** Path, query and body are read as one object; a client sends GET fields in the query, POST fields as JSON. */
  input: z.ZodType
  output: z.ZodType
  /** `double`: the data is wrapped once more; `raw`: the handler answers HTTP itself (redirects). */
  shape?: 'double' | 'raw'
  /** What a raw answer is when it is no redirect; `output` then says what it carries. */
  media?: string
  /** Every refusal is `{ code: 401, msg, success: false }` and has no `err`, as clients expect it of signing in; one that ends by itself has `data.seconds`. */
  refuses401?: true
  errors: readonly ErrorKey[]
  /** At most this many calls a minute and caller address. */
  limit?: number
  summary: string
}

/** Keeps the literal types of an operation; `input` and `output` carry the types of its values. */
export function route<const R extends Route>(spec: R): R {
  return spec
}

/** Whether a client that got no answer may send a call again. */
export const isRepeatable = ({ method, twin, shape, repeatable }: Route): boolean =>
  repeatable === true || (method === 'GET' && !twin && shape !== 'raw')

export type Input<R extends Route> = z.input<R['input']>
export type Parsed<R extends Route> = z.output<R['input']>
export type Output<R extends Route> = z.input<R['output']>
