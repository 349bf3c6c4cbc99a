import { statfs } from 'node:fs/promises'
import type { ClusterDriver, Size } from '../driver.ts'
import { LABEL } from './container.ts'
import { withClusterErrors } from './failures.ts'
import { removeStaleBridges } from './firewall.ts'
import { insideMethods } from './inside.ts'
import { stopAll } from './lifecycle.ts'
import { openParts, type Parts } from './parts.ts'
import type { EngineOptions, ReadyEngine } from './probe.ts'
import { removeStaleSpools, transfersIn } from './transfer.ts'
import { workloadMethods } from './workloads.ts'
import { workspaceMethods } from './workspaces.ts'

/** Memory that is not sold, for the machine itself. */
const RESERVED_MEMORY_BYTES = 1024 ** 3

/** Runs workloads on an engine with Docker's API. All state is on the engine, as labels. */
export function createEngineDriver(given: EngineOptions): ClusterDriver {
  const parts = openParts(given)
  const { options, connection, ready, probe, list } = parts
  removeStaleSpools(transfersIn(options))
  const driver: ClusterDriver = {
    kind: 'engine',
    probe,
    list,
    ...workspaceMethods(parts),
    ...workloadMethods(parts),
    ...insideMethods(parts),

    async capacity(): Promise<Size> {
      const engine = await ready()
      const { docker } = engine
      const { NCPU, MemTotal } = (await docker.info()) as { NCPU: number; MemTotal: number }
      const { bavail, bsize } = await statfs(options.data)
      return {
        cpu: NCPU,
        memory: Math.max(0, MemTotal - RESERVED_MEMORY_BYTES),
        storage: bavail * bsize + (await usedByAll(parts, engine)),
      }
    },

    async ended() {
      const engine = await ready()
      const listed = await engine.docker.listContainers({
        all: true,
        filters: { label: [`${LABEL.installation}=${options.installation}`], status: ['exited'] },
      })
      return listed.map(({ Labels }) => ({
        workspace: Labels[LABEL.workspace] ?? '',
        workload: Labels[LABEL.workload] ?? '',
      }))
    },

    async close() {
      const attempt = connection.attempt()
      const engine = (await connection.current()?.catch(() => undefined))?.engine
      if (engine && options.stopsAtEnd) await stopAll(parts, engine).catch(() => {})
      if (engine?.networks) await removeStaleBridges()
      connection.reportLost(attempt)
      await engine?.close()
    },
  }

  // A lost engine is searched for again, and restarted if we started it.
  return withClusterErrors(driver, connection)
}

/** Bytes that existing disks use; they are part of the capacity. */
async function usedByAll({ list }: Parts, { disks }: ReadyEngine): Promise<number> {
  return (await disks.used(await list())).reduce((sum, bytes) => sum + bytes, 0)
}
