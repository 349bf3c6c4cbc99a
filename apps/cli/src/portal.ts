import type { Input, OperationName, Output, RouteOf } from '@tidenet/contract'
import { codes, isSuccess, type Result, type Storage } from '@tidenet/storage'
import { CommandError } from './command-error.ts'
import { readSession } from './session.ts'
import { texts } from './texts.ts'

/** Errors of the portal that mean not found, and that an API key may not do this. A test compares them with the contract. */
export const NOT_FOUND = {
  notFound: 1000,
  nameNotExists: 1012,
  keyUnknown: 10015,
  folderUnknown: 10018,
  assetUnknown: 10028,
}
export const FORBIDDEN = 1028
const CANCELLED: readonly number[] = [codes.cancelled, codes.aborted]

/** Calls an operation of the portal. @throws CommandError with advice */
export async function call<N extends OperationName>(
  storage: Storage,
  name: N,
  input: Input<RouteOf<N>>,
): Promise<Output<RouteOf<N>>> {
  const result = await storage.api.call(name, input)
  if (result.code === codes.timedOut)
    throw new CommandError(texts.noPortal(storage.api.url), 'failed', { code: result.code })
  const data = dataOf(result, storage.api.url)
  // Another web server answered with an HTML page.
  if (data instanceof Blob) throw new CommandError(texts.notPortal(storage.api.url))
  return data
}

/** The data of an SDK result. @throws CommandError with its message, or a more helpful one */
export function dataOf<T>(result: Result<T>, url = readSession().url): T {
  if (isSuccess(result)) return result.data
  const { code, msg, data } = result
  const { err } = data
  if (code === codes.unauthorized) throw new CommandError(signInText(msg), 'signIn')
  if (CANCELLED.includes(code)) throw new CommandError(texts.cancelled, 'cancelled', { code })
  // The portal answers these with HTTP 200; an HTTP status means that it is another server.
  if (code === codes.notFound || code === codes.notAllowed)
    throw new CommandError(texts.notPortal(url), 'failed', { code })
  const more = { ...(data.trace_id && { trace_id: data.trace_id }) }
  if (err === FORBIDDEN && isKey()) throw new CommandError(mayNotText(msg), 'failed', { code: err })
  if (err !== undefined)
    throw new CommandError(msg, Object.values(NOT_FOUND).includes(err) ? 'notFound' : 'failed', { code: err, more })
  if (code === codes.fetchError || code === codes.timedOut)
    throw new CommandError(texts.noPortal(url), 'failed', { code, more })
  if (code > codes.notFound && code < 600) throw new CommandError(texts.portalFails(url, msg), 'failed', { code })
  throw new CommandError(msg, 'failed', { code, more })
}

/** The error, with a more helpful text if it says that something is missing. */
export const explainNotFound = (error: unknown, text: string): unknown =>
  error instanceof CommandError && error.code === NOT_FOUND.notFound
    ? new CommandError(text, 'notFound', { code: error.code })
    : error

function signInText(reason: string): string {
  if (process.env.TIDENET_TOKEN) return texts.tokenRefused(reason)
  return isKey() ? texts.keyRefused : texts.signInAgain(reason)
}

/** TIDENET_TOKEN takes precedence over a sign-in, which alone would not help. */
const mayNotText = (reason: string): string =>
  process.env.TIDENET_TOKEN ? texts.tokenMayNot(reason) : texts.keyMayNot(reason)

const isKey = (): boolean => readSession().token.startsWith('tnk_')
