import { guardedBytes } from '@tidenet/daemon'
import { z } from 'zod'
import type { ExchangeConfig } from './config.ts'

/** The partner whose credits are exchanged for TNT4. */
export interface Partner {
  /** The account with this UID or e-mail address. @throws PartnerUnclear */
  lookup(account: string): Promise<PartnerAccount | undefined>
  /**
   * Credits an account, once per key however often it is asked.
   * @throws PartnerUnclear: it may have credited; ask `find` before anything else
   */
  credit(credit: { key: string; account: string; points: number }): Promise<Outcome>
  /** What became of a key; undefined: the partner never heard of it. @throws PartnerUnclear */
  find(key: string): Promise<Outcome | undefined>
  /** Makes sure that a key is never credited from now on; `credited` if it was already. @throws PartnerUnclear */
  revoke(key: string): Promise<Outcome>
  /** @throws PartnerUnclear if it does not answer */
  check(): Promise<void>
}

export interface PartnerAccount {
  /** Never changes; accounts are credited by it. */
  id: string
  name: string
}

/** Final: a key that was credited or refused stays so. */
export type Outcome =
  | { state: 'credited'; reference: string; account: string; points: number }
  | { state: 'refused'; reason: string }

/** No answer, or none that the partner's protocol allows: the request may have had its effect. */
export class PartnerUnclear extends Error {}

const TIMEOUT_MS = 10_000
/** For answers that a page waits for. */
const CHECK_TIMEOUT_MS = 3000
const ANSWER_BYTES_MAX = 64 * 1024

const text = (max: number) => z.string().min(1).max(max)
/** PostgreSQL text cannot contain NUL, and pages show no control characters. */
const name = (max: number) =>
  text(max)
    .or(z.literal(''))
    .transform((given) => given.replace(/\p{Cc}/gu, ' '))
/** Stored and sent back as it is. */
const id = (max: number) => text(max).regex(/^\P{Cc}+$/u)
const accountAnswer = z.object({ account: z.object({ id: id(100), name: name(200) }) })
const creditAnswer = z.object({
  credit: z.discriminatedUnion('state', [
    z.object({
      state: z.literal('credited'),
      key: text(100),
      id: id(200),
      account: id(100),
      points: z.number().int(),
    }),
    z.object({ state: z.literal('refused'), key: text(100), reason: name(200) }),
  ]),
})
const errorAnswer = z.object({ error: z.object({ code: text(100) }) })

/** The partner's HTTP API, see docs/EXCHANGE.md. The built-in stand-in speaks the same. Undefined without a configured partner. */
export function partnerOf(config: ExchangeConfig): Partner | undefined {
  if (config.url === '') return undefined

  async function request(
    path: string,
    { body, key, timeout = TIMEOUT_MS }: { body?: object; key?: string; timeout?: number } = {},
  ): Promise<{ status: number; json: unknown }> {
    let answer: { status: number; bytes: Buffer }
    try {
      answer = await guardedBytes(`${config.url}/v1${path}`, {
        ...(body && { post: Buffer.from(JSON.stringify(body)) }),
        most: ANSWER_BYTES_MAX,
        withinMs: timeout,
        // The operator chose the address.
        privateToo: true,
        headers: {
          accept: 'application/json',
          ...(body && { 'content-type': 'application/json' }),
          ...(key && { 'idempotency-key': key }),
          ...(config.key && { authorization: `Bearer ${config.key}` }),
        },
      })
    } catch (error) {
      throw new PartnerUnclear(`${path.split('?')[0]}: ${(error as Error).message}`)
    }
    try {
      return { status: answer.status, json: JSON.parse(answer.bytes.toString()) }
    } catch {
      throw new PartnerUnclear(`the partner answered ${answer.status} without JSON`)
    }
  }

  const unclear = (status: number, json: unknown): PartnerUnclear => {
    const { data } = errorAnswer.safeParse(json)
    return new PartnerUnclear(`the partner answered ${status}${data ? ` ${data.error.code}` : ''}`)
  }
  /** Only the partner's own error counts: any proxy can answer 404. */
  const isError = (json: unknown, code: string): boolean => errorAnswer.safeParse(json).data?.error.code === code

  function outcomeOf(key: string, status: number, json: unknown): Outcome {
    const { data } = creditAnswer.safeParse(json)
    if ((status !== 200 && status !== 201) || data?.credit.key !== key) throw unclear(status, json)
    const { credit } = data
    return credit.state === 'refused'
      ? { state: 'refused', reason: credit.reason }
      : { state: 'credited', reference: credit.id, account: credit.account, points: credit.points }
  }

  return {
    async lookup(account) {
      const { status, json } = await request(`/accounts?q=${encodeURIComponent(account)}`)
      if (status === 404 && isError(json, 'account_unknown')) return undefined
      const { data } = accountAnswer.safeParse(json)
      if (status !== 200 || !data) throw unclear(status, json)
      return data.account
    },
    async credit({ key, account, points }) {
      const { status, json } = await request('/credits', { key, body: { account, points } })
      return outcomeOf(key, status, json)
    },
    async find(key) {
      const { status, json } = await request(`/credits/${encodeURIComponent(key)}`)
      if (status === 404 && isError(json, 'credit_unknown')) return undefined
      return outcomeOf(key, status, json)
    },
    async revoke(key) {
      const { status, json } = await request(`/credits/${encodeURIComponent(key)}/revoke`, { body: {} })
      return outcomeOf(key, status, json)
    },
    async check() {
      const { status, json } = await request('/status', { timeout: CHECK_TIMEOUT_MS })
      if (status !== 200) throw unclear(status, json)
    },
  }
}
