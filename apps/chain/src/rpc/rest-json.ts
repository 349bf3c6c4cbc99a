import { fromUtf8 } from '@cosmjs/encoding'
import { BaseAccount, ModuleAccount } from 'cosmjs-types/cosmos/auth/v1beta1/auth'
import { MsgMultiSend, MsgSend } from 'cosmjs-types/cosmos/bank/v1beta1/tx'
import { PubKey as Ed25519 } from 'cosmjs-types/cosmos/crypto/ed25519/keys'
import { PubKey as Secp256k1 } from 'cosmjs-types/cosmos/crypto/secp256k1/keys'
import { Tx } from 'cosmjs-types/cosmos/tx/v1beta1/tx'
import { MsgExecuteContract } from 'cosmjs-types/cosmwasm/wasm/v1/tx'

/** JSON of the Cosmos SDK's REST API: names with underscores, and the contents of `Any`. */

type Json = Record<string, unknown>

interface Kind<T> {
  decode(bytes: Uint8Array): T
  toJSON(message: T): unknown
}

/** Messages within `Any`, by type URL. */
const KINDS: Readonly<Record<string, (bytes: Uint8Array) => Json>> = {
  '/cosmos.auth.v1beta1.BaseAccount': (bytes) => ({ pub_key: null, ...read(BaseAccount, bytes) }),
  '/cosmos.auth.v1beta1.ModuleAccount': (bytes) => read(ModuleAccount, bytes),
  '/cosmos.crypto.secp256k1.PubKey': (bytes) => read(Secp256k1, bytes),
  '/cosmos.crypto.ed25519.PubKey': (bytes) => read(Ed25519, bytes),
  '/cosmos.bank.v1beta1.MsgSend': (bytes) => read(MsgSend, bytes),
  '/cosmos.bank.v1beta1.MsgMultiSend': (bytes) => read(MsgMultiSend, bytes),
  '/cosmos.tx.v1beta1.Tx': (bytes) => read(Tx, bytes),
  // The message to the contract is JSON within JSON.
  '/cosmwasm.wasm.v1.MsgExecuteContract': (bytes) => ({
    ...read(MsgExecuteContract, bytes),
    msg: JSON.parse(fromUtf8(MsgExecuteContract.decode(bytes).msg)),
  }),
}

const read = <T>(kind: Kind<T>, bytes: Uint8Array): Json => toRest(kind.toJSON(kind.decode(bytes))) as Json

const underscored = (name: string): string => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
const camel = (name: string): string => name.replace(/_([a-z0-9])/g, (_, letter: string) => letter.toUpperCase())

function anyToRest(typeUrl: string, value: string): Json {
  try {
    return { '@type': typeUrl, ...(KINDS[typeUrl]?.(new Uint8Array(Buffer.from(value, 'base64'))) ?? { value }) }
  } catch {
    // Refused transactions may hold anything.
    return { '@type': typeUrl, value }
  }
}

/** @param json of cosmjs-types */
export function toRest(json: unknown): unknown {
  if (Array.isArray(json)) return json.map(toRest)
  if (typeof json !== 'object' || json === null) return json
  const object = json as Json
  const { typeUrl, value, seconds, nanos } = object
  if (typeof typeUrl === 'string' && typeof value === 'string') return anyToRest(typeUrl, value)
  if (seconds !== undefined && nanos !== undefined) return `${seconds}s`
  return Object.fromEntries(
    Object.entries(object).map(([key, each]) => [
      underscored(key),
      key === 'nextKey' && each === '' ? null : toRest(each),
    ]),
  )
}

const FLAGS: Readonly<Record<string, boolean>> = { true: true, false: false }

/** A request as JSON of cosmjs-types, from the query of a URL such as `pagination.limit=5&order_by=2`. */
export function requestOf(params: Readonly<Record<string, string>>, query: Readonly<Record<string, unknown>>): Json {
  const request: Json = { ...params }
  for (const [name, value] of Object.entries(query)) {
    const [first = '', second] = name.split('.').map(camel)
    const read = (text: unknown) => (typeof text === 'string' ? (FLAGS[text] ?? text) : text)
    if (second === undefined)
      request[first] = first === 'events' ? [value].flat() : first === 'orderBy' ? orderOf(value) : read(value)
    else request[first] = { ...(request[first] as Json), [second]: read(value) }
  }
  return request
}

const orderOf = (value: unknown) => (/^\d$/.test(String(value)) ? Number(value) : value)
