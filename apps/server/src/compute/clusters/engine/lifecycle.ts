import type { WorkloadRef } from '../driver.ts'
import { digestOf, LABEL, snapshotOf } from './container.ts'
import { failed, unlessGone } from './failures.ts'
import { bridgeName, forgetBridge } from './firewall.ts'
import { isMoved, moveLayer, upperOf } from './layers.ts'
import type { Parts } from './parts.ts'
import type { ReadyEngine } from './probe.ts'

/** How the container of a workload starts, stops, and is given up. */

const STOP_WITHIN = 10
const LAST_STOP_WITHIN = 2

/** Mounts what a machine's restart has unmounted, then starts. */
export async function start(
  { container, network, names }: Parts,
  engine: ReadyEngine,
  workload: string,
): Promise<void> {
  const handle = container(engine, { workload })
  const { Config, State, ...info } = await handle.inspect()
  if (State.Running) return
  const workspace = Config.Labels[LABEL.workspace] ?? ''
  const ref = { workspace, workload }
  if (Config.Labels[LABEL.disk] === engine.disks.kind)
    await engine.disks.ready(ref, Number(Config.Labels[LABEL.storage]), 1)
  const net = await network(engine, workspace)
  const own = engine.layers ? engine.disks.own(ref) : undefined
  const upper = own && upperOf(info)
  if (own && upper) {
    const isNew = State.StartedAt === undefined || State.StartedAt.startsWith('0001')
    await moveLayer(upper, own).catch((error: unknown) => {
      // What was made before layers lay on disks may be more than its disk takes: it is looked at as before.
      if (isNew) throw error
    })
    await names(engine, own, Config.Hostname, net)
  }
  await handle.start().catch(failed('The program was not started', 304))
}

/** Keeps what the program changed in its image, then gives up the container. */
export async function keep({ container, installation }: Parts, engine: ReadyEngine, workload: string): Promise<void> {
  const { repo, tag, name } = snapshotOf(installation, workload)
  const { docker } = engine
  const handle = container(engine, { workload })
  const upper = upperOf(await handle.inspect())
  // It lies on the disk already, for the next one to go on with.
  if (upper && isMoved(upper)) return void (await handle.remove({ force: true }))
  const before = await docker.getImage(name).inspect().catch(unlessGone)
  await handle.commit({ repo, tag, pause: false })
  await handle.remove({ force: true })
  // What the kept one was made from stays as long as it is part of it; otherwise nobody needs it.
  if (before)
    await docker
      .getImage(before.Id)
      .remove()
      .catch(() => {})
}

/** Gives up a container whose image is to be another one, with what was changed in that. */
export async function discard(
  { container, installation }: Parts,
  engine: ReadyEngine,
  workload: string,
): Promise<void> {
  await container(engine, { workload }).remove({ force: true }).catch(unlessGone)
  await engine.docker.getImage(snapshotOf(installation, workload).name).remove({ force: true }).catch(unlessGone)
}

/** Whoever waits for us to end waits for this. */
export async function stopAll(parts: Parts, engine: ReadyEngine): Promise<void> {
  const running = (await parts.list()).filter(({ state }) => state !== 'stopped' && state !== 'failed')
  await Promise.all(running.map(({ workload }) => stop(parts, engine, workload, LAST_STOP_WITHIN)))
  for (const ref of running) {
    await engine.disks.release(ref)
    await forgetBridge(bridgeName(digestOf(parts.installation, ref.workspace)))
  }
}

export async function stop(
  { container }: Parts,
  engine: ReadyEngine,
  workload: string,
  within = STOP_WITHIN,
): Promise<void> {
  await container(engine, { workload }).stop({ t: within }).catch(unlessGone).catch(failed('It did not stop', 304))
}

export async function remove({ container, installation }: Parts, engine: ReadyEngine, ref: WorkloadRef): Promise<void> {
  await container(engine, ref).remove({ force: true, v: true }).catch(unlessGone)
  await engine.docker.getImage(snapshotOf(installation, ref.workload).name).remove({ force: true }).catch(unlessGone)
  await engine.disks.remove(ref)
}
