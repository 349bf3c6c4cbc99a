import type Docker from 'dockerode'
import { expect, it } from 'vitest'
import { meteredDisks } from './metered-disks.ts'

/** An engine that has nothing but volumes, with their labels. */
function sampleVolumes() {
  const volumes = new Map<string, Record<string, string>>()
  const docker = {
    async createVolume({ Name, Labels }: { Name: string; Labels: Record<string, string> }) {
      if (!volumes.has(Name)) volumes.set(Name, Labels)
    },
    async listVolumes({ filters }: { filters: { label: string[] } }) {
      const has = (labels: Record<string, string>) =>
        filters.label.every((each) => labels[each.split('=')[0] ?? ''] === each.split('=')[1])
      return { Volumes: [...volumes].filter(([, labels]) => has(labels)).map(([Name, Labels]) => ({ Name, Labels })) }
    },
    getVolume: (name: string) => ({
      async remove() {
        volumes.delete(name)
      },
    }),
  }
  return { volumes, disks: meteredDisks(docker as unknown as Docker, 'here') }
}

const ref = { workspace: 's', workload: 'w' }

it('gives each volume of an image the same part, whatever else later images declare', async () => {
  const { disks } = sampleVolumes()
  expect(await disks.noteVolumes(ref, ['/a', '/z'])).toEqual(['/a', '/z'])
  expect(await disks.noteVolumes(ref, ['/a', '/m', '/z'])).toEqual(['/a', '/z', '/m'])
  expect(await disks.noteVolumes(ref, ['/m'])).toEqual(['/a', '/z', '/m'])
  expect(await disks.noteVolumes({ ...ref, workload: 'other' }, ['/m'])).toEqual(['/m'])
})

it('continues with the newest note after a crash left the one before, too', async () => {
  const { volumes, disks } = sampleVolumes()
  await disks.noteVolumes(ref, ['/a', '/z'])
  const before = [...volumes]
  await disks.noteVolumes(ref, ['/m'])
  for (const [name, labels] of before) volumes.set(name, labels)
  expect(await disks.noteVolumes(ref, ['/x'])).toEqual(['/a', '/z', '/m', '/x'])
})

it('leaves no note of a workload that was removed', async () => {
  const { volumes, disks } = sampleVolumes()
  await disks.prepare(ref, 1, 2)
  await disks.noteVolumes(ref, ['/a'])
  await disks.remove(ref)
  expect([...volumes]).toEqual([])
})
