import { readFile } from 'node:fs/promises'
import { cpus, totalmem } from 'node:os'
import { join } from 'node:path'
import {
  CLOCK_SKEW_MAX,
  errors,
  errorText,
  type Input,
  nodeControl,
  type Output,
  UPLOAD_TIMEOUT_MIN,
} from '@tidenet/contract'
import type { Clock, Logger } from '@tidenet/daemon'
import { z } from 'zod'
import type { NodeConfig } from './config.ts'
import { writeDurably } from './contents/durable.ts'
import type { Identity } from './identity.ts'
import type { Tokens } from './tokens.ts'

export const VERSION = '0.1.0'

type Calls = Omit<typeof nodeControl, 'register'>

/** The node's connection to the server. */
export interface ServerLink {
  /**
   * Calls an operation, registering first if needed.
   * @throws ServerRefused if the server refused; any other error means that it was not reached
   */
  call<K extends keyof Calls>(
    name: K,
    input: Input<Calls[K]>,
    options?: { timeoutMs?: number; signal?: AbortSignal },
  ): Promise<Output<Calls[K]>>
  /** Registers with the node's key; concurrent calls share one registration. */
  register(): Promise<void>
  readonly registered: boolean
  /** The zone in which nodes have names; empty: there is none, or the node is not registered yet. */
  readonly zone: string
  /** Whether the clocks of the node and the server differ too much. */
  readonly skewed: boolean
}

/** A refusal of the server with its number; 401 if the session is unknown. */
export class ServerRefused extends Error {
  readonly err: number
  /** Server time, unix ms, if it refused because of this node's clock. */
  readonly serverTime: number | undefined

  constructor(err: number, message: string, serverTime?: number) {
    super(message)
    this.name = 'ServerRefused'
    this.err = err
    this.serverTime = serverTime
  }
}

const clockRefusal = z.object({ server_time: z.number() })

const envelope = z.object({
  code: z.number(),
  err: z.number().optional(),
  msg: z.string().optional(),
  data: z.unknown().optional(),
})
const RETRYABLE: readonly (number | undefined)[] = [
  errors.internal.err,
  errors.unavailable.err,
  errors.tooManyRequests.err,
]
const KEYS = 'keys.json'
const savedKeys = z.array(z.record(z.string(), z.unknown()))

export function createServerLink(options: {
  config: NodeConfig
  identity: Identity
  tokens: Tokens
  clock: Clock
  log: Logger
  /** Public URL of this node. */
  url: () => string
  /** Whether the owner allows the program to update itself. */
  allowsUpdates: () => boolean
}): ServerLink {
  const { config, identity, tokens, clock, log } = options
  let session: string | undefined
  let zone = ''
  let registering: Promise<void> | undefined

  const post = async (path: string, input: unknown, timeoutMs: number, signal?: AbortSignal): Promise<unknown> => {
    const limit = AbortSignal.timeout(timeoutMs)
    const answer = await fetch(config.server + path, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...(session && { authorization: `Bearer ${session}` }) },
      body: JSON.stringify(input),
      signal: signal ? AbortSignal.any([limit, signal]) : limit,
      redirect: 'error',
    })
    const text = await answer.text()
    if (!answer.ok) throw new Error(`the server answered ${answer.status}`)
    const { code, err, msg, data } = envelope.parse(JSON.parse(text))
    if (code === 0) return data
    // An overloaded or failing server has not refused: a retry may succeed.
    if (RETRYABLE.includes(err)) throw new Error(`the server could not answer (${msg ?? err})`)
    throw new ServerRefused(
      code === 401 ? 401 : (err ?? code),
      msg ?? '',
      clockRefusal.safeParse(data).data?.server_time,
    )
  }

  let saved = ''
  const takeKeys = async (keys: Record<string, unknown>[]) => {
    await tokens.setKeys(keys)
    // Keys are stored, so that a restarted node can serve while the server is unavailable.
    const text = JSON.stringify(keys)
    if (text === saved) return
    try {
      await writeDurably(join(config.data, KEYS), text)
      saved = text
    } catch (error) {
      // The keys are in use anyway; a full disk must not take the node offline.
      log.warn({ err: error }, 'the keys of the server could not be saved')
    }
  }

  let skewed = false
  /** Logs once when clocks differ, and once when they agree again. */
  const compareClocks = (serverTime: number) => {
    const away = clock.now() - serverTime
    const wrong = Math.abs(away) > CLOCK_SKEW_MAX
    if (wrong === skewed) return
    skewed = wrong
    if (!wrong) {
      log.info('the clocks of this machine and of the server agree again')
      return
    }
    const times = { here: new Date(clock.now()).toISOString(), server: new Date(serverTime).toISOString() }
    log.error(times, errorText('nodeClock', 'en', { ahead: Math.round(away / 1000) }))
  }

  const register = async () => {
    try {
      await prove()
    } catch (error) {
      if (error instanceof ServerRefused && error.serverTime !== undefined) compareClocks(error.serverTime)
      throw error
    }
  }
  const prove = async () => {
    session = undefined
    const { path, output } = nodeControl.register
    const input = registration(config, options.allowsUpdates(), identity, options.url(), clock.now())
    const answer = output.parse(await post(path, input, 10_000))
    if (answer.node_id !== identity.id) throw new Error(`the server calls this node ${answer.node_id}`)
    session = answer.token
    zone = answer.zone
    compareClocks(answer.server_time)
    await takeKeys(answer.keys)
    log.info({ node: identity.id, server: config.server, owned: answer.owned }, 'registered')
    if (config.owner && !answer.code_taken)
      log.warn(
        `the code in TIDENET_NODE_OWNER is not valid: codes last a day. This node ${answer.owned ? 'stays whose it was' : 'belongs to no account'}; make a new code at ${config.server}/devices`,
      )
  }

  const link: ServerLink = {
    get registered() {
      return session !== undefined
    },
    get zone() {
      return zone
    },
    get skewed() {
      return skewed
    },
    register() {
      registering ??= register().finally(() => {
        registering = undefined
      })
      return registering
    },
    async call(name, input, { timeoutMs = UPLOAD_TIMEOUT_MIN, signal } = {}) {
      const operation = nodeControl[name]
      if (session === undefined) await orAborted(signal, link.register())
      let data: unknown
      try {
        data = await post(operation.path, input, timeoutMs, signal)
      } catch (error) {
        if (!(error instanceof ServerRefused) || error.err !== 401) throw error
        await orAborted(signal, link.register())
        data = await post(operation.path, input, timeoutMs, signal)
      }
      const answer = operation.output.parse(data)
      if ('keys' in answer) await takeKeys(answer.keys)
      if ('server_time' in answer) compareClocks(answer.server_time)
      return answer as Output<Calls[typeof name]>
    },
  }
  return link
}

/** The signed registration of a node. */
function registration(
  config: NodeConfig,
  allowsUpdates: boolean,
  identity: Identity,
  url: string,
  time: number,
): Input<typeof nodeControl.register> {
  const signed = ['tidenet-register', identity.publicKey, config.kind, config.area, url, time].join('\n')
  const owned = ['tidenet-owner', identity.publicKey, config.owner, time].join('\n')
  return {
    public_key: identity.publicKey,
    kind: config.kind,
    area_id: config.area,
    url,
    name: config.name,
    version: VERSION,
    latitude: config.latitude,
    longitude: config.longitude,
    cpu_cores: Math.max(1, cpus().length),
    memory: totalmem(),
    capacity: config.capacity,
    join_token: config.joinToken,
    relays: true,
    updates: config.updates?.(allowsUpdates),
    owner_code: config.owner,
    owner_signature: config.owner && identity.sign(owned),
    time,
    signature: identity.sign(signed),
  }
}

/** Resolves with the promise, or rejects when the signal aborts first. */
function orAborted<T>(signal: AbortSignal | undefined, promise: Promise<T>): Promise<T> {
  if (!signal) return promise
  return new Promise((resolve, reject) => {
    const abort = () => reject(signal.reason)
    if (signal.aborted) abort()
    signal.addEventListener('abort', abort, { once: true })
    promise.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort))
  })
}

/** The keys of the last registration; empty if there was none. */
export async function loadKeys(folder: string): Promise<Record<string, unknown>[]> {
  try {
    return savedKeys.parse(JSON.parse(await readFile(join(folder, KEYS), 'utf8')))
  } catch {
    return []
  }
}
