import type { Attack } from '../harness.ts'
import exaggerate from './exaggerate-speed.ts'
import flip from './flip-bits.ts'
import recognise from './recognise-auditors.ts'

/** Reports high speed, is good for half a day, then answers only validators, and from the second day sends wrong bytes to all. */
export default {
  name: 'combined',
  bend: (attacker) => ({
    ...exaggerate.bend(),
    serves: (request, answer) =>
      attacker.day >= 0.5 && attacker.day < 2 && recognise.bend(attacker).serves(request, answer),
    changes: (part, request) => (attacker.day >= 2 ? flip.bend().changes(part, request) : part),
  }),
  step: recognise.step,
} satisfies Attack
