import { generateKeyPairSync } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { NODE_LABEL, nodeLabelOf, nodeNameOf, readNodeName } from './node-names.ts'

const ZONE = 'nodes.example.net'
const keyOf = () => generateKeyPairSync('ed25519').publicKey.export({ format: 'jwk' }).x as string

describe('the name of a node', () => {
  it('has a label that follows from its key', () => {
    const key = keyOf()
    expect(nodeLabelOf(key)).toMatch(NODE_LABEL)
    expect(nodeLabelOf(key)).toBe(nodeLabelOf(key))
    expect(nodeLabelOf(keyOf())).not.toBe(nodeLabelOf(key))
  })

  it.each(['192.0.2.7', '2001:db8::1', '::1', 'fe80:1:2:3:4:5:6:7', '2001:db8::'])(
    'contains the address %s',
    (address) => {
      const label = nodeLabelOf(keyOf())
      const name = nodeNameOf(address, label, ZONE)
      expect(name).toMatch(/^[a-z0-9][a-z0-9-]*[a-z0-9]\.[a-z2-7]{32}\.nodes\.example\.net$/)
      const read = readNodeName(name, ZONE)
      expect(read?.label).toBe(label)
      expect(new URL(`http://${address.includes(':') ? `[${read?.address}]` : read?.address}`).hostname).toBe(
        new URL(`http://${address.includes(':') ? `[${address}]` : address}`).hostname,
      )
    },
  )

  it('is refused in any other spelling, outside the zone, and without a zone', () => {
    const label = nodeLabelOf(keyOf())
    for (const name of [
      `192-0-2.${label}.${ZONE}`,
      `192-0-2-256.${label}.${ZONE}`,
      `192-0-2-07.${label}.${ZONE}`,
      `2001-db8--1.${label}.${ZONE}`,
      `x.192-0-2-7.${label}.${ZONE}`,
      `192-0-2-7.${label}x.${ZONE}`,
      `192-0-2-7.${label}.example.net`,
      `192-0-2-7.${label}.${ZONE}.evil.example`,
      ZONE,
    ])
      expect(readNodeName(name, ZONE), name).toBeUndefined()
    expect(readNodeName(`192-0-2-7.${label}.`, '')).toBeUndefined()
  })
})
