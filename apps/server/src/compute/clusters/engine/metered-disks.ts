import type Docker from 'dockerode'
import type { WorkloadRef } from '../driver.ts'
import { LABEL, nameOf } from './container.ts'
import type { Disks } from './disks.ts'
import { ignoreNotFound } from './failures.ts'
import { assignVolumes } from './volumes.ts'

/** Volumes of the engine. They have no size limit, so their usage is measured. */
export function meteredDisks(docker: Docker, installation: string): Disks {
  const nameOfPart = ({ workload }: WorkloadRef, part: number | string) =>
    `${nameOf(installation, workload)}-disk${part}`
  const labelsOf = ({ workspace, workload }: WorkloadRef) => ({
    [LABEL.installation]: installation,
    [LABEL.workspace]: workspace,
    [LABEL.workload]: workload,
  })
  async function removeWith(...labels: string[]): Promise<void> {
    const label = [`${LABEL.installation}=${installation}`, ...labels]
    for (const { Name } of (await docker.listVolumes({ filters: { label } })).Volumes ?? [])
      await docker.getVolume(Name).remove().catch(ignoreNotFound)
  }
  return {
    kind: 'metered',
    async prepare(ref, _, parts, named = []) {
      const names = [...Array(parts).keys(), ...named].map((part) => nameOfPart(ref, part))
      for (const Name of names)
        await docker.createVolume({
          Name,
          Labels: labelsOf(ref),
        })
      return names.map((source) => ({ kind: 'volume', source }))
    },
    // An empty volume whose label is the note, because labels of what exists cannot change. The longest note is the newest.
    async noteVolumes(ref, volumes) {
      const filters = { label: [`${LABEL.installation}=${installation}`, `${LABEL.workload}=${ref.workload}`] }
      const notes = ((await docker.listVolumes({ filters })).Volumes ?? []).flatMap(({ Name, Labels }) => {
        const text = Labels?.[LABEL.volumes]
        return text === undefined ? [] : [{ Name, known: JSON.parse(text) as string[] }]
      })
      const known = notes.reduce<string[]>(
        (longest, note) => (note.known.length > longest.length ? note.known : longest),
        [],
      )
      const all = assignVolumes(known, volumes)
      if (all.length === known.length) return all
      await docker.createVolume({
        Name: `${nameOf(installation, ref.workload)}-volumes${all.length}`,
        Labels: { ...labelsOf(ref), [LABEL.volumes]: JSON.stringify(all) },
      })
      for (const { Name } of notes) await docker.getVolume(Name).remove().catch(ignoreNotFound)
      return all
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
