import { randomBytes } from 'node:crypto'
import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import type Docker from 'dockerode'
import { LABEL, networkOf } from './container.ts'
import { enforcedDisks } from './enforced-disks.ts'
import { removeStaleBridges } from './firewall.ts'

/** A unique name for the resources of one engine test, with the process id. */
export const testName = (): string => `test-${process.pid}-${randomBytes(4).toString('hex')}`

/** Whether it was created by an engine test of a process that has ended. */
function isStale(name: string | undefined): boolean {
  const pid = /^test-(\d+)/.exec(name ?? '')?.[1]
  return pid !== undefined && Number(pid) !== process.pid && !existsSync(`/proc/${pid}`)
}

/** Removes what engine tests of killed processes left behind, on the engine and on this machine. */
export async function removeStaleTests(
  docker: Docker,
  { data, installation }: { data: string; installation: string },
): Promise<void> {
  if (process.platform !== 'linux') return
  const filters = { label: ['tidenet.test=yes', `${LABEL.installation}=${installation}`] }
  for (const { Id, Labels } of await docker.listContainers({ all: true, filters }))
    if (isStale(Labels[LABEL.workspace])) await ignoreErrors(docker.getContainer(Id).remove({ force: true }))
  const prefix = networkOf(installation, '')
  for (const { Id, Name } of await docker.listNetworks())
    if (Name.startsWith(prefix) && isStale(Name.slice(prefix.length)))
      await ignoreErrors(docker.getNetwork(Id).remove())
  const folder = join(data, 'disks')
  for (const name of existsSync(folder) ? readdirSync(folder) : [])
    if (isStale(name)) await ignoreErrors(enforcedDisks(folder).removeAll(name))
  if (process.getuid?.() === 0) await removeStaleBridges()
}

const ignoreErrors = (work: Promise<unknown>) => work.catch(() => undefined)
