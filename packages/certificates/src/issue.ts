import { randomUUID } from 'node:crypto'
import type { Clock, Logger } from '@tidenet/daemon'
import { type Client, crypto } from 'acme-client'
import { type Authority, accountClient, authorityIdOf, forgetLostAccount } from './accounts.ts'
import { AcmeError, trustRoots } from './acme-client.ts'
import type { Challenges } from './challenges.ts'
import type { Documents } from './documents.ts'
import { acquireLease, isLeased } from './leases.ts'
import { completeOrder, type OpenOrder, OrderFailed } from './order.ts'
import type { PointsHere } from './ownership.ts'
import { admission, EMPTY_LEDGER, type Ledger, type Order, pruned, type Quotas, reserved, settled } from './quotas.ts'
import { isExempt, isSuggested, type Renewal } from './renewal.ts'
import { isForKey, keyOfRequest } from './requests.ts'
import { readCertificate, readCertificateFacts, renewalIdOf } from './x509.ts'

/** Why there is no certificate. Stored, so that every server can show it. */
export interface Failure {
  /**
   * `quota`: waits for a quota of the CA (`detail`: which). `not-pointing-here`, `not-verified`, `unresolvable`: nothing was ordered.
   * `unreachable`: the CA does not answer. Otherwise the CA's code (RFC 8555 section 6.7): `unauthorized`, `dns`, `connection`, `caa`,
   * `rateLimited`, `rejectedIdentifier` and others.
   */
  code: string
  /** In English, from the CA or a resolver; for people, not for programs. */
  detail: string
  /** Failed attempts in a row; 0 while it only waits. */
  tries: number
  /** Unix ms. */
  at: number
  /** When it is tried again, Unix ms. */
  nextAt: number
}

interface IssuerOptions extends Authority {
  documents: Documents
  challenges: Challenges
  zones: readonly string[]
  quotas: Quotas
  clock: Clock
  log: Logger
  /** Aborted when the program stops. */
  signal: AbortSignal
  /** Part of the keys of orders and failures, where several CAs order for the same names. Default: none. */
  space?: string
}

export interface OrderRequest {
  set: string
  names: readonly string[]
  /** Of whoever has the private key: PKCS #10, DER. Default: a key is made here. */
  csr?: Buffer
  replaces?: { /** PEM. */ cert: string; renewal: Renewal | undefined }
}

/** PEM. */
export interface Issued {
  cert: string
  /** Empty if somebody else has it. */
  key: string
}

/** Why a name may not be ordered now; undefined: it may. */
export type RefusalOf = (names: readonly string[]) => Promise<Extract<PointsHere, { isHere: false }> | undefined>

const MINUTE_MS = 60_000
const BACKOFF_MS = { first: 2 * MINUTE_MS, most: 12 * 60 * MINUTE_MS }
/** A CA that refuses because of a rate limit, and does not say for how long. */
const RATE_LIMITED_MS = 60 * MINUTE_MS
/** Failures that have nothing to do with the certificate that is replaced. */
const MAY_REPLACE_AFTER = new Set(['quota', 'unreachable', 'rateLimited'])
/** An order that was not completed in this time is given up; CAs keep them for a week. */
const ORDER_MS = 24 * 60 * MINUTE_MS

/** @throws OrderFailed */
function requireUsable(cert: string, { key, csr, names }: OpenOrder): void {
  try {
    const certified = (csr === undefined ? readCertificate(cert, key) : readCertificateFacts(cert)).names
    const isOfKey = csr === undefined || isForKey(cert, keyOfRequest(Buffer.from(csr, 'base64')))
    if (isOfKey && names.every((name) => certified.includes(name))) return
  } catch (error) {
    throw new OrderFailed('unknown', `The CA issued an unusable certificate: ${(error as Error).message}`)
  }
  throw new OrderFailed('unknown', 'The CA issued a certificate for other names, or another key.')
}

/** What is done for one set of names, by whoever has its lease. */
export function createIssuer(options: IssuerOptions) {
  const { documents, challenges, zones, quotas, clock, log, space = '' } = options
  trustRoots(options.directory, options.roots)
  const ledgerKey = `ledger/${authorityIdOf(options)}`
  const keys = (set: string) => ({ order: `order/${set}${space}`, failure: `failure/${set}${space}` })

  const failureOf = (set: string) => documents.read<Failure>(keys(set).failure)

  /** @param atLeastMs what the CA asks to wait */
  const fail = async (set: string, code: string, detail: string, atLeastMs = 0) => {
    const at = clock.now()
    const tries = ((await failureOf(set))?.tries ?? 0) + 1
    const delay = Math.min(BACKOFF_MS.first * 2 ** (tries - 1), BACKOFF_MS.most)
    const nextAt = at + Math.max(delay * (0.9 + Math.random() / 5), atLeastMs)
    await documents.write(keys(set).failure, { code, detail, tries, at, nextAt } satisfies Failure)
  }

  /** Reserves what an order may cost; otherwise stores when it may be made. */
  const reserve = async (order: Order): Promise<boolean> => {
    const now = clock.now()
    const { at, quota } = await documents.change<Ledger, ReturnType<typeof admission>>(ledgerKey, (before) => {
      const ledger = pruned({ ...EMPTY_LEDGER, ...before }, quotas, now)
      const result = admission(ledger, quotas, order, now)
      return { after: result.quota ? before : reserved(ledger, order, now), result }
    })
    if (!quota) return true
    const tries = (await failureOf(order.set))?.tries ?? 0
    await documents.write(keys(order.set).failure, {
      code: 'quota',
      detail: quota,
      tries,
      at: now,
      nextAt: at,
    } satisfies Failure)
    return false
  }
  const settle = (id: string, outcome: 'issued' | readonly string[]) =>
    documents.change<Ledger, void>(ledgerKey, (before) => ({
      after: before && settled(before, id, outcome, clock.now()),
      result: undefined,
    }))

  const close = async (set: string, order: OpenOrder) => {
    for (const answer of order.answers) await challenges.remove(answer)
    await documents.write(keys(set).order, undefined)
  }

  /** A new order; undefined if a quota forbids it. */
  const place = async (client: Client, request: OrderRequest): Promise<OpenOrder | undefined> => {
    const { set, names, replaces } = request
    const id = randomUUID()
    const failure = await failureOf(set)
    // Otherwise the CA may have refused the replacement: a certificate can be replaced only once.
    const isFirst = !failure || MAY_REPLACE_AFTER.has(failure.code)
    const certId =
      replaces && isFirst && isSuggested(replaces.renewal, clock.now()) ? renewalIdOf(replaces.cert) : undefined
    const isReplacement = certId !== undefined && isExempt(replaces?.renewal, clock.now())
    if (!(await reserve({ id, set, names, isReplacement }))) return undefined
    const csr = request.csr?.toString('base64')
    const key = csr === undefined ? (await crypto.createPrivateEcdsaKey('P-256')).toString() : ''
    const wanted = {
      identifiers: names.map((value) => ({ type: 'dns', value })),
      ...(options.profile && { profile: options.profile }),
      ...(certId && { replaces: certId }),
    }
    try {
      const { url } = await client.createOrder(wanted)
      const order: OpenOrder = { id, url, names, key, ...(csr && { csr }), startedAt: clock.now(), answers: [] }
      await documents.write(keys(set).order, order)
      return order
    } catch (error) {
      // Even if the CA took the order and its answer was lost: nothing was validated or issued.
      await settle(id, [])
      throw error
    }
  }

  const giveUp = async (set: string, order: OpenOrder, names: readonly string[]) => {
    await settle(order.id, names)
    await close(set, order)
  }

  /** The order of an earlier attempt, which was interrupted. */
  const findOpenOrder = async ({ set, csr }: OrderRequest): Promise<OpenOrder | undefined> => {
    const order = await documents.read<OpenOrder>(keys(set).order)
    const isOfKey = order?.csr === csr?.toString('base64')
    if (!order || (isOfKey && clock.now() - order.startedAt < ORDER_MS)) return order
    // Its reservation stays: the CA may have issued the certificate that nobody fetched.
    await close(set, order)
    return undefined
  }

  const attempt = async (
    request: OrderRequest,
    signal: AbortSignal,
    refusalOf: RefusalOf,
  ): Promise<Issued | undefined> => {
    const { set } = request
    let order = await findOpenOrder(request)
    if (!order) {
      const refusal = await refusalOf(request.names)
      if (refusal) {
        await fail(set, refusal.code, refusal.detail)
        return undefined
      }
    }
    const client = await accountClient(documents, options)
    order ??= await place(client, request)
    if (!order) return undefined
    const save = (changed: OpenOrder) => documents.write(keys(set).order, changed)
    try {
      const cert = await completeOrder(order, { client, challenges, zones, save, signal })
      requireUsable(cert, order)
      await settle(order.id, 'issued')
      return { cert, key: order.key }
    } catch (error) {
      // It can be continued after anything else.
      if (error instanceof OrderFailed) await giveUp(set, order, error.failedNames)
      throw error
    }
  }

  return {
    failureOf,
    lease: (set: string) => acquireLease(documents, clock, set),
    isOrdering: (set: string) => isLeased(documents, clock, set),

    /**
     * Continues the order of these names, or makes one. What went wrong is stored as its failure.
     * @returns undefined if it failed, or must wait
     * @throws what is no fault of the CA or the names, such as an error of the store
     */
    async issue(request: OrderRequest, lost: AbortSignal, refusalOf: RefusalOf): Promise<Issued | undefined> {
      const signal = AbortSignal.any([lost, options.signal])
      try {
        return await attempt(request, signal, refusalOf)
      } catch (error) {
        // The next process, or the holder of the lease, continues.
        signal.throwIfAborted()
        await forgetLostAccount(documents, options, error)
        if (error instanceof OrderFailed) await fail(request.set, error.code, error.message)
        else if (error instanceof AcmeError) {
          const least = error.code === 'rateLimited' ? error.retryAfterMs || RATE_LIMITED_MS : error.retryAfterMs
          await fail(request.set, error.code, error.message, least)
        } else {
          log.warn({ err: error, names: request.names }, 'an order of a certificate failed')
          await fail(request.set, 'unknown', error instanceof Error ? error.message : String(error))
        }
        return undefined
      }
    },

    /** After the certificate was stored: nothing is left of its order, and of what went wrong before. */
    async finish(set: string) {
      const order = await documents.read<OpenOrder>(keys(set).order)
      if (order) await close(set, order)
      await documents.write(keys(set).failure, undefined)
    },

    /** @throws AcmeError */
    async revoke(cert: string) {
      const client = await accountClient(documents, options)
      try {
        await client.revokeCertificate(cert, { reason: 1 })
      } catch (error) {
        if (!(error instanceof AcmeError && error.code === 'alreadyRevoked')) throw error
      }
    },

    async forget(set: string) {
      const order = await documents.read<OpenOrder>(keys(set).order)
      if (order) await close(set, order)
      await documents.write(keys(set).failure, undefined)
    },
  }
}
