import { createHash } from 'node:crypto'
import { THIRD_PARTY_DAYS } from '@tidenet/contract'
import type { Clock } from '@tidenet/daemon'
import { DAY } from '../../platform/ago.ts'
import { type ThirdParty, ThirdPartyError } from './adapter.ts'

const HOUR = 3_600_000
/** Names say that they are simulated, so that nobody takes one for a real provider. */
const PROVIDERS = ['Simulated provider A', 'Simulated provider B', 'Simulated provider C', 'Simulated provider D']
/** One replica in so many is late. */
const LATE_ONE_IN = 8
/** Part of the usual time that a replica waits in the queue. */
const QUEUED_PART = 0.25

/**
 * Simulates a provider of storage deals: replicas wait, are made, and are stored after about the configured time. It stores no bytes and
 * keeps no state: the id contains when the replica began and the seed of everything else.
 */
export function createSimulation({ name, hours, clock }: { name: string; hours: number; clock: Clock }): ThirdParty {
  const usual = hours * HOUR
  const read = (id: string) => {
    const match = /^sim-([0-9a-z]{6,12})-([0-9a-f]{12})$/.exec(id)
    if (!match) throw new ThirdPartyError('refused', 'not an id of the simulation')
    const began = Number.parseInt(match[1] ?? '', 36)
    const seed = Buffer.from(match[2] ?? '', 'hex')
    const [late = 0, provider = 0, days = 0, moreDays = 0, pace = 0] = seed
    const isLate = late % LATE_ONE_IN === 0
    const span = THIRD_PARTY_DAYS.max - THIRD_PARTY_DAYS.min + 1
    const took = usual * (isLate ? 1.5 : 0.8 + (0.2 * pace) / 256)
    return {
      began,
      isLate,
      provider: PROVIDERS[provider % PROVIDERS.length] as string,
      storedAt: began + took,
      days: THIRD_PARTY_DAYS.min + ((days * 256 + moreDays) % span),
    }
  }
  return {
    name,
    kind: 'simulation',
    simulated: true,

    async add({ key }) {
      const began = clock.now()
      const seed = createHash('sha256').update(`${key} ${began}`).digest('hex').slice(0, 12)
      return `sim-${began.toString(36)}-${seed}`
    },

    async status(id) {
      const { began, isLate, provider, storedAt, days } = read(id)
      const at = clock.now()
      const known = {
        provider,
        dealId: id,
        expectedAt: new Date(isLate && at < began + usual ? began + usual : storedAt),
      }
      if (at < began + usual * QUEUED_PART) return { ...known, state: 'queued' }
      if (at < storedAt) return { ...known, state: 'inProgress' }
      return { ...known, state: 'stored', expiresAt: new Date(storedAt + days * DAY) }
    },

    async remove(id) {
      read(id)
    },
  }
}
