import type Docker from 'dockerode'
import { ClusterError, type Probe, type WorkloadRef, type WorkloadState } from '../driver.ts'
import { LABEL, nameOf, stateOf } from './container.ts'
import { unlessGone } from './failures.ts'
import { ANSWER_WITHIN, within } from './greet.ts'
import { keptFound } from './kept.ts'
import { placesOf } from './places.ts'
import { type EngineOptions, findEngine, type ReadyEngine } from './probe.ts'

export type Parts = ReturnType<typeof openParts>

/** What all methods of the driver go by: the engine that was found, and how its containers are named and looked up. */
export function openParts(asked: EngineOptions) {
  // One of its own, by which it is known to what is started for it.
  const options = { ...asked }
  const { installation } = options
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

  return {
    options,
    installation,
    ...placesOf(options),
    kept,
    ready,
    probe,
    containersOf,
    list,
    container,
    inspect,
    existing,
  }
}
