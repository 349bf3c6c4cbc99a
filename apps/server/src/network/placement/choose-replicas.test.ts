import { describe, expect, it } from 'vitest'
import type { NodeFacts } from '../nodes/node-table.ts'
import { DEFENDED } from '../policy.ts'
import type { Holder } from './choose.ts'
import { chooseReplicaNodes } from './choose-replicas.ts'
import {
  sampleHolder as holder,
  many,
  newEdge,
  sampleNode as node,
  seeded,
  vettedEdge,
} from './sample-nodes.fixture.ts'

describe('replicas', () => {
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
    const nodes = [node('a'), node('b'), vettedEdge('c'), node('v', { kind: 'validator' }), node('full', { free: 10 })]
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

  it('restricted to areas are not on edges that the server has not reached, which may be anywhere', () => {
    const hidden = vettedEdge('hidden', { country: 'Japan', reachable: false })
    const nodes = [node('a', { country: 'Japan' }), hidden]
    const place = (areas: string[]) => choose([holder('a')], nodes, { areas }).add
    expect(place(['Japan'])).toEqual([])
    expect(place([])).toEqual(['hidden'])
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
    expect(before).toMatchObject({ wanted: 1, add: ['j'], remove: [], retained: 1 })
    const after = choose([holder('a'), holder('j')], nodes, { areas: ['Japan'] })
    expect(after).toMatchObject({ wanted: 1, add: [], remove: ['a'], retained: 0 })
  })

  it('that failed two audits are removed if others are stored, and stay if there are no others', () => {
    const suspect = holder('b', { state: 'lost', suspect: true, tries: 2 })
    expect(choose([holder('a'), suspect], [node('a'), node('b')]).remove).toEqual(['b'])
    expect(choose([suspect], [node('b')])).toMatchObject({ wanted: 0, add: [], remove: [], retained: 1 })
    const gone = node('a', { status: 'offline' })
    expect(choose([holder('a'), suspect], [gone, node('b')]).remove).toEqual([])
    expect(choose([holder('a'), { ...suspect, tries: 1 }], [node('a'), node('b')]).remove).toEqual([])
  })

  it('that are pending are cancelled on nodes that have become full', () => {
    const nodes = [node('a'), node('full', { free: 10 }), node('b')]
    const holders = [holder('a'), holder('full', { state: 'wanted' })]
    expect(choose(holders, nodes)).toMatchObject({ wanted: 2, add: ['b'], remove: ['full'] })
  })

  describe('on vetted edges', () => {
    const edge = vettedEdge
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
      const several = many(53, (index) => node(`n${index}`, { country: index < 50 ? 'Germany' : 'Japan' }))
      const few = choose(
        several.map(({ id }) => holder(id)),
        several,
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

  describe('on vetted edges of one network or owner', () => {
    const crowd = many(30, (index) => vettedEdge(`e${index}`, { network: '203.0.113.0/24' }))
    const owned = many(30, (index) => vettedEdge(`e${index}`, { owner: '7' }))

    it.each([
      ['network', crowd],
      ['owner', owned],
    ])('are at most a fifth of the target: %s', (_, edges) => {
      const others = many(5, (index) => vettedEdge(`o${index}`))
      const { wanted, add } = choose([holder('a')], [node('a'), ...edges, ...others])
      expect(wanted).toBe(1 + 10 + 5)
      expect(add.filter((id) => id.startsWith('e'))).toHaveLength(10)
      const unlimited = chooseReplicaNodes({ size: 1, areas: [] }, [], edges, {
        target: 50,
        random: seeded(),
        policy: { ...DEFENDED, caps: false },
      })
      expect(unlimited.wanted).toBe(30)
    })

    it('that are too many do not count, and are removed first', () => {
      const nodes = [...many(5, (index) => node(`c${index}`)), ...crowd]
      const held = nodes.map(({ id }) => holder(id))
      const { wanted, remove } = choose(held, nodes)
      expect(wanted).toBe(15)
      expect(remove).toHaveLength(20)
      expect(remove.every((id) => id.startsWith('e'))).toBe(true)
    })
  })

  it('on vetted edges of many networks of one IPv6 /32 count up to two fifths of the target', () => {
    const nodes = [
      ...many(5, (index) => node(`c${index}`)),
      ...many(100, (index) => vettedEdge(`e${index}`, { network: `2001:db8:${index.toString(16)}::/48`, quality: 1 })),
      ...many(3, (index) => vettedEdge(`o${index}`, { quality: 0.1 })),
    ]
    const isWide = (id: string) => id.startsWith('e')
    const { wanted, add } = choose([holder('c0')], nodes)
    expect(wanted).toBe(28)
    expect(add.filter(isWide)).toHaveLength(20)
    // They do not hide the others.
    expect(add.filter((id) => id.startsWith('o'))).toHaveLength(3)
    const all = choose(
      nodes.map(({ id }) => holder(id)),
      nodes,
    )
    expect(all.wanted).toBe(28)
    expect(all.remove.filter(isWide)).toHaveLength(80)
    expect(choose([holder('c0')], nodes, { target: 5 }).add.filter(isWide).length).toBeLessThanOrEqual(2)
  })

  describe('on new edges', () => {
    const target = 50
    const trusted = [node('a'), node('b'), vettedEdge('c')]
    const strangers = many(60, (index) => newEdge(`n${index}`))
    const isNew = (id: string) => id.startsWith('n')

    it('are few, in addition to the others, and each of another network and owner', () => {
      const { wanted, trials, add } = choose([holder('a')], [...trusted, ...strangers])
      expect({ wanted, trials }).toEqual({ wanted: 3, trials: 5 })
      expect(add.filter(isNew)).toHaveLength(5)
      expect(add.filter((id) => !isNew(id)).sort()).toEqual(['b', 'c'])
      for (const same of [{ network: '203.0.113.0/24' }, { owner: '7' }]) {
        const crowd = strangers.map((edge) => ({ ...edge, ...same }))
        expect(choose([holder('a')], [...trusted, ...crowd]).add.filter(isNew)).toHaveLength(1)
      }
    })

    it('do not count, and replace nothing', () => {
      const holders = [...trusted, ...strangers].map(({ id }) => holder(id))
      const { wanted, add, remove } = choose(holders, [...trusted, ...strangers, node('d')])
      expect(wanted).toBe(4)
      expect(add).toEqual(['d'])
      expect(remove).toEqual([])
      // Once the trusted copies are complete, only a few trial copies stay.
      const after = choose([...holders, holder('d')], [...trusted, ...strangers, node('d')])
      expect(after.remove.every(isNew)).toBe(true)
      expect(after.remove).toHaveLength(55)
    })

    it('are limited in bytes', () => {
      const { add } = chooseReplicaNodes({ size: 100, areas: [] }, [holder('a')], [...trusted, ...strangers], {
        target,
        random: seeded(),
        trialSpace: ({ id }) => (id === 'n7' ? 100 : 99),
      })
      expect(add.filter(isNew)).toEqual(['n7'])
    })

    it('are the only ones if there are no other nodes', () => {
      expect(choose([holder('n0')], strangers)).toMatchObject({ wanted: 0, trials: 5, remove: [] })
      expect(choose([holder('n0')], strangers.slice(0, 2))).toMatchObject({ wanted: 0, trials: 2, add: ['n1'] })
    })
  })

  describe('on a draining node', () => {
    const nodes = [node('a'), node('d', { draining: true }), node('b')]

    it('do not count: they are replaced first and removed later', () => {
      const before = choose([holder('a'), holder('d')], nodes)
      expect(before).toMatchObject({ wanted: 2, add: ['b'], remove: [], retained: 1 })
      const after = choose([holder('a'), holder('d'), holder('b')], nodes)
      expect(after).toMatchObject({ wanted: 2, add: [], remove: ['d'], retained: 0 })
    })

    it('stay if there are no others', () => {
      expect(choose([holder('d')], [node('d', { draining: true })])).toMatchObject({ add: [], remove: [] })
    })

    it('are cancelled if they are pending', () => {
      const { remove } = choose([holder('a'), holder('d', { state: 'wanted' })], nodes)
      expect(remove).toEqual(['d'])
    })
  })

  it('on an unreachable invited node do not count, and stay', () => {
    const nodes = [node('a'), node('x', { reachable: false }), node('b')]
    expect(choose([holder('a'), holder('x')], nodes)).toMatchObject({ wanted: 2, add: ['b'], remove: [] })
    const near = nodes.map((each) => ({ ...each, counts: true }))
    expect(choose([holder('a'), holder('x')], near)).toMatchObject({ wanted: 3, add: ['b'], remove: [] })
  })

  it('on trusted nodes never change because of new edges, whatever these hold and report', () => {
    const random = seeded(13)
    const pick = <T>(items: readonly T[]): T => items[Math.floor(random() * items.length)] as T
    const states = ['wanted', 'pulling', 'unverified', 'stored', 'lost', 'removed'] as const
    const someNode = (id: string, kind: 'candidate' | 'edge', vetted: boolean) =>
      node(id, {
        kind,
        vetted,
        country: pick(['Germany', 'Japan', 'France']),
        status: pick(['online', 'online', 'online', 'offline', 'abnormal'] as const),
        reachable: random() < 0.85,
        counts: random() < 0.9,
        draining: random() < 0.1,
        out: random() < 0.1,
        free: pick([0, 900]),
        quality: random(),
        rate: random() * 1e9,
        network: `${Math.floor(random() * 5)}`,
        owner: `${Math.floor(random() * 5)}`,
      })
    const someHolders = (nodes: readonly NodeFacts[]) =>
      nodes
        .filter(() => random() < 0.7)
        .map(({ id }) =>
          holder(id, {
            state: pick(states),
            suspect: random() < 0.2,
            tries: Math.floor(random() * 6),
            pulled: random() < 0.5,
            waits: random() < 0.2,
          }),
        )
    for (let round = 0; round < 2000; round++) {
      const trusted = [
        ...many(Math.floor(random() * 8), (index) => someNode(`c${index}`, 'candidate', false)),
        ...many(1 + Math.floor(random() * 8), (index) => someNode(`v${index}`, 'edge', true)),
      ]
      const fresh = many(Math.floor(random() * 30), (index) => someNode(`n${index}`, 'edge', false))
      const ask = { target: 1 + Math.floor(random() * 10), random: () => 0.5 }
      const content = { size: 100, areas: pick([[], ['Germany'], ['Japan', 'France']]) }
      const held = someHolders(trusted)
      const alone = chooseReplicaNodes(content, held, trusted, ask)
      const among = chooseReplicaNodes(content, [...held, ...someHolders(fresh)], [...trusted, ...fresh], ask)
      const isTrusted = (id: string) => !id.startsWith('n')
      expect(among.remove.filter(isTrusted)).toEqual(alone.remove)
      expect(among.add.filter(isTrusted)).toEqual(alone.add)
      expect(among.sound).toBe(alone.sound)
    }
  })
})
