import { TRIAL_BYTES, TRIAL_GROUP_BYTES } from '@tidenet/contract'
import { expect, it } from 'vitest'
import { many, newEdge } from './sample-nodes.fixture.ts'
import { createTrialSpace } from './trial-space.ts'

const edge = (id: string, network: string) => newEdge(id, { network })

it('a new edge, and all new edges of a network, get a limited number of bytes', () => {
  const [one, two, three] = ['a', 'b', 'c'].map((id) => edge(id, '203.0.113.0/24')) as [Edge, Edge, Edge]
  const space = createTrialSpace([{ node: one, bytes: TRIAL_BYTES }])
  expect([one, two].map(space.left)).toEqual([0, TRIAL_BYTES])
  space.add(two, TRIAL_GROUP_BYTES - TRIAL_BYTES)
  expect(space.left(three)).toBe(0)
  expect(space.left(edge('d', '203.0.114.0/24'))).toBe(TRIAL_BYTES)
})

it('new edges in many networks of one IPv6 /32 get as many bytes as those of eight networks', () => {
  const space = createTrialSpace(
    many(16, (index) => ({ node: edge(`e${index}`, `2001:db8:${index}::/48`), bytes: TRIAL_GROUP_BYTES / 2 })),
  )
  expect(space.left(edge('another', '2001:db8:ff::/48'))).toBe(0)
  expect(space.left(edge('elsewhere', '2001:db9:ff::/48'))).toBe(TRIAL_BYTES)
})

type Edge = ReturnType<typeof edge>
