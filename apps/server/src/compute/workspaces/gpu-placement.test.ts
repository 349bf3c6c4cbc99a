import { expect, it } from 'vitest'
import type { GpuNode } from '../clusters/driver.ts'
import { freeAfter, type GpuOrder, takeNode } from './gpu-placement.ts'

const node = (gpus: number, taken: Record<string, number> = {}, cpu = 8): GpuNode => ({
  ...{ gpus, cpu, memory: 8 },
  taken: Object.fromEntries(Object.entries(taken).map(([id, has]) => [id, { gpus: has, cpu: 1, memory: 1 }])),
})
const order = (gpus: number, workspace = ''): GpuOrder => ({ workspace, gpus, cpu: 1, memory: 1 })
const gpusOf = (nodes: readonly { gpus: number }[]) => nodes.map(({ gpus }) => gpus)

it.each([
  ['one node has all of them', [node(4), node(4)], 4, true],
  ['only several nodes together have them', [node(2), node(2)], 4, false],
  ['no node has GPUs', [], 1, false],
  ['the node with enough GPUs has no cores left', [node(4, {}, 0), node(2)], 4, false],
])('GPUs are sold if %s: %#', (_, nodes, gpus, fits) => expect(takeNode(freeAfter(nodes, []), order(gpus))).toBe(fits))

it('those that were sold and have no node yet are expected on different nodes', () => {
  const sold = [order(1, 'a'), order(1, 'b')]
  expect(gpusOf(freeAfter([node(4), node(4)], sold))).toEqual([3, 3])
  // Those that have a node are where they are.
  expect(gpusOf(freeAfter([node(2, { a: 1, b: 1 }), node(4)], sold))).toEqual([2, 4])
})

it('an order that is changed can have what it has now, on one node', () => {
  const nodes = [node(1, { own: 3 }), node(2)]
  expect(takeNode(freeAfter(nodes, [], 'own'), order(4))).toBe(true)
  expect(takeNode(freeAfter(nodes, [], 'own'), order(5))).toBe(false)
})

it('an order that was enlarged and still has its former GPUs counts as enlarged', () => {
  expect(gpusOf(freeAfter([node(1, { a: 1 }), node(4)], [order(3, 'a')]))).toEqual([2, 1])
})

it('several orders do not get the same GPUs', () => {
  const free = freeAfter([node(2), node(1)], [])
  expect([2, 2, 1, 1].map((gpus) => takeNode(free, order(gpus)))).toEqual([true, false, true, false])
})
