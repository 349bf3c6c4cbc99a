import type { Call, Code } from '../state/contracts.ts'
import { readJson, toJson } from '../state/contracts.ts'

/**
 * Contracts in TypeScript, as the blocks before `WASM` were executed. They only replay those: their transfers are final, so nothing here may
 * change. New blocks run the wasm of `contracts/`.
 */

/** A call of these contracts. */
export type FormerCall = Pick<Call, 'height' | 'rules' | 'sender' | 'storage' | 'addressOf'>

export interface FormerOutcome {
  attributes: Record<string, string>
  calls?: { contract: string; message: unknown }[]
}

export interface FormerCode {
  name: string
  instantiate(call: FormerCall, message: unknown): FormerOutcome
  execute(call: FormerCall, message: unknown): FormerOutcome
}

function notUpgraded(): never {
  throw new Error('the chain was not upgraded')
}

export function formerCode({ name, instantiate, execute }: FormerCode): Code {
  const outcome = ({ attributes, calls = [] }: FormerOutcome) => ({
    attributes: Object.entries(attributes).map(([key, value]) => ({ key, value })),
    events: [],
    calls: calls.map(({ contract, message }) => ({ contract, message: toJson(message), funds: [] })),
    data: new Uint8Array(),
  })
  return {
    name,
    instantiate: (call, message) => outcome(instantiate(call, readJson(message))),
    execute: (call, message) => outcome(execute(call, readJson(message))),
    migrate: notUpgraded,
    query: notUpgraded,
  }
}
