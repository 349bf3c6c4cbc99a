/** An error in the format of the Cosmos SDK: code, codespace and message. */
export class Refusal extends Error {
  readonly codespace: string
  readonly code: number

  constructor(codespace: string, code: number, message: string) {
    super(message)
    this.codespace = codespace
    this.code = code
  }
}

const sdk = (code: number, kind: string) => (text: string) => new Refusal('sdk', code, `${text}: ${kind}`)
const wasm = (code: number, kind: string) => (text: string) => new Refusal('wasm', code, `${text}: ${kind}`)

/** Error codes of cosmos-sdk `types/errors` and wasmd `x/wasm/types/errors`. */
export const refuse = {
  undecodable: sdk(2, 'tx parse error'),
  signature: sdk(4, 'unauthorized'),
  receiver: sdk(4, 'unauthorized'),
  funds: sdk(5, 'insufficient funds'),
  unknownRequest: sdk(6, 'unknown request'),
  address: sdk(7, 'invalid address'),
  unknownAddress: sdk(9, 'unknown address'),
  coins: sdk(10, 'invalid coins'),
  outOfGas: sdk(11, 'out of gas'),
  memo: sdk(12, 'memo too large'),
  fee: sdk(13, 'insufficient fee'),
  noSignatures: sdk(15, 'no signatures supplied'),
  request: sdk(18, 'invalid request'),
  tooLarge: sdk(21, 'tx too large'),
  height: sdk(26, 'invalid height'),
  sequence: sdk(32, 'incorrect account sequence'),
  timeout: sdk(30, 'tx timeout height'),
  missing: sdk(38, 'not found'),
  gasLimit: sdk(41, 'invalid gas limit'),
  execute: wasm(5, 'execute wasm contract failed'),
  query: wasm(9, 'query wasm contract failed'),
  noContract: wasm(22, 'no such contract'),
} as const

/** This machine cannot run a contract now. It is no refusal: a replay on another machine would come to another state. */
export class HostFailure extends Error {}

/** The refusal for a client; other errors are internal. @throws HostFailure */
export function refusalOf(error: unknown): Refusal {
  if (error instanceof HostFailure) throw error
  if (error instanceof Refusal) return error
  return new Refusal('undefined', 1, error instanceof Error ? `internal: ${error.message}` : 'internal')
}
