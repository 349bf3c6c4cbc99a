import type { Output, RouteOf } from '@tidenet/contract'
import type { paths } from '@tidenet/contract/paths.gen'

export type Devices = Output<RouteOf<'devices.list'>>
export type Earnings = Output<RouteOf<'earnings.summary'>>

/** Where the devices are, and what opens them. */
export interface Connection {
  /** Origin of the portal. */
  portal: string
  /** An API key; it needs the permission `readDevices` only. */
  key: string
}

export type Problem = 'address' | 'key' | 'away' | 'refused' | 'permission'
export class PortalError extends Error {
  readonly problem: Problem
  constructor(problem: Problem) {
    super(problem)
    this.problem = problem
  }
}

// Types only: the table of all paths would be most of the extension.
const DEVICES: (typeof paths)['devices.list']['path'] = '/api/v1/devices'
const EARNINGS: (typeof paths)['earnings.summary']['path'] = '/api/v1/earnings'
const TIMEOUT_MS = 15_000
/** Devices that the popup lists. */
export const LISTED = 20
const FORBIDDEN = 1028

/** The origin of a portal's address. Keys travel over https, or stay on this machine. @throws PortalError address */
export function readPortal(text: string): string {
  const typed = text.trim()
  const url = URL.parse(/^[a-z]+:\/\//i.test(typed) ? typed : `https://${typed}`)
  const isLocal = url?.protocol === 'http:' && ['localhost', '127.0.0.1'].includes(url.hostname)
  if (!url || typed === '' || url.username !== '' || !(url.protocol === 'https:' || isLocal))
    throw new PortalError('address')
  return url.origin
}

/** @throws PortalError */
export async function load(
  connection: Connection,
  get: typeof fetch = fetch,
): Promise<{ devices: Devices; earnings: Earnings }> {
  const [devices, earnings] = await Promise.all([
    call<Devices>(get, connection, `${DEVICES}?page=1&size=${LISTED}`),
    call<Earnings>(get, connection, `${EARNINGS}?page=1&size=1`),
  ])
  return { devices, earnings }
}

async function call<T>(get: typeof fetch, { portal, key }: Connection, path: string): Promise<T> {
  const answer = await get(portal + path, {
    headers: { JwtAuthorization: `Bearer ${key}` },
    signal: AbortSignal.timeout(TIMEOUT_MS),
    cache: 'no-store',
    credentials: 'omit',
    // The key is for this portal alone.
    redirect: 'error',
  })
    .then((response) => response.json() as Promise<{ code: number; err?: number; data: T }>)
    .catch(() => {
      throw new PortalError('away')
    })
  if (answer.code === 401) throw new PortalError('refused')
  if (answer.err === FORBIDDEN) throw new PortalError('permission')
  if (answer.code !== 0) throw new PortalError('away')
  return answer.data
}
