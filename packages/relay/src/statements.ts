import { createPublicKey, randomBytes, verify } from 'node:crypto'
import { type RelayTicket, relayedText } from '@tidenet/contract'
import type { Clock } from '@tidenet/daemon'
import type { RelayLimits } from './limits.ts'

/** What a device signed: so many of its bytes left through this relay in this session. */
export interface RelayedStatement {
  /** Its node id. */
  device: string
  session: string
  bytes: number
  signature: string
}

/** Counts what the device sends to one visitor. */
export interface Counter {
  session: string
  /** Calls `send` when the device may send so many bytes more, perhaps at once. */
  take(bytes: number, send: () => void): void
  end(): void
}

interface Session {
  readonly id: string
  sent: number
  signed: number
  /** Bytes that it was asked to sign without an answer yet, and when. */
  asked: { bytes: number; at: number } | undefined
  /** It signed fewer than it was asked for, so it is not asked again. */
  isDisputed: boolean
  visitors: number
  beganAt: number
  movedAt: number
}

/** How to ask a device over its present control connection. */
export type Ask = (session: string, bytes: number) => void

interface Account {
  readonly label: string
  ticket: Pick<RelayTicket, 'aud' | 'sub' | 'key'>
  sessions: Map<string, Session>
  current: Session | undefined
  /** What waits until the device has signed. */
  waiting: { session: Session; bytes: number; send: () => void }[]
  ask: Ask | undefined
}

/** Most bytes that arrive at once. */
const READ_BYTES = 65_536
const SESSION_MS = 86_400_000
/** Then the relay forgets what a device has not signed: its program may have crashed. */
const FORGET_MS = 3_600_000
const UNREPORTED_MAX = 20_000

/**
 * What each device sent through this relay, and what it signed of that. Bytes towards devices do not count: those that a visitor sent before
 * breaking off may never arrive, so a stranger could make a device owe signatures that it cannot give.
 * @param now ms, monotonic
 * @param onUnsigned a device does not sign: it gets no visitors any more, and loses those that it has
 */
export function createStatements({
  limits,
  now,
  clock,
  onUnsigned,
}: {
  limits: Pick<RelayLimits, 'signBytes' | 'unsignedBytes' | 'pongMs'>
  now: () => number
  clock: Clock
  onUnsigned: (label: string) => void
}) {
  const accounts = new Map<string, Account>()
  /** The largest statement of each session, until the server has it. */
  const unreported = new Map<string, RelayedStatement>()

  const fits = ({ sessions }: Account, more: number) => {
    let unsigned = more
    for (const session of sessions.values()) unsigned += session.sent - session.signed
    return unsigned <= limits.unsignedBytes
  }
  const askFor = ({ ask }: Account, session: Session) => {
    if (!ask || session.asked || session.isDisputed || session.sent <= session.signed) return
    session.asked = { bytes: session.sent, at: now() }
    ask(session.id, session.sent)
  }
  const askAll = (account: Account) => {
    for (const session of account.sessions.values()) askFor(account, session)
  }
  const isAwaited = ({ sessions }: Account) => [...sessions.values()].some(({ asked }) => asked)
  const giveUp = (account: Account) => {
    account.waiting = []
    onUnsigned(account.label)
  }
  const pass = (account: Account, session: Session, bytes: number, send: () => void) => {
    session.sent += bytes
    session.movedAt = now()
    send()
    if (session.sent - session.signed >= limits.signBytes) askFor(account, session)
  }
  /** Passes on what waited, as far as the signatures allow it. */
  const goOn = (account: Account) => {
    for (let [next] = account.waiting; next && fits(account, next.bytes); [next] = account.waiting) {
      account.waiting.shift()
      pass(account, next.session, next.bytes, next.send)
    }
    if (account.waiting.length === 0) return
    askAll(account)
    if (account.ask && !isAwaited(account)) giveUp(account)
  }
  const currentOf = (account: Account): Session => {
    if (account.current && now() - account.current.beganAt < SESSION_MS) return account.current
    const id = `${Math.floor(clock.now() / 1000)}-${randomBytes(12).toString('base64url')}`
    const times = { beganAt: now(), movedAt: now() }
    const session = { id, sent: 0, signed: 0, asked: undefined, isDisputed: false, visitors: 0, ...times }
    account.sessions.set(id, session)
    account.current = session
    return session
  }

  return {
    /** A device has connected. */
    enter(label: string, ticket: RelayTicket, ask: Ask): void {
      let account = accounts.get(label)
      if (!account) {
        account = { label, ticket, sessions: new Map(), current: undefined, waiting: [], ask }
        accounts.set(label, account)
      }
      account.ask = ask
      account.ticket = ticket
      // Its program may have started anew, and know nothing of what it sent before.
      account.current = undefined
      for (const session of account.sessions.values()) session.asked = undefined
      askAll(account)
    },
    /** Its control connection has ended. */
    leave(label: string, ask: Ask): void {
      const account = accounts.get(label)
      if (account?.ask === ask) account.ask = undefined
    },
    /** For a visitor of a device. @returns undefined: it has to sign first */
    begin(label: string): Counter | undefined {
      const account = accounts.get(label)
      if (!account || !fits(account, READ_BYTES)) return undefined
      const session = currentOf(account)
      session.visitors++
      let hasEnded = false
      return {
        session: session.id,
        take(bytes, send) {
          if (account.waiting.length === 0 && fits(account, bytes)) return pass(account, session, bytes, send)
          account.waiting.push({ session, bytes, send })
          goOn(account)
        },
        end() {
          if (hasEnded) return
          hasEnded = true
          session.visitors--
        },
      }
    },
    /** The answer of a device. @returns whether it was asked */
    sign(label: string, { session: id, bytes, signature }: Omit<RelayedStatement, 'device'>): boolean {
      const account = accounts.get(label)
      const session = account?.sessions.get(id)
      if (!account || !session?.asked || bytes > session.asked.bytes) return false
      const { asked } = session
      session.asked = undefined
      const { aud, sub, key } = account.ticket
      if (bytes > session.signed && isSigned(key, relayedText(id, aud, sub, bytes), signature)) {
        session.signed = bytes
        if (unreported.size < UNREPORTED_MAX || unreported.has(id))
          unreported.set(id, { device: sub, session: id, bytes, signature })
      }
      if (session.signed < asked.bytes) {
        session.isDisputed = true
        if (session === account.current) account.current = undefined
      }
      goOn(account)
      return true
    },
    /** Asks for signatures that are missing, and gives up devices that do not answer. */
    check(): void {
      for (const account of accounts.values()) {
        const late = [...account.sessions.values()].filter(({ asked }) => asked && now() - asked.at > limits.pongMs)
        for (const session of late) session.asked = undefined
        if (account.ask && late.length > 0) giveUp(account)
        else askAll(account)
        for (const [id, session] of account.sessions) {
          const isForgotten = now() - session.movedAt >= FORGET_MS
          const isOver = session !== account.current && session.sent === session.signed
          if (session.visitors === 0 && (isForgotten || isOver)) account.sessions.delete(id)
        }
        if (account.current && !account.sessions.has(account.current.id)) account.current = undefined
        if (!account.ask && account.sessions.size === 0) accounts.delete(account.label)
      }
    },
    /** Asks for all signatures that are missing, before the relay stops. */
    askAll(): void {
      for (const account of accounts.values()) askAll(account)
    },
    get isAwaited() {
      return [...accounts.values()].some((account) => account.ask && isAwaited(account))
    },
    /** Statements for the server. */
    list: (most: number): RelayedStatement[] => [...unreported.values()].slice(0, most),
    /** The server has these. */
    confirm(statements: readonly RelayedStatement[]): void {
      for (const { session, bytes } of statements)
        if (unreported.get(session)?.bytes === bytes) unreported.delete(session)
    },
  }
}

/** Whether this text is signed by the Ed25519 key. @param key raw, base64url */
export function isSigned(key: string, text: string, signature: string): boolean {
  try {
    const publicKey = createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x: key }, format: 'jwk' })
    return verify(null, Buffer.from(text), publicKey, Buffer.from(signature, 'base64url'))
  } catch {
    return false
  }
}
