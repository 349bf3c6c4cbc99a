import { randomBytes } from 'node:crypto'
import type { TLSSocket } from 'node:tls'
import type { RelayTicket } from '@tidenet/contract'
import { type Clock, clientNetworkOf, type Logger, nodeLabelOf } from '@tidenet/daemon'
import type { Join } from './join.ts'
import { createPlaces, createTakeovers, type RelayLimits } from './limits.ts'
import { deviceMessage, EXPORTER, proofText, type RefusalCode, readMessages, writeMessage } from './messages.ts'
import { type createStatements, isSigned } from './statements.ts'

/** A device that is connected. */
export interface Session {
  readonly joins: Set<Join>
  /** Takes a place for a visitor of this address. @returns how to give it back; undefined: there are too many */
  admit(address: string): (() => void) | undefined
  /** Asks the device to dial back. @param onBusy it does not */
  dial(token: string, from: string, session: string, onBusy: () => void): void
}

interface Connected extends Session {
  socket: TLSSocket
  label: string
  key: string
  /** Gives back its place in its network. */
  leave(): void
  /** Unix ms. */
  expiresAt: number
  /** When it was pinged without an answer yet. */
  pingedAt: number | undefined
  nextPingAt: number
  /** Whether a newer ticket is being read. */
  isRenewing: boolean
  /** By token: what happens if the device does not dial back. */
  dials: Map<string, () => void>
}

/** The devices that are connected to a relay: they prove their key, and have a ticket of the server. */
export function createSessions({
  label: relay,
  readTicket,
  limits,
  now,
  onCloned,
  statements,
  clock,
  log,
}: {
  label: string
  readTicket: (ticket: string) => Promise<RelayTicket>
  limits: RelayLimits
  /** ms, monotonic */
  now: () => number
  onCloned?: ((label: string) => void) | undefined
  statements: ReturnType<typeof createStatements>
  clock: Clock
  log: Logger
}) {
  const byLabel = new Map<string, Connected>()
  const bySocket = new WeakMap<TLSSocket, Connected>()
  const proving = new Set<TLSSocket>()
  /** Visitors by label: they outlive the control connection, and so do their places. */
  const visiting = new Map<string, { count: number; perAddress: Map<string, number> }>()
  /** Dial-backs that were asked for, by the network of the device. */
  const awaited = new Map<string, number>()
  const takeovers = createTakeovers(limits.takeovers, now)
  const takePlace = createPlaces(limits.devicesPerNetwork)

  const refuse = (socket: TLSSocket, code: RefusalCode) => {
    writeMessage(socket, { type: 'refused', code })
    socket.end()
    socket.destroySoon()
  }

  const prove = async (socket: TLSSocket, nonce: string, text: string, signature: string) => {
    const ticket = await readTicket(text).catch(() => undefined)
    if (!ticket) return refuse(socket, 'ticket')
    const exporter = socket.exportKeyingMaterial(EXPORTER.bytes, EXPORTER.label, Buffer.alloc(0))
    if (!isSigned(ticket.key, proofText(relay, nonce, exporter), signature)) return refuse(socket, 'signature')
    if (socket.destroyed) return
    enter(socket, nodeLabelOf(ticket.key), ticket)
  }

  const renew = async (connected: Connected, text: string) => {
    // Signatures wait for threads: a device could make them pile up.
    if (connected.isRenewing) return
    connected.isRenewing = true
    const ticket = await readTicket(text).catch(() => undefined)
    connected.isRenewing = false
    if (ticket?.key === connected.key) connected.expiresAt = ticket.exp * 1000
    else refuse(connected.socket, 'ticket')
  }

  const enter = (socket: TLSSocket, label: string, ticket: RelayTicket) => {
    const before = byLabel.get(label)
    if (!before && byLabel.size >= limits.devices) return refuse(socket, 'full')
    if (before) {
      // The one that is there stays: it may be the real one, and the owner is told by both.
      if (!takeovers.count(label)) {
        log.warn({ label }, 'several devices use the same key')
        onCloned?.(label)
        return refuse(socket, 'cloned')
      }
      byLabel.delete(label)
      before.leave()
      refuse(before.socket, 'replaced')
    }
    const leave = takePlace(socket.remoteAddress ?? '')
    if (!leave) return refuse(socket, 'full')
    const visitors = Math.min(limits.visitors, ticket.most)
    const connected = sessionOf(socket, { label, visitors, ticket, leave })
    byLabel.set(label, connected)
    bySocket.set(socket, connected)
    const ask = (session: string, bytes: number) => writeMessage(socket, { type: 'sign', session, bytes })
    socket.once('close', () => {
      leave()
      statements.leave(label, ask)
      if (byLabel.get(label) === connected) byLabel.delete(label)
    })
    const address = socket.remoteAddress ?? ''
    writeMessage(socket, { type: 'welcome', visitors, ping_ms: limits.pingMs, address })
    statements.enter(label, ticket, ask)
    return undefined
  }

  const sessionOf = (
    socket: TLSSocket,
    { label, visitors, ticket, leave }: { label: string; visitors: number; ticket: RelayTicket; leave: () => void },
  ): Connected => {
    const network = clientNetworkOf(socket.remoteAddress ?? '')
    const dials = new Map<string, () => void>()
    return {
      socket,
      label,
      key: ticket.key,
      leave,
      expiresAt: ticket.exp * 1000,
      pingedAt: undefined,
      isRenewing: false,
      nextPingAt: now() + limits.pingMs,
      dials,
      joins: new Set(),
      admit(address) {
        const places = visiting.get(label) ?? { count: 0, perAddress: new Map<string, number>() }
        const own = places.perAddress.get(address) ?? 0
        if (places.count >= visitors || own >= limits.visitorsPerAddress) return undefined
        visiting.set(label, places)
        places.count++
        places.perAddress.set(address, own + 1)
        let isReleased = false
        return () => {
          if (isReleased) return
          isReleased = true
          const left = (places.perAddress.get(address) ?? 1) - 1
          if (left > 0) places.perAddress.set(address, left)
          else places.perAddress.delete(address)
          if (--places.count === 0) visiting.delete(label)
        }
      },
      dial(token, from, session, onBusy) {
        dials.set(token, onBusy)
        awaited.set(network, (awaited.get(network) ?? 0) + 1)
        setTimeout(() => {
          dials.delete(token)
          const left = (awaited.get(network) ?? 1) - 1
          if (left > 0) awaited.set(network, left)
          else awaited.delete(network)
        }, limits.dialMs).unref()
        writeMessage(socket, { type: 'dial', token, from, session })
      },
    }
  }

  return {
    get size() {
      return byLabel.size
    },
    find: (label: string): Session | undefined => byLabel.get(label),
    /** Whether a device at this address was asked to dial back. */
    awaits: (address: string): boolean => awaited.has(clientNetworkOf(address)),
    /** Begins with a new control connection. */
    accept(socket: TLSSocket) {
      if (proving.size >= limits.devices) return refuse(socket, 'full')
      proving.add(socket)
      const nonce = randomBytes(24).toString('base64url')
      const deadline = setTimeout(() => socket.destroy(), limits.helloMs)
      // The port allows half-open connections, for visitors: a device that is gone would stay for its last ping.
      socket.once('end', () => socket.destroy())
      socket.once('close', () => {
        clearTimeout(deadline)
        proving.delete(socket)
      })
      let hasProof = false
      readMessages(socket, deviceMessage, (message) => {
        const connected = bySocket.get(socket)
        if (message?.type === 'proof' && !hasProof) {
          hasProof = true
          prove(socket, nonce, message.ticket, message.signature)
            .catch(() => socket.destroy())
            .finally(() => {
              clearTimeout(deadline)
              proving.delete(socket)
            })
        } else if (message?.type === 'pong' && connected) connected.pingedAt = undefined
        else if (message?.type === 'signed' && connected && statements.sign(connected.label, message)) return
        else if (message?.type === 'busy' && connected) connected.dials.get(message.token)?.()
        else if (message?.type === 'ticket' && connected) void renew(connected, message.ticket)
        else refuse(socket, 'protocol')
      })
      writeMessage(socket, { type: 'hello', nonce })
      return undefined
    },
    /** Pings, and ends connections that do not answer. */
    check() {
      takeovers.prune()
      for (const each of byLabel.values()) {
        if (each.expiresAt <= clock.now()) refuse(each.socket, 'ticket')
        else if (each.pingedAt !== undefined && now() - each.pingedAt > limits.pongMs) each.socket.destroy()
        else if (each.pingedAt === undefined && now() >= each.nextPingAt) {
          each.pingedAt = now()
          each.nextPingAt = now() + limits.pingMs
          writeMessage(each.socket, { type: 'ping' })
        }
      }
    },
    /** Ends the connection of a device that does not sign. */
    endUnsigned(label: string) {
      const connected = byLabel.get(label)
      if (!connected) return
      byLabel.delete(label)
      connected.leave()
      refuse(connected.socket, 'unsigned')
    },
    drain() {
      for (const { socket } of byLabel.values()) writeMessage(socket, { type: 'drain' })
    },
    close() {
      for (const { socket } of byLabel.values()) socket.destroy()
      for (const socket of proving) socket.destroy()
    },
  }
}
