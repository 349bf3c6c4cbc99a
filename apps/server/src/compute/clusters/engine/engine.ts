import { statfs } from 'node:fs/promises'
import type { ClusterDriver, Size } from '../driver.ts'
import { failingAsClusters } from './failures.ts'
import { sweepBridges } from './firewall.ts'
import { insideOf } from './inside.ts'
import { stopAll } from './lifecycle.ts'
import { openParts, type Parts } from './parts.ts'
import type { EngineOptions, ReadyEngine } from './probe.ts'
import { workloadsOf } from './workloads.ts'
import { workspacesOf } from './workspaces.ts'

/** Memory that the machine keeps for itself. */
const KEPT_MEMORY = 1024 ** 3

/** Runs workloads on an engine that speaks Docker's API. What it is asked is written to the engine alone, as labels. */
export function createEngineDriver(asked: EngineOptions): ClusterDriver {
  const parts = openParts(asked)
  const { options, kept, ready, probe, list } = parts
  const driver: ClusterDriver = {
    kind: 'engine',
    probe,
    list,
    ...workspacesOf(parts),
    ...workloadsOf(parts),
    ...insideOf(parts),

    async capacity(): Promise<Size> {
      const engine = await ready()
      const { docker } = engine
      const { NCPU, MemTotal } = (await docker.info()) as { NCPU: number; MemTotal: number }
      const { bavail, bsize } = await statfs(options.data)
      return {
        cpu: NCPU,
        memory: Math.max(0, MemTotal - KEPT_MEMORY),
        storage: bavail * bsize + (await usedByAll(parts, engine)),
      }
    },

    async close() {
      const turn = kept.turn()
      const engine = (await kept.known()?.catch(() => undefined))?.engine
      if (engine && options.stopsAtEnd) await stopAll(parts, engine).catch(() => {})
      if (engine?.networks) await sweepBridges()
      kept.lost(turn)
      await engine?.close()
    },
  }

  // One that has ended is looked for again, and started again when it was ours.
  return failingAsClusters(driver, kept)
}

/** What our disks take of this machine already: it is part of what can be promised. */
async function usedByAll({ list }: Parts, { disks }: ReadyEngine): Promise<number> {
  const uses = (await list()).map((ref) => disks.used(ref))
  return (await Promise.all(uses)).reduce((sum, bytes) => sum + bytes, 0)
}
