import { describe, expect, it } from 'vitest'
import { chooseReplicaNodes, chooseUploadNodes, type Holder, type NodeFacts, orderSources } from './choose.ts'

const node = (id: string, more: Partial<NodeFacts> = {}): NodeFacts => ({
  id,
  kind: 'candidate',
  country: 'Germany',
  capacity: 1000,
  free: 900,
  load: 0,
  send_rate: 0,
  receive_rate: 0,
  status: 'online',
  reachable: true,
  quality: 1,
  ...more,
})
const ids = (nodes: readonly { id: string }[]) => nodes.map(({ id }) => id)
/** No chance: what is left is what was measured. */
const never = () => 0
/** Repeats itself, for chance that tests can rely on. */
function seeded(seed = 1) {
  let state = seed
  return () => {
    state = (state * 1_103_515_245 + 12_345) % 2 ** 31
    return state / 2 ** 31
  }
}

describe('nodes for an upload', () => {
  const choose = (nodes: NodeFacts[], ask: Partial<Parameters<typeof chooseUploadNodes>[1]> = {}) =>
    ids(chooseUploadNodes(nodes, { areas: [], size: 100, count: 5, random: never, ...ask }))

  it.each<[string, NodeFacts[], string[]]>([
    [
      'are those that are online and reachable',
      [node('a'), node('b', { status: 'offline' }), node('c', { reachable: false })],
      ['a'],
    ],
    ['are none in doubt', [node('a', { status: 'abnormal' })], []],
    ['are no validators', [node('a', { kind: 'validator' }), node('b')], ['b']],
    ['have room for the bytes and a margin', [node('a', { free: 100 }), node('b', { free: 112 })], ['b']],
    [
      'are candidates before edges',
      [node('a', { kind: 'edge', receive_rate: 1e9 }), node('b', { load: 1, quality: 0.1 })],
      ['b', 'a'],
    ],
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

  it('lie in the areas asked for', () => {
    const nodes = [node('a'), node('b', { country: 'Japan' }), node('c', { country: 'France' })]
    expect(choose(nodes, { areas: ['Japan'] })).toEqual(['b'])
    expect(choose(nodes, { areas: ['Japan', 'France'] }).sort()).toEqual(['b', 'c'])
    expect(choose(nodes, { areas: ['Atlantis'] })).toEqual([])
  })

  it('are as many as asked for', () => {
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
})

describe('sources', () => {
  it.each<[string, NodeFacts[], string[]]>([
    [
      'are those that can be reached',
      [node('a', { reachable: false }), node('b', { status: 'offline' }), node('c')],
      ['c'],
    ],
    ['are fast ones first', [node('a', { send_rate: 1e5 }), node('b', { send_rate: 1e8 })], ['b', 'a']],
    ['are idle ones first', [node('a', { load: 1 }), node('b')], ['b', 'a']],
    [
      'are those in doubt last',
      [node('a', { status: 'abnormal', send_rate: 1e9 }), node('b', { quality: 0.1, load: 1 })],
      ['b', 'a'],
    ],
  ])('%s', (_, nodes, expected) => {
    expect(ids(orderSources(nodes))).toEqual(expected)
  })
})

describe('replicas', () => {
  const holder = (node_id: string, more: Partial<Holder> = {}): Holder => ({
    node_id,
    state: 'stored',
    tries: 0,
    doubted: false,
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

  it('are on nodes that others reach, and on hidden ones only where there are no more of those', () => {
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
    ['are not asked of a node that failed too often', holder('b', { state: 'lost', tries: 5 }), node('b'), 0],
    ['are not asked of a node that still has to remove it', holder('b', { state: 'removed' }), node('b'), 0],
    ['are not asked of a node in doubt', holder('x', { state: 'removed' }), node('b', { status: 'abnormal' }), 0],
  ])('%s', (_, extra, other, added) => {
    expect(choose([holder('a'), extra], [node('a'), other]).add).toHaveLength(added)
  })

  it('on a node that has just gone still count, and what it was to pull does not', () => {
    const nodes = [node('a'), node('b', { status: 'offline' }), node('c', { status: 'offline' })]
    const { wanted, remove } = choose([holder('a'), holder('b'), holder('c', { state: 'wanted' })], nodes)
    expect(wanted).toBe(2)
    expect(remove).toEqual(['c'])
  })

  it('that are superfluous go: what is not there yet, then from the area that has most', () => {
    const nodes = ['a', 'b', 'c'].map((id) => node(id)).concat(node('j', { country: 'Japan' }), node('w'))
    const holders = [holder('a'), holder('b'), holder('c'), holder('j'), holder('w', { state: 'wanted' })]
    const { wanted, remove } = choose(holders, nodes, { target: 2 })
    expect(wanted).toBe(2)
    expect(remove).toHaveLength(3)
    expect(remove).toContain('w')
    expect(remove).not.toContain('j')
  })

  it('outside the areas go once those inside are stored, not before', () => {
    const nodes = [node('a'), node('j', { country: 'Japan' })]
    const before = choose([holder('a')], nodes, { areas: ['Japan'] })
    expect(before).toEqual({ wanted: 1, add: ['j'], remove: [], kept: 1 })
    const after = choose([holder('a'), holder('j')], nodes, { areas: ['Japan'] })
    expect(after).toEqual({ wanted: 1, add: [], remove: ['a'], kept: 0 })
  })

  it('that failed two audits are removed when others are stored, and kept when they are all there is', () => {
    const doubted = holder('b', { state: 'lost', doubted: true, tries: 2 })
    expect(choose([holder('a'), doubted], [node('a'), node('b')]).remove).toEqual(['b'])
    expect(choose([doubted], [node('b')])).toEqual({ wanted: 0, add: [], remove: [], kept: 1 })
    const gone = node('a', { status: 'offline' })
    expect(choose([holder('a'), doubted], [gone, node('b')]).remove).toEqual([])
    expect(choose([holder('a'), { ...doubted, tries: 1 }], [node('a'), node('b')]).remove).toEqual([])
  })
})
