import { describe, expect, it } from 'vitest'
import type { NodeFacts } from '../nodes/node-table.ts'
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

const german = many(8, (index) => node(`de${index}`))
const japanese = many(5, (index) => vettedEdge(`jp${index}`, { country: 'Japan' }))
const near = [{ country: 'Japan', copies: 2 }]

const choose = (
  holders: Holder[],
  nodes: NodeFacts[],
  more: { near?: typeof near; areas?: string[]; target?: number } = {},
) =>
  chooseReplicaNodes({ size: 100, areas: more.areas ?? [] }, holders, nodes, {
    target: more.target ?? 3,
    near: more.near ?? [],
    random: seeded(),
  })
const held = (...ids: string[]) => ids.map((id) => holder(id))

describe('copies near readers', () => {
  it('are added to the others, in the areas of readers', () => {
    const choice = choose(held('de0', 'de1', 'de2'), [...german, ...japanese], { near })
    expect(choice.add).toHaveLength(2)
    expect(choice.add.every((id) => id.startsWith('jp'))).toBe(true)
    expect(choice).toMatchObject({ wanted: 5, remove: [] })
  })

  it('stay while they are wanted, and change nothing else', () => {
    expect(choose(held('de0', 'de1', 'de2', 'jp0', 'jp1'), [...german, ...japanese], { near })).toMatchObject({
      wanted: 5,
      add: [],
      remove: [],
    })
  })

  it('are given back when they are not wanted any more', () => {
    const { wanted, remove } = choose(held('de0', 'de1', 'de2', 'jp0', 'jp1'), [...german, ...japanese])
    expect(wanted).toBe(3)
    expect(remove.sort()).toEqual(['jp0', 'jp1'])
  })

  it('are as many as there are suitable nodes', () => {
    const few = [...german, node('jp', { country: 'Japan' }), node('full', { country: 'Japan', free: 10 })]
    expect(choose(held('de0', 'de1', 'de2'), few, { near })).toMatchObject({ add: ['jp'], wanted: 4 })
  })

  it('are never on new edges, nor outside the areas that the owner chose', () => {
    const strangers = many(3, (index) => newEdge(`x${index}`, { country: 'Japan' }))
    const { wanted } = choose(held('de0', 'de1', 'de2'), [...german, ...strangers], { near })
    expect(wanted).toBe(3)
    const only = choose(held('de0', 'de1', 'de2'), [...german, ...japanese], { near, areas: ['Germany'] })
    expect(only).toMatchObject({ wanted: 3, add: [] })
  })

  it('are not all on the edges of one owner', () => {
    const crowd = many(4, (index) => vettedEdge(`one${index}`, { country: 'Japan', owner: 'one' }))
    const { add } = choose(held('de0', 'de1', 'de2'), [...german, ...crowd], { near })
    expect(add).toHaveLength(1)
  })
})
