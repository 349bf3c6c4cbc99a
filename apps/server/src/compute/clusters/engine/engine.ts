import { statfs } from 'node:fs/promises'
import type { Readable } from 'node:stream'
import type Docker from 'dockerode'
import {
  askedOf,
  type ClusterDriver,
  ClusterError,
  type Probe,
  type Size,
  type WorkloadRef,
  type WorkloadState,
} from '../driver.ts'
import { fitsBeside } from '../sizes.ts'
import { containerOf, digestOf, LABEL, nameOf, networkOf, snapshotOf, stateOf } from './container.ts'
import { execute } from './exec.ts'
import { failingAsClusters, isAway, sent, unlessGone } from './failures.ts'
import { bridgeName, forgetBridge, sweepBridges } from './firewall.ts'
import { ANSWER_WITHIN, within } from './greet.ts'
import { pulled } from './images.ts'
import { keptFound } from './kept.ts'
import { isMoved, moveLayer, upperOf } from './layers.ts'
import { lastLines, measured } from './measured.ts'
import { placesOf } from './places.ts'
import { type EngineOptions, findEngine, type ReadyEngine } from './probe.ts'

/** Memory that the machine keeps for itself. */
const KEPT_MEMORY = 1024 ** 3
const STOP_WITHIN = 10
const LAST_STOP_WITHIN = 2

/** Runs workloads on an engine that speaks Docker's API. What it is asked is written to the engine alone, as labels. */
export function createEngineDriver(asked: EngineOptions): ClusterDriver {
  // One of its own, by which it is known to what is started for it.
  const options = { ...asked }
  const { installation } = options
  const { network, closeOff, place, names } = placesOf(options)
  const kept = keptFound(
    () => findEngine(options),
    ({ engine }) => engine !== undefined,
    () => performance.now(),
  )

  async function ready(): Promise<ReadyEngine> {
    const { engine, probe } = await kept.get()
    if (!engine) throw new ClusterError('absent', probe.reason)
    return engine
  }

  async function probe(again = false): Promise<Probe> {
    if (!again) return (await kept.get()).probe
    const turn = kept.turn()
    const engine = (await kept.known()?.catch(() => undefined))?.engine
    if (!engine) return (await kept.again()).probe
    await within(ANSWER_WITHIN, engine.docker.ping()).catch(() => kept.lost(turn))
    return (await kept.get()).probe
  }

  const containersOf = async ({ docker }: ReadyEngine, labels: readonly string[]) =>
    docker.listContainers({ all: true, filters: { label: [`${LABEL.installation}=${installation}`, ...labels] } })

  async function list(workspace?: string): Promise<WorkloadState[]> {
    const engine = await ready()
    const listed = await containersOf(engine, workspace ? [`${LABEL.workspace}=${workspace}`] : [])
    const states = await Promise.all(
      listed.map(({ Id }) => engine.docker.getContainer(Id).inspect().then(stateOf).catch(unlessGone)),
    )
    return states.filter((state) => state !== undefined)
  }

  const container = ({ docker }: ReadyEngine, { workload }: Pick<WorkloadRef, 'workload'>) =>
    docker.getContainer(nameOf(installation, workload))

  /** The container of a workload, if it is of this workspace. */
  async function inspect(engine: ReadyEngine, ref: WorkloadRef): Promise<Docker.ContainerInspectInfo | undefined> {
    const info = await container(engine, ref).inspect().catch(unlessGone)
    return info?.Config.Labels[LABEL.workspace] === ref.workspace ? info : undefined
  }

  async function existing(ref: WorkloadRef): Promise<{ engine: ReadyEngine; info: Docker.ContainerInspectInfo }> {
    const engine = await ready()
    const info = await inspect(engine, ref)
    if (!info) throw new ClusterError('unknown', 'There is no such workload.')
    return { engine, info }
  }

  /** Mounts what a machine's restart has unmounted, then starts. */
  async function start(engine: ReadyEngine, workload: string): Promise<void> {
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
  async function keep(engine: ReadyEngine, workload: string): Promise<void> {
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
  async function discard(engine: ReadyEngine, workload: string): Promise<void> {
    await container(engine, { workload }).remove({ force: true }).catch(unlessGone)
    await engine.docker.getImage(snapshotOf(installation, workload).name).remove({ force: true }).catch(unlessGone)
  }

  /** Whoever waits for us to end waits for this. */
  async function stopAll(engine: ReadyEngine): Promise<void> {
    const running = (await list()).filter(({ state }) => state !== 'stopped' && state !== 'failed')
    await Promise.all(running.map(({ workload }) => stop(engine, workload, LAST_STOP_WITHIN)))
    for (const ref of running) {
      await engine.disks.release(ref)
      await forgetBridge(bridgeName(digestOf(installation, ref.workspace)))
    }
  }

  async function stop(engine: ReadyEngine, workload: string, within = STOP_WITHIN): Promise<void> {
    await container(engine, { workload }).stop({ t: within }).catch(unlessGone).catch(failed('It did not stop', 304))
  }

  async function remove(engine: ReadyEngine, ref: WorkloadRef): Promise<void> {
    await container(engine, ref).remove({ force: true, v: true }).catch(unlessGone)
    await engine.docker.getImage(snapshotOf(installation, ref.workload).name).remove({ force: true }).catch(unlessGone)
    await engine.disks.remove(ref)
  }

  /** Of what is suspended nothing is left but its snapshots and disks. */
  async function snapshots({ docker }: ReadyEngine): Promise<WorkloadRef[]> {
    const { repo } = snapshotOf(installation, '')
    const images = await docker.listImages()
    return images
      .filter(({ RepoTags }) => RepoTags?.some((tag) => tag.startsWith(`${repo}:`)))
      .map(({ Labels }) => ({ workspace: Labels?.[LABEL.workspace] ?? '', workload: Labels?.[LABEL.workload] ?? '' }))
  }

  /** What our disks take of this machine already: it is part of what can be promised. */
  async function usedByAll({ disks }: ReadyEngine): Promise<number> {
    const uses = (await list()).map((ref) => disks.used(ref))
    return (await Promise.all(uses)).reduce((sum, bytes) => sum + bytes, 0)
  }

  const containersSized = ({ docker }: ReadyEngine, { workload }: WorkloadRef) =>
    docker.listContainers({
      all: true,
      size: true,
      filters: { label: [`${LABEL.installation}=${installation}`, `${LABEL.workload}=${workload}`] },
    } as Docker.ContainerListOptions) as Promise<(Docker.ContainerInfo & { SizeRw?: number })[]>

  const driver: ClusterDriver = {
    kind: 'engine',
    probe,
    list,

    async capacity(): Promise<Size> {
      const engine = await ready()
      const { docker } = engine
      const { NCPU, MemTotal } = (await docker.info()) as { NCPU: number; MemTotal: number }
      const { bavail, bsize } = await statfs(options.data)
      return {
        cpu: NCPU,
        memory: Math.max(0, MemTotal - KEPT_MEMORY),
        storage: bavail * bsize + (await usedByAll(engine)),
      }
    },

    async createWorkspace({ id }) {
      await network(await ready(), id)
    },

    async suspendWorkspace(id) {
      const engine = await ready()
      for (const { workload } of await list(id)) {
        await stop(engine, workload)
        await keep(engine, workload)
        await engine.disks.release({ workspace: id, workload })
      }
      await forgetBridge(bridgeName(digestOf(installation, id)))
    },

    async removeWorkspace(id) {
      const engine = await ready()
      const kept = (await snapshots(engine)).filter(({ workspace }) => workspace === id)
      for (const { workload } of [...(await list(id)), ...kept]) await remove(engine, { workspace: id, workload })
      await engine.disks.removeAll(id)
      await engine.docker.getNetwork(networkOf(installation, id)).remove().catch(unlessGone)
      await forgetBridge(bridgeName(digestOf(installation, id)))
    },

    async listWorkspaces() {
      const engine = await ready()
      const filters = { label: [`${LABEL.installation}=${installation}`] }
      const [containers, networks, kept] = await Promise.all([
        containersOf(engine, []),
        engine.docker.listNetworks({ filters }),
        snapshots(engine),
      ])
      const ids = [...containers, ...networks].map(({ Labels }) => Labels?.[LABEL.workspace] ?? '')
      return [...new Set([...ids, ...kept.map(({ workspace }) => workspace), ...engine.disks.workspaces()])].filter(
        (id) => id !== '' && !id.startsWith('test-'),
      )
    },

    async deploy(workspace, spec) {
      const engine = await ready()
      const ref = { workspace: workspace.id, workload: spec.id }
      if (!(await inspect(engine, ref))) {
        if (!fitsBeside(workspace.size, await list(workspace.id), spec))
          throw new ClusterError('full', 'The workspace has no room for it.')
        const asked = containerOf(spec, await place(engine, workspace, spec))
        await engine.docker.createContainer(asked).catch(failed('The workload was not made', 409))
      }
      await start(engine, spec.id)
    },

    async resize(workspace, spec) {
      const ref = { workspace: workspace.id, workload: spec.id }
      const engine = await ready()
      const info = await inspect(engine, ref)
      if (info) {
        const others = (await list(workspace.id)).filter(({ workload }) => workload !== spec.id)
        if (!fitsBeside(workspace.size, others, spec))
          throw new ClusterError('full', 'The workspace has no room for it.')
        const { size, asked } = stateOf(info)
        if (spec.size.storage < size.storage) throw new ClusterError('full', 'A disk does not shrink.')
        const isSame = asked === askedOf(spec)
        if (isSame && spec.size.storage === size.storage && (await updated(container(engine, ref), spec.size))) return
        // One that was made before its image was written down has one of its own, unless it is the cluster's.
        const before = info.Config.Labels[LABEL.image] ?? (spec.image === undefined ? '' : undefined)
        const isOther = before !== (spec.image ?? '')
        // What cannot be had does not take the place of what runs.
        if (isOther && spec.image !== undefined) await pulled(engine.docker, spec.image)
        await stop(engine, spec.id)
        if (!isOther) await keep(engine, spec.id)
        else await discard(engine, spec.id)
      }
      await this.deploy(workspace, spec)
    },

    async stop(ref) {
      const { engine } = await existing(ref)
      await stop(engine, ref.workload)
    },

    async remove(ref) {
      const engine = await ready()
      const info = await container(engine, ref).inspect().catch(unlessGone)
      if (info && info.Config.Labels[LABEL.workspace] !== ref.workspace) return
      await remove(engine, ref)
    },

    async exec(ref, asked) {
      const { engine, info } = await existing(ref)
      if (!info.State.Running) throw new ClusterError('stopped', 'It does not run.')
      return execute(container(engine, ref), asked)
    },

    async logs(ref, { lines }) {
      const { engine } = await existing(ref)
      return lastLines(container(engine, ref), lines)
    },

    async usage(ref) {
      const { engine, info } = await existing(ref)
      const handle = container(engine, ref)
      const [sized] = await containersSized(engine, ref)
      const changed = sized?.SizeRw ?? 0
      const storage = (isOnDisk(info) ? 0 : changed) + (await engine.disks.used(ref))
      if (!info.State.Running) return { cpuSeconds: 0, memory: 0, storage, received: 0, sent: 0 }
      // Whoever loads the machine's own rules anew throws out ours; this is asked for every now and then.
      if (engine.networks) await closeOff(ref.workspace)
      return { ...(await measured(handle)), storage }
    },

    async copyIn(ref, archive: Readable) {
      const { engine } = await existing(ref)
      const put = container(engine, ref).putArchive(archive, { path: '/' })
      await sent(archive, put).catch(failed('The files were not taken'))
    },

    async close() {
      const turn = kept.turn()
      const engine = (await kept.known()?.catch(() => undefined))?.engine
      if (engine && options.stopsAtEnd) await stopAll(engine).catch(() => {})
      if (engine?.networks) await sweepBridges()
      kept.lost(turn)
      await engine?.close()
    },
  }

  // One that has ended is looked for again, and started again when it was ours.
  return failingAsClusters(driver, kept)
}

/** Whether what it changed in its image is part of what its disk holds. */
function isOnDisk(info: Docker.ContainerInspectInfo): boolean {
  const upper = upperOf(info)
  return upper !== undefined && isMoved(upper)
}

/** Whether the limits were changed while it runs; not every engine can. */
async function updated(handle: Docker.Container, { cpu, memory }: Size): Promise<boolean> {
  try {
    await handle.update({ NanoCpus: Math.round(cpu * 1e9), Memory: memory, MemorySwap: memory })
    const { HostConfig } = await handle.inspect()
    return HostConfig.NanoCpus === Math.round(cpu * 1e9) && HostConfig.Memory === memory
  } catch {
    return false
  }
}

const failed =
  (what: string, ...fine: readonly number[]) =>
  (error: { statusCode?: number; message: string }): void => {
    if (error.statusCode !== undefined && fine.includes(error.statusCode)) return
    if (isAway(error)) throw error
    throw new ClusterError('failed', `${what}: ${error.message}`, { cause: error })
  }
