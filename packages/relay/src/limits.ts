import { clientNetworkOf, visitorNetworkOf } from '@tidenet/daemon'

export interface RelayLimits {
  /** Devices at a time, and those of one network. */
  devices: number
  devicesPerNetwork: number
  /** Visitors of one device at a time, and of one network of these (an address, or an IPv6 /48). */
  visitors: number
  visitorsPerAddress: number
  /** New connections of one address a second, and connections of one network at a time. */
  newPerSecond: number
  openPerNetwork: number
  /** How long a first message, a proof of a key and a dial back may take. */
  helloMs: number
  dialMs: number
  /** Without a byte; with bytes that wait and are not taken. */
  idleMs: number
  stuckMs: number
  /** Times that connections of one key may replace each other within a minute. */
  takeovers: number
  /** Bytes that a device sends until it is asked to sign them, and how many it may have sent without signing. */
  signBytes: number
  unsignedBytes: number
  /** Interval of pings, and how long the answer may take. */
  pingMs: number
  pongMs: number
  /** How often connections are looked at. */
  checkMs: number
}

const MiB = 1 << 20

export const RELAY_LIMITS: RelayLimits = {
  devices: 5000,
  devicesPerNetwork: 500,
  visitors: 64,
  visitorsPerAddress: 16,
  newPerSecond: 20,
  openPerNetwork: 2000,
  helloMs: 10_000,
  dialMs: 8000,
  idleMs: 120_000,
  stuckMs: 60_000,
  takeovers: 3,
  signBytes: 16 * MiB,
  unsignedBytes: 64 * MiB,
  pingMs: 20_000,
  pongMs: 8000,
  checkMs: 5000,
}

const SECOND_MS = 1000
const MINUTE_MS = 60_000
/** Above it, counts begin anew. */
const ADDRESSES_MAX = 100_000

/** In an IPv6 /48, so many times as many as from one of its 65,536 /64s. */
const WIDE = 10

/** Counts new connections of each address (an IPv6 /64 is one). @returns whether another one is allowed */
export function createRate(perSecond: number, now: () => number): (address: string) => boolean {
  let since = 0
  let counts = new Map<string, number>()
  return (address) => {
    if (now() - since >= SECOND_MS || counts.size > ADDRESSES_MAX) {
      since = now()
      counts = new Map()
    }
    const count = (key: string) => {
      const sum = (counts.get(key) ?? 0) + 1
      counts.set(key, sum)
      return sum
    }
    const own = clientNetworkOf(address)
    const wide = visitorNetworkOf(address)
    return count(own) <= perSecond && (wide === own || count(wide) <= WIDE * perSecond)
  }
}

/**
 * Places for connections of each network (an IPv6 /48 is one, in which one person has 65,536 addresses for `createRate`).
 * @returns takes a place, and returns how to give it back; undefined: there is none left
 */
export function createPlaces(most: number): (address: string) => (() => void) | undefined {
  const taken = new Map<string, number>()
  return (address) => {
    const network = visitorNetworkOf(address)
    const count = (taken.get(network) ?? 0) + 1
    if (count > most) return undefined
    taken.set(network, count)
    let isTaken = true
    return () => {
      if (!isTaken) return
      isTaken = false
      const left = (taken.get(network) ?? 1) - 1
      if (left > 0) taken.set(network, left)
      else taken.delete(network)
    }
  }
}

/** Remembers when connections of a key replaced each other. */
export function createTakeovers(most: number, now: () => number) {
  const times = new Map<string, number[]>()
  return {
    /** Counts one. @returns whether it is allowed */
    count(label: string): boolean {
      const recent = (times.get(label) ?? []).filter((at) => now() - at < MINUTE_MS)
      if (recent.length >= most) return false
      times.set(label, [...recent, now()])
      return true
    },
    /** Forgets what is older than a minute. */
    prune() {
      for (const [label, each] of times) if (each.every((at) => now() - at >= MINUTE_MS)) times.delete(label)
    },
  }
}
