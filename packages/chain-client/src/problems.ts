/** Failures of wallets and the chain; the portal and the server have a text for each. */
export type ChainProblem =
  | 'rejected'
  | 'walletMissing'
  | 'unknownChain'
  | 'noGasAccount'
  | 'gasFunds'
  | 'feeTooLow'
  | 'tokenFunds'
  | 'notOwner'
  | 'wrongAmount'
  | 'badRequest'
  | 'orderExists'
  | 'orderUnknown'
  | 'capacity'
  | 'shortened'
  | 'tooLong'
  | 'outOfGas'
  | 'sequence'
  | 'signature'
  | 'alreadySent'
  | 'pending'
  | 'unreachable'
  | 'promptOpen'
  | 'wrongChain'
  | 'disconnected'
  | 'failed'

/** Matched in this order: specific patterns first. */
const words: readonly [pattern: RegExp, problem: ChainProblem][] = [
  [/request rejected|user (?:rejected|denied)|rejected by (?:the )?user/i, 'rejected'],
  [/there is no chain info for/i, 'unknownChain'],
  [/does not exist on chain/i, 'noGasAccount'],
  [/tx already exists in cache/i, 'alreadySent'],
  [/account sequence mismatch/i, 'sequence'],
  [/signature verification failed/i, 'signature'],
  [/insufficient fees/i, 'feeTooLow'],
  [/spendable balance .* is smaller than/i, 'gasFunds'],
  [/out of gas/i, 'outOfGas'],
  [/overflow|cannot sub/i, 'tokenFunds'],
  [/unauthorized/i, 'notOwner'],
  [/insufficient capacity/i, 'capacity'],
  [/insufficient funds/i, 'wrongAmount'],
  [/already exists/i, 'orderExists'],
  [/shortened duration/i, 'shortened'],
  [/lasts \d+ hours at most/i, 'tooLong'],
  [/not found/i, 'orderUnknown'],
  [/bad request/i, 'badRequest'],
  [/was submitted but was not yet found|timed? ?out/i, 'pending'],
  [/failed to fetch|fetch failed|networkerror|load failed|ECONNREFUSED|bad status on response: 5/i, 'unreachable'],
]

/** Error codes of EIP-1193 and JSON-RPC wallets. */
const codes: Readonly<Record<number, ChainProblem>> = {
  4001: 'rejected',
  4100: 'notOwner',
  4900: 'disconnected',
  4901: 'disconnected',
  4902: 'wrongChain',
  [-32002]: 'promptOpen',
}

/** Error codes of the chain by code space. */
const ofChain: Readonly<Record<string, ChainProblem>> = {
  'sdk/4': 'signature',
  'sdk/5': 'gasFunds',
  'sdk/9': 'noGasAccount',
  'sdk/11': 'outOfGas',
  'sdk/13': 'feeTooLow',
  'sdk/19': 'alreadySent',
  // The mempool is full.
  'sdk/20': 'unreachable',
  'sdk/32': 'sequence',
}

interface Thrown {
  message?: unknown
  log?: unknown
  code?: unknown
  codespace?: unknown
  /** CosmJS: the transaction is broadcast but not in a block yet. */
  txId?: unknown
}

/** Classifies an error of a wallet or of the chain. */
export function problemOf(error: unknown): ChainProblem {
  const thrown: Thrown = typeof error === 'object' && error !== null ? error : { message: error }
  const text = [thrown.message, thrown.log].filter((part) => typeof part === 'string').join(' ')
  if (typeof thrown.txId === 'string') return 'pending'
  // CosmJS has both only in its message.
  const space = thrown.codespace ?? /codespace: (\w+)/i.exec(text)?.[1]
  const code = typeof thrown.code === 'number' ? thrown.code : Number(/\bcode (\d+)/i.exec(text)?.[1] ?? Number.NaN)
  const known = typeof space === 'string' ? ofChain[`${space}/${code}`] : codes[code]
  return known ?? words.find(([pattern]) => pattern.test(text))?.[1] ?? 'failed'
}

/** The same for the result of a transaction in a block. */
export const problemOfResult = ({
  codespace,
  code,
  log,
}: {
  codespace: string
  code: number
  log: string
}): ChainProblem => problemOf({ codespace, code, log })
