import { describe, expect, it } from 'vitest'
import type { NodeFacts } from '../nodes/node-table.ts'
import { chooseUploadNodes } from './choose.ts'
import { sampleNode as node, seeded, vettedEdge } from './sample-nodes.fixture.ts'

const ids = (nodes: readonly { id: string }[]) => nodes.map(({ id }) => id)
/** Constant randomness: only the measurements decide. */
const never = () => 0
describe('nodes for an upload', () => {
  const choose = (nodes: NodeFacts[], ask: Partial<Parameters<typeof chooseUploadNodes>[1]> = {}) =>
    ids(chooseUploadNodes(nodes, { areas: [], size: 100, count: 5, random: never, ...ask }))

  it.each<[string, NodeFacts[], string[]]>([
    [
      'are those that are online and reachable',
      [node('a'), node('b', { status: 'offline' }), node('c', { reachable: false })],
      ['a'],
    ],
    ['are not abnormal', [node('a', { status: 'abnormal' })], []],
    ['are no validators', [node('a', { kind: 'validator' }), node('b')], ['b']],
    ['have space for the bytes and a margin', [node('a', { free: 100 }), node('b', { free: 112 })], ['b']],
    [
      'are not edges if there is an invited node',
      [node('a', { kind: 'edge', receive_rate: 1e9 }), node('b', { load: 1, quality: 0.1 })],
      ['b'],
    ],
    ['are edges if no invited node has space', [node('a', { kind: 'edge' }), node('b', { free: 100 })], ['a']],
    ['are vetted edges before new ones', [node('a', { kind: 'edge', rate: 1e9 }), vettedEdge('b')], ['b']],
    ['are not draining', [node('a', { draining: true }), node('b')], ['b']],
    ['are measured as fast before others', [node('a', { rate: 1e5 }), node('b', { rate: 1e8, load: 1 })], ['b', 'a']],
    [
      'are fast ones before slow ones',
      [node('a', { receive_rate: 1e5 }), node('b', { receive_rate: 1e8 })],
      ['b', 'a'],
    ],
    ['are idle ones before busy ones', [node('a', { load: 0.9 }), node('b', { load: 0.1 })], ['b', 'a']],
    ['are reliable ones before others', [node('a', { quality: 0.4 }), node('b', { quality: 0.9 })], ['b', 'a']],
    ['are empty ones before full ones', [node('a', { free: 300 }), node('b', { free: 900 })], ['b', 'a']],
  ])('%s', (_, nodes, expected) => {
    expect(choose(nodes)).toEqual(expected)
  })

  it('are in the requested areas', () => {
    const nodes = [node('a'), node('b', { country: 'Japan' }), node('c', { country: 'France' })]
    expect(choose(nodes, { areas: ['Japan'] })).toEqual(['b'])
    expect(choose(nodes, { areas: ['Japan', 'France'] }).sort()).toEqual(['b', 'c'])
    expect(choose(nodes, { areas: ['Atlantis'] })).toEqual([])
  })

  it('are as many as requested', () => {
    const nodes = Array.from({ length: 100 }, (_, index) => node(`n${index}`))
    expect(choose(nodes, { count: 5 })).toHaveLength(5)
    expect(choose(nodes, { count: 0 })).toHaveLength(0)
  })

  it('are not always the same', () => {
    const nodes = Array.from({ length: 50 }, (_, index) => node(`n${index}`))
    const random = seeded()
    const first = new Set(Array.from({ length: 100 }, () => choose(nodes, { random, count: 1 })[0]))
    expect(first.size).toBeGreaterThan(20)
  })

  it('come first about equally often if they are about equally good', () => {
    const nodes = [node('a', { free: 905, receive_rate: 3e6 }), node('b'), node('c', { free: 890, load: 0.05 })]
    const random = seeded()
    const first = Array.from({ length: 300 }, () => choose(nodes, { random, count: 1 })[0])
    for (const { id } of nodes) expect(first.filter((chosen) => chosen === id).length).toBeGreaterThan(60)
  })

  it('do not all go to one candidate, however fast it is', () => {
    const nodes = [node('a', { rate: 1e9, receive_rate: 1e9 }), node('b', { load: 0.9 }), node('c', { rate: 1e6 })]
    const random = seeded()
    const first = Array.from({ length: 300 }, () => choose(nodes, { random, count: 1 })[0])
    for (const { id } of nodes) expect(first.filter((chosen) => chosen === id).length).toBeGreaterThan(45)
  })
})
