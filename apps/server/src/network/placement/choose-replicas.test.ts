import { describe, expect, it } from 'vitest'
import type { NodeFacts } from '../nodes/node-table.ts'
import type { Holder } from './choose.ts'
import { chooseReplicaNodes } from './choose-replicas.ts'
import { sampleNode as node, seeded } from './sample-nodes.fixture.ts'

describe('replicas', () => {
  const holder = (node_id: string, more: Partial<Holder> = {}): Holder => ({
    node_id,
    state: 'stored',
    tries: 0,
    suspect: false,
    ...more,
  })
  const choose = (
    holders: Holder[],
    nodes: NodeFacts[],
    more: { areas?: string[]; target?: number; size?: number } = {},
  ) =>
    chooseReplicaNodes({ size: more.size ?? 100, areas: more.areas ?? [] }, holders, nodes, {
      target: more.target ?? 50,
      random: seeded(),
    })

  it('are wanted on as many nodes as can hold them', () => {
    const nodes = [
      node('a'),
      node('b'),
      node('c', { kind: 'edge' }),
      node('v', { kind: 'validator' }),
      node('full', { free: 10 }),
    ]
    const { wanted, add, remove } = choose([holder('a')], nodes)
    expect(wanted).toBe(4)
    expect(add.sort()).toEqual(['b', 'c', 'v'])
    expect(remove).toEqual([])
  })

  it('are wanted on no more than the target', () => {
    const nodes = Array.from({ length: 80 }, (_, index) => node(`n${index}`))
    const { wanted, add } = choose([holder('n0')], nodes)
    expect(wanted).toBe(50)
    expect(add).toHaveLength(49)
    expect(add).not.toContain('n0')
    expect(new Set(add).size).toBe(49)
  })

  it('spread over areas first', () => {
    const nodes = [
      ...Array.from({ length: 10 }, (_, index) => node(`de${index}`, { receive_rate: 1e9 })),
      node('jp0', { country: 'Japan', load: 1, quality: 0.1 }),
      node('fr0', { country: 'France', load: 1, quality: 0.1 }),
    ]
    expect(choose([holder('de0')], nodes, { target: 3 }).add.sort()).toEqual(['fr0', 'jp0'])
  })

  it('are on reachable nodes, and on unreachable ones only if there are no others', () => {
    const hidden = ['x', 'y'].map((id) => node(id, { country: 'Japan', reachable: false, receive_rate: 1e9 }))
    const nodes = [...hidden, node('a'), node('b'), node('c')]
    expect(choose([holder('a')], nodes, { target: 3 }).add.sort()).toEqual(['b', 'c'])
    expect(
      choose([holder('a')], nodes, { target: 4 })
        .add.slice(0, 2)
        .sort(),
    ).toEqual(['b', 'c'])
    expect(choose([holder('a')], nodes).add.sort()).toEqual(['b', 'c', 'x', 'y'])
    const all = nodes.map(({ id }) => holder(id))
    expect(choose(all, nodes, { target: 3 }).remove.sort()).toEqual(['x', 'y'])
  })

  it.each<[string, Holder, NodeFacts, number]>([
    ['are asked again of a node that came back', holder('b', { state: 'lost' }), node('b'), 1],
    [
      'are not asked of a node that failed too often',
      holder('b', { state: 'lost', tries: 5, waits: true }),
      node('b'),
      0,
    ],
    ['are asked of it again after a while', holder('b', { state: 'lost', tries: 5, waits: false }), node('b'), 1],
    ['are not asked of a node that still has to remove it', holder('b', { state: 'removed' }), node('b'), 0],
    ['are not asked of a node in doubt', holder('x', { state: 'removed' }), node('b', { status: 'abnormal' }), 0],
  ])('%s', (_, extra, other, added) => {
    expect(choose([holder('a'), extra], [node('a'), other]).add).toHaveLength(added)
  })

  it('on a node that has just gone offline still count, pending ones do not', () => {
    const nodes = [node('a'), node('b', { status: 'offline' }), node('c', { status: 'offline' })]
    const { wanted, remove } = choose([holder('a'), holder('b'), holder('c', { state: 'wanted' })], nodes)
    expect(wanted).toBe(2)
    expect(remove).toEqual(['c'])
  })

  it('that are surplus are removed: pending ones first, then from the area with the most', () => {
    const nodes = ['a', 'b', 'c'].map((id) => node(id)).concat(node('j', { country: 'Japan' }), node('w'))
    const holders = [holder('a'), holder('b'), holder('c'), holder('j'), holder('w', { state: 'wanted' })]
    const { wanted, remove } = choose(holders, nodes, { target: 2 })
    expect(wanted).toBe(2)
    expect(remove).toHaveLength(3)
    expect(remove).toContain('w')
    expect(remove).not.toContain('j')
  })

  it('outside the areas are removed once those inside are stored', () => {
    const nodes = [node('a'), node('j', { country: 'Japan' })]
    const before = choose([holder('a')], nodes, { areas: ['Japan'] })
    expect(before).toEqual({ wanted: 1, add: ['j'], remove: [], retained: 1 })
    const after = choose([holder('a'), holder('j')], nodes, { areas: ['Japan'] })
    expect(after).toEqual({ wanted: 1, add: [], remove: ['a'], retained: 0 })
  })

  it('that failed two audits are removed if others are stored, and stay if there are no others', () => {
    const suspect = holder('b', { state: 'lost', suspect: true, tries: 2 })
    expect(choose([holder('a'), suspect], [node('a'), node('b')]).remove).toEqual(['b'])
    expect(choose([suspect], [node('b')])).toEqual({ wanted: 0, add: [], remove: [], retained: 1 })
    const gone = node('a', { status: 'offline' })
    expect(choose([holder('a'), suspect], [gone, node('b')]).remove).toEqual([])
    expect(choose([holder('a'), { ...suspect, tries: 1 }], [node('a'), node('b')]).remove).toEqual([])
  })

  it('that are pending are cancelled on nodes that have become full', () => {
    const nodes = [node('a'), node('full', { free: 10 }), node('b')]
    const holders = [holder('a'), holder('full', { state: 'wanted' })]
    expect(choose(holders, nodes)).toMatchObject({ wanted: 2, add: ['b'], remove: ['full'] })
  })

  describe('on edges', () => {
    const edge = (id: string, more: Partial<NodeFacts> = {}) => node(id, { kind: 'edge', ...more })
    const edges = Array.from({ length: 60 }, (_, index) => edge(`e${index}`))
    const invited = ['a', 'b', 'c', 'd', 'f'].map((id) => node(id))
    const all = [...invited, ...edges]

    it('do not count and replace no others while they are unverified', () => {
      const claims = edges.map(({ id }) => holder(id, { state: 'unverified' }))
      const { remove, wanted } = choose([...invited.map(({ id }) => holder(id)), ...claims], all)
      expect(remove).toEqual([])
      expect(wanted).toBe(50)
    })

    it('that are unverified and were not ordered do not exclude the edge', () => {
      const { add } = choose([holder('a'), holder('e0', { state: 'unverified' })], [node('a'), edge('e0', { free: 0 })])
      expect(add).toEqual(['e0'])
    })

    it('that were pulled and wait for an audit are not ordered twice', () => {
      const claims = [holder('a'), holder('e0', { state: 'unverified', pulled: true })]
      expect(choose(claims, [node('a'), edge('e0')])).toMatchObject({ wanted: 2, add: [], remove: [] })
    })

    it('that are unverified stay if no other node has the bytes, and others copy them', () => {
      const claim = holder('e0', { state: 'unverified' })
      expect(choose([claim], [node('a'), edge('e0')])).toMatchObject({ wanted: 2, add: ['a'], remove: [] })
      const elsewhere = choose([claim], [node('a'), edge('e0', { country: 'Japan' })], { areas: ['Germany'] })
      expect(elsewhere).toMatchObject({ add: ['a'], remove: [] })
    })

    it('are removed before those on invited nodes, of which three always stay', () => {
      const worse = invited.map((each) => ({ ...each, reachable: false, quality: 0 }))
      const holders = [...worse, ...edges].map(({ id }) => holder(id))
      const { remove } = choose(holders, [...worse, ...edges])
      expect(remove).toHaveLength(15)
      expect(remove.every((id) => id.startsWith('e'))).toBe(true)
      const many = Array.from({ length: 53 }, (_, index) =>
        node(`n${index}`, { country: index < 50 ? 'Germany' : 'Japan' }),
      )
      const few = choose(
        many.map(({ id }) => holder(id)),
        many,
        { target: 1 },
      )
      expect(few.remove).toHaveLength(52)
    })

    it('do not replace the three on invited nodes', () => {
      const holders = edges.slice(0, 50).map(({ id }) => holder(id))
      const { add } = choose(holders, all)
      expect(add).toHaveLength(3)
      expect(add.every((id) => invited.some((each) => each.id === id))).toBe(true)
    })

    it('that are unreachable do not count', () => {
      const { wanted, add } = choose([holder('a')], [node('a'), edge('x', { reachable: false }), node('b')])
      expect({ wanted, add }).toEqual({ wanted: 2, add: ['b', 'x'] })
      const claimed = [holder('a'), holder('b'), holder('x', { state: 'unverified', pulled: true })]
      expect(choose(claimed, [node('a'), edge('x', { reachable: false }), node('b')])).toMatchObject({
        wanted: 2,
        add: [],
        remove: [],
      })
    })
  })
})
