import type Docker from 'dockerode'
import { ClusterError, type Probe, type WorkloadRef, type WorkloadState } from '../driver.ts'
import { ANSWER_TIMEOUT_MS, withTimeout } from './connection.ts'
import { LABEL, nameOf, stateOf } from './container.ts'
import { ignoreNotFound } from './failures.ts'
import { preparation } from './prepare.ts'
import { type EngineOptions, findEngine, type ReadyEngine } from './probe.ts'
import { reconnecting } from './reconnecting.ts'

export type Parts = ReturnType<typeof openParts>

/** Shared by all methods of the driver: the connection to the engine, and access to its containers. */
export function openParts(given: EngineOptions) {
  // A copy, because the object also identifies this driver as a user of a Podman service.
  const options = { ...given }
  const { installation } = options
  const connection = reconnecting(
    () => findEngine(options),
    ({ engine }) => engine !== undefined,
    () => performance.now(),
  )

  async function ready(): Promise<ReadyEngine> {
    const { engine, probe } = await connection.get()
    if (!engine) throw new ClusterError('absent', probe.reason)
    return engine
  }

  async function probe(again = false): Promise<Probe> {
    if (!again) return (await connection.get()).probe
    const attempt = connection.attempt()
    const engine = (await connection.current()?.catch(() => undefined))?.engine
    if (!engine) return (await connection.retry()).probe
    await withTimeout(ANSWER_TIMEOUT_MS, engine.docker.ping()).catch(() => connection.reportLost(attempt))
    return (await connection.get()).probe
  }

  const containersOf = async ({ docker }: ReadyEngine, labels: readonly string[]) =>
    docker.listContainers({ all: true, filters: { label: [`${LABEL.installation}=${installation}`, ...labels] } })

  async function list(workspace?: string): Promise<WorkloadState[]> {
    const engine = await ready()
    const listed = await containersOf(engine, workspace ? [`${LABEL.workspace}=${workspace}`] : [])
    const states = await Promise.all(
      listed.map(({ Id }) => engine.docker.getContainer(Id).inspect().then(stateOf).catch(ignoreNotFound)),
    )
    return states.filter((state) => state !== undefined)
  }

  const container = ({ docker }: ReadyEngine, { workload }: Pick<WorkloadRef, 'workload'>) =>
    docker.getContainer(nameOf(installation, workload))

  /** The container of a workload; undefined if it belongs to another workspace. */
  async function inspect(engine: ReadyEngine, ref: WorkloadRef): Promise<Docker.ContainerInspectInfo | undefined> {
    const info = await container(engine, ref).inspect().catch(ignoreNotFound)
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
    ...preparation(options),
    connection,
    ready,
    probe,
    containersOf,
    list,
    container,
    inspect,
    existing,
  }
}
