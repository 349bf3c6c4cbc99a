import { SimulateRequest, SimulateResponse } from 'cosmjs-types/cosmos/tx/v1beta1/service'
import { expect, it, test } from 'vitest'
import { gasUsedIn, priceIn, simulateRequest } from './gas.ts'

it('encodes requests and decodes responses like the chain’s codecs', () => {
  const txBytes = Uint8Array.from({ length: 300 }, (_, at) => at)
  expect(SimulateRequest.decode(simulateRequest(txBytes)).txBytes).toEqual(txBytes)
  const answer = (more: object) => SimulateResponse.encode(SimulateResponse.fromPartial(more)).finish()
  const result = { data: txBytes, log: 'done', events: [{ type: 'wasm', attributes: [] }] }
  expect(gasUsedIn(answer({ gasInfo: { gasWanted: 990_000n, gasUsed: 187_654n }, result }))).toBe(187_654)
  expect(gasUsedIn(answer({ gasInfo: { gasUsed: 12_345_678_901n } }))).toBe(12_345_678_901)
  expect(gasUsedIn(answer({ result }))).toBe(undefined)
})

test.each([
  ['0.025utide', 0.025],
  ['0.025000000000000000utide', 0.025],
  ['1uother,0.1utide', 0.1],
  ['0.1ibc/27394FB0, 3utide ', 3],
  ['0utide', 0],
  ['0.1utide2', undefined],
  ['', undefined],
  ['nothing', undefined],
])('of the prices "%s" that of our coin is %s', (prices, price) => {
  expect(priceIn(prices, 'utide')).toBe(price)
})
