import type Docker from 'dockerode'
import type { WorkloadRef } from '../driver.ts'
import { LABEL, nameOf } from './container.ts'
import type { Disks } from './disks.ts'

/** Volumes of the engine. They have no size limit, so their usage is measured. */
export function meteredDisks(docker: Docker, installation: string): Disks {
  const nameOfPart = ({ workload }: WorkloadRef, part: number | string) =>
    `${nameOf(installation, workload)}-disk${part}`
  async function removeWith(...labels: string[]): Promise<void> {
    const label = [`${LABEL.installation}=${installation}`, ...labels]
    for (const { Name } of (await docker.listVolumes({ filters: { label } })).Volumes ?? [])
      await docker
        .getVolume(Name)
        .remove()
        .catch((error: { statusCode?: number }) => {
          if (error.statusCode !== 404) throw error
        })
  }
  return {
    kind: 'metered',
    async prepare(ref, _, parts, named = []) {
      const names = [...Array(parts).keys(), ...named].map((part) => nameOfPart(ref, part))
      for (const Name of names)
        await docker.createVolume({
          Name,
          Labels: {
            [LABEL.installation]: installation,
            [LABEL.workspace]: ref.workspace,
            [LABEL.workload]: ref.workload,
          },
        })
      return names.map((source) => ({ kind: 'volume', source }))
    },
    hostFolder: () => undefined,
    workspaces: () => [],
    async unmount() {},
    async used(refs) {
      const { Volumes: all } = (await docker.df()) as { Volumes?: { Name: string; UsageData?: { Size: number } }[] }
      const sizes = new Map<string, number>()
      for (const { Name, UsageData } of all ?? []) {
        const disk = Name.replace(/-disk(\d+|p[\da-f]+)$/, '-disk')
        sizes.set(disk, (sizes.get(disk) ?? 0) + Math.max(0, UsageData?.Size ?? 0))
      }
      return refs.map((ref) => sizes.get(nameOfPart(ref, 0).slice(0, -1)) ?? 0)
    },
    remove: ({ workload }) => removeWith(`${LABEL.workload}=${workload}`),
    removeAll: (workspace) => removeWith(`${LABEL.workspace}=${workspace}`),
  }
}
