import { AppError, type nodeControl } from '@tidenet/contract'

type Call = Exclude<keyof typeof nodeControl, 'register'>

/** Calls per node and minute; a busy node makes a few per second. */
const LIMITS: Record<Call, number> = {
  heartbeat: 1500,
  replicas: 1500,
  receipts: 1500,
  audits: 1500,
  served: 300,
  inventory: 300,
  earnings: 10,
  contains: 60,
  certificate: 60,
  relays: 60,
}
const MINUTE = 60_000
/** The most nodes counted at once; above it, all counts are reset. */
const MAX_NODES = 50_000

/** Counts calls per node on this server. */
export function createCallLimits(now: () => number = Date.now): (nodeId: string, call: Call) => void {
  let counts = new Map<string, number>()
  let until = 0
  /** @throws AppError tooManyRequests */
  return (nodeId, call) => {
    if (now() >= until || counts.size > MAX_NODES * Object.keys(LIMITS).length) {
      counts = new Map()
      until = now() + MINUTE
    }
    const key = `${call} ${nodeId}`
    const count = (counts.get(key) ?? 0) + 1
    counts.set(key, count)
    if (count > LIMITS[call]) throw new AppError('tooManyRequests', { seconds: Math.ceil((until - now()) / 1000) })
  }
}
