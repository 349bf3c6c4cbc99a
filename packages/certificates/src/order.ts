import { setTimeout as wait } from 'node:timers/promises'
import { type Client, crypto } from 'acme-client'
import { AcmeError, problemOf } from './acme-client.ts'
import type { ChallengeAnswer, Challenges } from './challenges.ts'
import { isWithin } from './hostnames.ts'
import { requestPem } from './requests.ts'

/** An order at a CA, from its first step to the certificate. Every step can be the last before the process is killed. */

export interface OpenOrder {
  /** Of the reservation in the ledger. */
  id: string
  url: string
  names: readonly string[]
  /** Private key of the certificate, PEM; empty if somebody else has it. */
  key: string
  /** The request of whoever has the key: PKCS #10, DER in base64. */
  csr?: string
  /** Unix ms. */
  startedAt: number
  answers: ChallengeAnswer[]
}

/** An order that can never be completed. */
export class OrderFailed extends Error {
  override name = 'OrderFailed'
  /** That of the CA (RFC 8555, such as `unauthorized` or `dns`), or `order-lost`, `no-challenge`. */
  readonly code: string
  /** Whose validation failed, without `*.`. */
  readonly failedNames: readonly string[]
  constructor(code: string, message: string, failedNames: readonly string[] = []) {
    super(message)
    this.code = code
    this.failedNames = failedNames
  }
}

interface Steps {
  client: Client
  challenges: Challenges
  /** Zones whose names are validated by DNS-01; all others by HTTP-01. */
  zones: readonly string[]
  /** Stores the order after a change. */
  save: (order: OpenOrder) => Promise<void>
  signal: AbortSignal
}

/** Validation takes seconds; afterwards the order is continued at another time. */
const POLLS = 40
const pauseMs = (poll: number) => Math.min(150 * 1.5 ** poll, 10_000)

/**
 * Continues an order until its certificate is there.
 * @returns PEM, with the certificates of the CA
 * @throws OrderFailed, AcmeError (it can be continued later), or the signal's reason
 */
export async function completeOrder(order: OpenOrder, steps: Steps): Promise<string> {
  const { client, signal } = steps
  for (let poll = 0; poll < POLLS; poll++) {
    signal.throwIfAborted()
    const found = await requireOrder(client, order)
    switch (found.status) {
      case 'valid':
        return client.getCertificate(found)
      case 'ready':
        // Some CAs issue at once.
        if ((await client.finalizeOrder(found, await csrOf(order))).status === 'valid') continue
        break
      case 'pending':
        await answerChallenges(order, found, steps)
        break
      case 'invalid':
        throw await failureOf(client, found)
    }
    await wait(pauseMs(poll), undefined, { signal })
  }
  throw new AcmeError('unreachable', 'The CA takes too long.')
}

type FoundOrder = Awaited<ReturnType<Client['getOrder']>>

async function requireOrder(client: Client, order: OpenOrder): Promise<FoundOrder> {
  try {
    return await client.getOrder({ url: order.url } as FoundOrder)
  } catch (error) {
    if (error instanceof AcmeError && (error.status === 404 || error.status === 403))
      throw new OrderFailed('order-lost', error.message)
    throw error
  }
}

async function csrOf({ names, key, csr: given }: OpenOrder): Promise<Buffer> {
  if (given !== undefined) return Buffer.from(requestPem(Buffer.from(given, 'base64')))
  const [, csr] = await crypto.createCsr({ altNames: [...names] }, key)
  return csr
}

async function answerChallenges(order: OpenOrder, found: FoundOrder, steps: Steps) {
  const { client, challenges, save, signal } = steps
  const open = (await client.getAuthorizations(found))
    .filter(({ status }) => status === 'pending')
    .map((authorization) => challengeOf(authorization, steps.zones))
    // Otherwise the CA is already asking.
    .filter(({ challenge }) => challenge.status === 'pending')
  if (open.length === 0) return
  const answers: ChallengeAnswer[] = []
  for (const { challenge, domain } of open) {
    const text = await client.getChallengeKeyAuthorization(challenge)
    answers.push(
      challenge.type === 'dns-01'
        ? { type: 'dns-01', domain, text }
        : { type: 'http-01', token: challenge.token, body: text },
    )
  }
  // Before they are put there, so that they are removed even if the process is killed in between.
  order.answers = [...order.answers, ...answers]
  await save(order)
  for (const answer of answers) await challenges.put(answer)
  // The CA may ask another server.
  await wait(challenges.delayMs, undefined, { signal })
  for (const { challenge } of open) await client.completeChallenge(challenge)
}

type Authorization = Awaited<ReturnType<Client['getAuthorizations']>>[number]

/** @throws OrderFailed */
function challengeOf(authorization: Authorization, zones: readonly string[]) {
  const domain = authorization.identifier.value
  const type = authorization.wildcard || zones.some((zone) => isWithin(domain, zone)) ? 'dns-01' : 'http-01'
  const challenge = authorization.challenges.find((each) => each.type === type)
  if (!challenge) throw new OrderFailed('no-challenge', `The CA does not offer ${type} for ${domain}.`)
  return { challenge, domain }
}

/** Why an order became invalid, in the CA's words. */
async function failureOf(client: Client, found: FoundOrder): Promise<OrderFailed> {
  const authorizations = await client.getAuthorizations(found)
  const failed = authorizations.filter(({ status }) => status === 'invalid')
  const problems = failed.flatMap(({ challenges }) => challenges.map(({ error }) => problemOf(error)))
  const { type, detail } = problems.find((problem) => problem.type) ?? problemOf(found.error)
  return new OrderFailed(
    type?.split(':').at(-1) ?? 'unknown',
    detail ?? 'The CA did not say why.',
    failed.map(({ identifier }) => identifier.value),
  )
}
