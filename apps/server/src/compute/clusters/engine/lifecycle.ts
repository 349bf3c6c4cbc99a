import type { WorkloadRef } from '../driver.ts'
import { removeArchives } from './archive-images.ts'
import { digestOf, LABEL, snapshotOf } from './container.ts'
import { failToStart, failWith, ignoreNotFound } from './failures.ts'
import { bridgeName, removeBridge } from './firewall.ts'
import { isMoved, moveLayer, upperOf } from './layers.ts'
import type { Parts } from './parts.ts'
import type { ReadyEngine } from './probe.ts'

/** Starts, stops and removes the containers of workloads. */

const STOP_TIMEOUT_SECONDS = 10
const SHUTDOWN_TIMEOUT_SECONDS = 2

/** Mounts the disk, which a restart of the machine unmounts, and starts the container. */
export async function start(
  { container, ensureNetwork, isolateWorkspaces, nameFiles }: Parts,
  engine: ReadyEngine,
  workload: string,
  beforeStart?: () => Promise<void>,
): Promise<void> {
  const handle = container(engine, { workload })
  const { Config, State, ...info } = await handle.inspect()
  if (State.Running) return
  const workspace = Config.Labels[LABEL.workspace] ?? ''
  const ref = { workspace, workload }
  if (Config.Labels[LABEL.disk] === engine.disks.kind)
    await engine.disks.prepare(ref, Number(Config.Labels[LABEL.storage]), 1)
  const network = await ensureNetwork(engine, workspace)
  const own = engine.layers ? engine.disks.hostFolder(ref) : undefined
  const upper = own && upperOf(info)
  if (own && upper) {
    const isNew = State.StartedAt === undefined || State.StartedAt.startsWith('0001')
    await moveLayer(upper, own).catch((error: unknown) => {
      // The layer of a container from before layers were moved may not fit on the disk. It stays where it is.
      if (isNew) throw error
    })
    await nameFiles(engine, own, Config.Hostname, network)
  }
  await beforeStart?.()
  await handle.start().catch(failToStart('The program could not be started', 304))
  // Again: before its bridge existed, a cleanup of stale rules may have removed its rule.
  if (network)
    await isolateWorkspaces(engine, [workspace]).catch(async (error: unknown) => {
      // It must not run without its rules, and a retry would skip a running container.
      await handle.kill().catch(() => {})
      throw error
    })
}

/** Keeps the changes of the container's file system as a snapshot and removes the container. */
export async function snapshotAndRemove(
  { container, installation }: Parts,
  engine: ReadyEngine,
  workload: string,
): Promise<void> {
  const { repo, tag, name } = snapshotOf(installation, workload)
  const { docker } = engine
  const handle = container(engine, { workload })
  const upper = upperOf(await handle.inspect())
  // The changes are on the workload's disk, and the next container uses them.
  if (upper && isMoved(upper)) return void (await handle.remove({ force: true }))
  const before = await docker.getImage(name).inspect().catch(ignoreNotFound)
  await handle.commit({ repo, tag, pause: false })
  await handle.remove({ force: true })
  // Fails while the new snapshot is based on the old one.
  if (before)
    await docker
      .getImage(before.Id)
      .remove()
      .catch(() => {})
}

/** Removes a container and its snapshot, because the image changes. */
export async function removeWithSnapshot(
  { container, installation }: Parts,
  engine: ReadyEngine,
  workload: string,
): Promise<void> {
  await container(engine, { workload }).remove({ force: true }).catch(ignoreNotFound)
  await engine.docker.getImage(snapshotOf(installation, workload).name).remove({ force: true }).catch(ignoreNotFound)
}

/** Stops all workloads, with a short timeout because the server's shutdown waits for it. */
export async function stopAll(parts: Parts, engine: ReadyEngine): Promise<void> {
  const running = (await parts.list()).filter(({ state }) => state !== 'stopped' && state !== 'failed')
  await Promise.all(running.map(({ workload }) => stop(parts, engine, workload, SHUTDOWN_TIMEOUT_SECONDS)))
  for (const ref of running) {
    await engine.disks.unmount(ref)
    await removeBridge(bridgeName(digestOf(parts.installation, ref.workspace)))
  }
}

export async function stop(
  { container }: Parts,
  engine: ReadyEngine,
  workload: string,
  timeoutSeconds = STOP_TIMEOUT_SECONDS,
): Promise<void> {
  await container(engine, { workload })
    .stop({ t: timeoutSeconds })
    .catch(ignoreNotFound)
    .catch(failWith('The workload did not stop', 304))
}

export async function remove({ container, installation }: Parts, engine: ReadyEngine, ref: WorkloadRef): Promise<void> {
  await container(engine, ref).remove({ force: true, v: true }).catch(ignoreNotFound)
  await engine.docker
    .getImage(snapshotOf(installation, ref.workload).name)
    .remove({ force: true })
    .catch(ignoreNotFound)
  await removeArchives(engine.docker, installation, ref.workload)
  await engine.disks.remove(ref)
}
