import { describe, expect, it } from 'vitest'
import { DEFENDED } from '../policy.ts'
import { orderSources } from './choose-sources.ts'
import { many, newEdge, sampleNode, seeded, vettedEdge } from './sample-nodes.fixture.ts'

const ids = (nodes: readonly { id: string }[]) => nodes.map(({ id }) => id)
const invited = (count: number) => many(count, (index) => sampleNode(`c${index}`))
const vetted = (count: number) => many(count, (index) => vettedEdge(`v${index}`))
const fresh = (count: number) => many(count, (index) => newEdge(`n${index}`))
const offered = (...groups: ReturnType<typeof invited>[]) =>
  ids(orderSources(groups.flat(), { count: 20, random: seeded() }))
const kinds = (order: readonly string[]) => order.map((id) => id[0]).join('')

describe('sources', () => {
  it.each([
    [
      'are reachable nodes',
      [sampleNode('a', { reachable: false }), sampleNode('b', { status: 'offline' }), sampleNode('c')],
      ['c'],
    ],
    [
      'are first those that were measured as fast',
      [sampleNode('a', { rate: 1e5 }), sampleNode('b', { rate: 1e8 })],
      ['b', 'a'],
    ],
    ['are first those that passed their audits', [sampleNode('a', { audit_share: 0.5 }), sampleNode('b')], ['b', 'a']],
    ['are idle ones first if nothing else differs', [sampleNode('a', { load: 1 }), sampleNode('b')], ['b', 'a']],
    [
      'are abnormal and draining nodes last',
      [
        sampleNode('a', { status: 'abnormal', rate: 1e9 }),
        sampleNode('d', { draining: true, rate: 1e8 }),
        sampleNode('b', { quality: 0.1 }),
      ],
      ['b', 'a', 'd'],
    ],
  ])('%s', (_, nodes, expected) => {
    expect(ids(orderSources(nodes))).toEqual(expected)
  })

  it('are two vetted edges for each invited node', () => {
    expect(kinds(offered(invited(20), vetted(20)))).toBe('vvcvvcvvcvvcvvcvvcvv')
    expect(kinds(offered(invited(2), vetted(5)))).toBe('vvcvvcv')
    expect(kinds(offered(invited(5)))).toBe('ccccc')
  })

  it('are new edges at one in five places, never among the first three', () => {
    const order = kinds(offered(invited(30), fresh(60)))
    expect(order).toBe('ccccnccccnccccnccccn')
    expect(kinds(offered(invited(3), fresh(60)))).toBe('cccn')
    expect(kinds(offered(invited(2), fresh(60)))).toBe('cc')
  })

  it('are a few new edges if no trusted node has the content', () => {
    expect(offered(fresh(60))).toHaveLength(4)
  })

  it('of one network or owner get at most a third of the places', () => {
    const crowd = many(60, (index) => vettedEdge(`v${index}`, { network: '203.0.113.0/24', rate: 1e12 }))
    const owned = many(60, (index) => vettedEdge(`o${index}`, { owner: '7', rate: 1e12 }))
    for (const many of [crowd, owned]) {
      const order = ids(orderSources([...many, ...invited(30)], { count: 20 }))
      expect(order).toHaveLength(20)
      expect(order.filter((id) => !id.startsWith('c')).length).toBeLessThanOrEqual(7)
      expect(order.slice(0, 3).filter((id) => !id.startsWith('c'))).toHaveLength(1)
      const alone = ids(orderSources(many, { count: 20 }))
      expect(alone).toHaveLength(6)
    }
    const strangers = many(60, (index) => newEdge(`n${index}`, { network: '203.0.113.0/24' }))
    expect(kinds(offered(invited(30), strangers)).match(/n/g)).toHaveLength(1)
    const undefended = orderSources([...crowd, ...invited(30)], { count: 20, policy: { ...DEFENDED, caps: false } })
    expect(undefended.slice(0, 3).filter(({ kind }) => kind === 'edge')).toHaveLength(2)
  })

  it('are not chosen by the speed that an edge reports about itself', () => {
    const honest = vetted(20)
    const liars = many(20, (index) =>
      vettedEdge(`l${index}`, { send_rate: 1e15, receive_rate: 1e15, load: 0, free: 1e15, capacity: 1e15 }),
    )
    const random = seeded()
    const shareOfLiars = (policy: typeof DEFENDED) => {
      const rounds = many(200, () => orderSources([...honest, ...liars], { count: 10, random, policy }))
      return rounds.flat().filter(({ id }) => id.startsWith('l')).length / rounds.flat().length
    }
    expect(shareOfLiars(DEFENDED)).toBeLessThan(0.55)
    expect(shareOfLiars({ ...DEFENDED, measured: false })).toBeGreaterThan(0.9)
  })

  it('rotate among nodes that are about equally good', () => {
    const random = seeded()
    const first = new Set(many(100, () => orderSources(invited(10), { count: 5, random })[0]?.id))
    expect(first.size).toBe(10)
  })
})

describe('sources behind relays', () => {
  const relayed = (count: number) => many(count, (index) => sampleNode(`r${index}`, { relayed: true }))
  const firsts = (nodes: ReturnType<typeof invited>) => {
    const random = seeded()
    return many(200, () => orderSources(nodes, { count: 20, random })[0]?.id[0])
  }

  it('are seldom first among others that are as good, but sometimes', () => {
    const share = firsts([...invited(5), ...relayed(5)]).filter((kind) => kind === 'r').length / 200
    expect(share).toBeGreaterThan(0.02)
    expect(share).toBeLessThan(0.4)
  })

  it('are first if they are much better, or the only ones', () => {
    const slow = many(3, (index) => sampleNode(`c${index}`, { rate: 1e4, quality: 0.4 }))
    const fast = many(3, (index) => sampleNode(`r${index}`, { rate: 1e9, relayed: true }))
    expect(new Set(firsts([...slow, ...fast]))).toEqual(new Set(['r']))
    expect(ids(orderSources(relayed(3), { count: 20 }))).toHaveLength(3)
  })
})

describe('sources of accelerated content', () => {
  const times = new Map([
    ['near', 35],
    ['alsoNear', 40],
    ['far', 300],
  ])
  const firstByte = ({ id }: { id: string }) => times.get(id) ?? 250

  it('begin with the nodes whose first byte arrives early, whatever their speed', () => {
    const nodes = [
      sampleNode('far', { rate: 1e9 }),
      sampleNode('near', { rate: 1e5 }),
      sampleNode('unknown', { rate: 1e9 }),
    ]
    expect(orderSources(nodes, { firstByte }).map(({ id }) => id)[0]).toBe('near')
  })

  it('are as usual among nodes that are equally near', () => {
    const nodes = [
      sampleNode('near', { rate: 1e5 }),
      sampleNode('alsoNear', { rate: 1e9 }),
      sampleNode('far', { rate: 1e9 }),
    ]
    expect(orderSources(nodes, { firstByte }).map(({ id }) => id)).toEqual(['alsoNear', 'near', 'far'])
  })

  it('do not begin with a node that pretends to answer in no time, if others are near too', () => {
    const nodes = [sampleNode('liar', { rate: 1e5 }), sampleNode('honest', { rate: 1e9 })]
    const order = orderSources(nodes, { firstByte: ({ id }) => (id === 'liar' ? 1 : 28) })
    expect(order.map(({ id }) => id)).toEqual(['honest', 'liar'])
  })

  it('are never led by new edges, and do not come from one owner only', () => {
    const trusted = [sampleNode('a', { country: 'Japan' }), sampleNode('b'), sampleNode('c')]
    const order = orderSources([...trusted, newEdge('new')], { firstByte: ({ id }) => (id === 'new' ? 1 : 250) })
    expect(order.slice(0, 3).map(({ id }) => id)).not.toContain('new')
    const crowd = Array.from({ length: 9 }, (_, index) => vettedEdge(`one${index}`, { owner: 'one' }))
    const places = orderSources([...crowd, ...trusted], {
      count: 6,
      firstByte: ({ owner }) => (owner === 'one' ? 1 : 250),
    })
    expect(places.filter(({ owner }) => owner === 'one').length).toBeLessThanOrEqual(2)
  })
})
