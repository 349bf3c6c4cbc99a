import { describe, expect, test } from 'vitest'
import { problemOf, WalletError, type WalletProblem, walletError } from './errors.ts'

const broadcast = (codespace: string, code: number, log: string) =>
  Object.assign(new Error(`Broadcasting transaction failed with code ${code} (codespace: ${codespace}). Log: ${log}`), {
    code,
    codespace,
    log,
  })

describe('problemOf', () => {
  const cases: readonly (readonly [WalletProblem, unknown])[] = [
    ['rejected', new Error('Request rejected')],
    ['rejected', { code: 4001, message: 'User rejected the request.' }],
    ['unauthorized', { code: 4100, message: 'The requested account has not been authorized by the user.' }],
    ['promptOpen', { code: -32002, message: "Request of type 'wallet_requestPermissions' already pending" }],
    ['wrongChain', { code: 4902, message: 'Unrecognized chain ID "0x2a".' }],
    ['disconnected', { code: 4900, message: 'Disconnected' }],
    ['unknownChain', new Error('There is no chain info for tidenet-devnet-1')],
    ['noGasAccount', new Error('Account tide1… does not exist on chain. Send some tokens there before')],
    ['noGasAccount', broadcast('sdk', 9, 'account tide1… not found')],
    ['gasFunds', broadcast('sdk', 5, 'spendable balance 1uttnt is smaller than 500uttnt: insufficient funds')],
    ['feeTooLow', broadcast('sdk', 13, 'insufficient fees')],
    ['tokenFunds', broadcast('wasm', 5, 'Overflow: Cannot Sub with 1 and 2: execute wasm contract failed')],
    ['orderExists', broadcast('wasm', 5, 'Order already exists: execute wasm contract failed')],
    ['notOwner', broadcast('wasm', 5, 'Unauthorized: execute wasm contract failed')],
    ['failed', broadcast('wasm', 5, 'something else: execute wasm contract failed')],
    ['wrongAmount', new Error('Insufficient funds')],
    ['badRequest', new Error('Bad request')],
    ['orderUnknown', new Error('Not Found')],
    ['capacity', new Error('Insufficient Capacity')],
    ['shortened', new Error('Shortened Duration')],
    ['tooLong', new Error('Bad request: an order lasts 720 hours at most')],
    ['failed', broadcast('wasm', 22, 'no such contract')],
    ['failed', broadcast('sdk', 7, 'invalid address')],
    ['outOfGas', broadcast('sdk', 11, 'out of gas')],
    ['sequence', broadcast('sdk', 32, 'account sequence mismatch, expected 4, got 3')],
    ['signature', broadcast('sdk', 4, 'signature verification failed: unauthorized')],
    ['alreadySent', new Error('Internal error: tx already exists in cache')],
    ['pending', Object.assign(new Error('Transaction was submitted but was not yet found'), { txId: 'AB' })],
    ['unreachable', new TypeError('Failed to fetch')],
    ['unreachable', new Error('Bad status on response: 502')],
    ['unreachable', broadcast('sdk', 20, 'mempool is full')],
    ['failed', new Error('something else')],
    ['failed', undefined],
    ['failed', 'no words that are known'],
    ['rejected', 'Request rejected'],
  ]
  test.each(cases.map(([problem, error]) => ({ problem, error })))('$problem: $error', ({ problem, error }) => {
    expect(problemOf(error)).toBe(problem)
  })

  test('keeps a WalletError unchanged', () => {
    const error = new WalletError('mismatch', undefined, { linked: 'tide1a', connected: 'tide1b' })
    expect(walletError(error)).toBe(error)
    expect(problemOf(error)).toBe('mismatch')
  })
})
