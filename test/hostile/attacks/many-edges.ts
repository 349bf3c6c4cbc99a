import { EDGES_PER_NETWORK_DAY } from '@tidenet/contract'
import { hostileNode } from '../../attacks/hostile-node.ts'
import { type Attack, DAY } from '../harness.ts'

const EACH_STEP = 15

/** Registers one edge after the other from its network; they say that they are there, and are not. */
export default {
  name: 'many edges',
  async step({ address, notes }, { env, origin }) {
    const accepted = (notes.get('accepted') as number[] | undefined) ?? []
    for (let time = 0; time < EACH_STEP; time++) {
      const node = await hostileNode({ origin, clock: env.clock }, { address })
      // Without a token it was refused.
      if (node.token) accepted.push(env.clock.now())
    }
    notes.set('accepted', accepted)
    notes.set('tried', ((notes.get('tried') as number) ?? 0) + EACH_STEP)
  },
  async gains({ notes }) {
    const accepted = notes.get('accepted') as number[]
    const within = accepted.map((at) => accepted.filter((other) => other <= at && other > at - DAY).length)
    return {
      'new edges of a network above the limit of a day': Math.max(0, Math.max(...within) - EDGES_PER_NETWORK_DAY),
      'networks that brought all their new edges': accepted.length === notes.get('tried') ? 1 : 0,
    }
  },
} satisfies Attack
