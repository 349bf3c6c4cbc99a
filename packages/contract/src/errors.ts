import { accounts } from './errors/accounts.ts'
import { chain } from './errors/chain.ts'
import { chat } from './errors/chat.ts'
import { compute } from './errors/compute.ts'
import type { Entry, Facts } from './errors/entry.ts'
import { exchange } from './errors/exchange.ts'
import { general } from './errors/general.ts'
import { speech } from './errors/speech.ts'
import { storage } from './errors/storage.ts'
import { teams } from './errors/teams.ts'
import type { Lang } from './lang.ts'

export type { Facts } from './errors/entry.ts'

/** Every error that the server answers with, by name. The texts are shown to users as they are. */
export const errors = {
  ...general,
  ...accounts,
  ...storage,
  ...chain,
  ...compute,
  ...chat,
  ...speech,
  ...exchange,
  ...teams,
} as const satisfies Record<string, Entry>

export type ErrorKey = keyof typeof errors

type FactsOf<K extends ErrorKey> = Parameters<(typeof errors)[K]['en']>[0]
/** The arguments after the key: nothing, or the facts that the text contains. */
export type ErrorFacts<K extends ErrorKey> = FactsOf<K> extends Facts ? [facts: FactsOf<K>] : []

/** An error of the catalogue. Services throw it; `serve` answers with its text in the caller's language. */
export class AppError<K extends ErrorKey = ErrorKey> extends Error {
  readonly key: K
  readonly facts: Facts
  /** Sent beside `err` and `msg`; 1017 has `{ assetDirectUrl }`. */
  data: unknown

  constructor(key: K, ...facts: ErrorFacts<K>) {
    super(key)
    this.name = 'AppError'
    this.key = key
    this.facts = (facts[0] as Facts | undefined) ?? {}
  }

  /** Adds data to the answer. */
  with(data: unknown): this {
    this.data = data
    return this
  }
}

export function isErrorKey(text: string): text is ErrorKey {
  return Object.hasOwn(errors, text)
}

/** The text of an error in one language. */
export function errorText(key: ErrorKey, lang: Lang, facts: Facts = {}): string {
  return (errors[key][lang] as (facts: Facts) => string)(facts)
}
