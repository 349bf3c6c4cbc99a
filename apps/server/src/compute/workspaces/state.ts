import type { Context } from '../context.ts'
import { soldCapacity } from './repository.ts'

const GIB = 1024 ** 3
const MIB = 1024 ** 2

/** The clusters as operators see them: probe results, capacity and sold capacity. */
export async function clusterStates({ clusters, db }: Pick<Context, 'clusters' | 'db'>, again: boolean) {
  const list = await Promise.all(
    clusters.all().map(async ({ driver, regions }) => {
      const probe = await driver.probe(again).catch((error: Error) => ({
        state: 'unknown' as const,
        reason: error.message,
        command: undefined,
        facts: {},
        tried: [],
      }))
      const zero = { cpu: 0, memory: 0, storage: 0 }
      const { command: _, ...found } = probe
      const capacity = probe.state === 'ready' ? await driver.capacity().catch(() => zero) : zero
      const sold = await soldCapacity(db, regions)
      return {
        regions: [...regions],
        kind: driver.kind,
        ...found,
        facts: { ...probe.facts },
        tried: [...probe.tried],
        capacity: {
          cpu: capacity.cpu,
          memory: Math.floor(capacity.memory / MIB),
          storage: Math.floor(capacity.storage / GIB),
        },
        sold: { cpu: sold.cpu, memory: sold.ram * 1024, storage: sold.storage },
      }
    }),
  )
  return { list }
}
