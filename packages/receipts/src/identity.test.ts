import { describe, expect, it } from 'vitest'
import {
  formatAnchorAddress,
  identityIn,
  isIncomplete,
  NO_IDENTITY,
  parseAnchorAddress,
  remember,
  storedIdentity,
} from './identity.ts'
import { createSampleNetwork } from './network.fixture.ts'

const { identity, key } = createSampleNetwork()
const other = createSampleNetwork('other').identity
const jwk = { kty: 'OKP', crv: 'Ed25519', kid: 'tr-x', x: key.publicKey }

describe('the identity of a network', () => {
  it('is all keys for receipts in a key set, with their validity, and all addresses of the operators', () => {
    const former = { ...jwk, x: other.keys[0]?.key, nbf: 5, exp: 10 }
    const { keys, anchors } = identityIn({ keys: [jwk, former], anchors: identity.anchors })
    expect(keys).toEqual([{ key: key.publicKey }, { key: other.keys[0]?.key, from: 5, until: 10 }])
    expect(anchors).toEqual(identity.anchors)
  })

  it('is stored and read again', () => {
    expect(storedIdentity(JSON.parse(JSON.stringify(identity)))).toEqual(identity)
    const [address] = identity.anchors
    expect(parseAnchorAddress(formatAnchorAddress(address!))).toEqual(address)
  })

  it('gets addresses later if the network had no chain at first', () => {
    const early = { keys: identity.keys, anchors: [] }
    expect(isIncomplete(early)).toBe(true)
    expect(remember(early, identity)).toEqual(identity)
    expect(remember(NO_IDENTITY, identity)).toEqual(identity)
  })

  it('is never replaced by what the portal publishes later', () => {
    expect(remember(identity, other)).toEqual(identity)
    expect(remember(identity, { keys: identity.keys, anchors: other.anchors })).toEqual(identity)
    // Another network behind the same URL.
    expect(remember({ keys: identity.keys, anchors: [] }, other)).toEqual({ keys: identity.keys, anchors: [] })
  })

  it.each([
    ['for other purposes', { ...jwk, kid: 'tn-x' }],
    ['of another type', { ...jwk, kty: 'EC' }],
    ['that are damaged', { ...jwk, x: 'short' }],
    ['with a validity that is no number', { ...jwk, exp: 'soon' }],
  ])('has no keys %s', (_, bad) => expect(identityIn({ keys: [bad, null] }).keys).toEqual([]))

  it('has no addresses that are none', () => {
    const [{ chain, address } = { chain: '', address: '' }] = identity.anchors
    const bad = [{ chain, address: `${address}x` }, { chain: '', address }, { address }, 'x']
    expect(identityIn({ keys: [], anchors: bad }).anchors).toEqual([])
    for (const text of [address, `:${address}`, `${chain}:`, '']) expect(parseAnchorAddress(text)).toBeUndefined()
    for (const none of [undefined, null, 'x', []]) expect(identityIn(none)).toEqual(NO_IDENTITY)
  })
})
