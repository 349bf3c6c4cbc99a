import { randomBytes } from 'node:crypto'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Logger } from '@tidenet/daemon'
import { CLOSED_PORTS } from '../closed-ports.ts'
import type { Probe, TrafficLimits } from '../driver.ts'
import { connect, engineCandidates } from './connect.ts'
import type { Connection } from './connection.ts'
import { digestOf, networkOf } from './container.ts'
import type { Disks } from './disks.ts'
import { enforcedDisks } from './enforced-disks.ts'
import { allowBridges, applyFirewall, bridgeName, CONNECTIONS, removeBridge } from './firewall.ts'
import { type DefaultImage, findDefaultImage } from './images.ts'
import { removeStaleTests, testName } from './leftovers.ts'
import { meteredDisks } from './metered-disks.ts'
import { commandFor, thisMachine } from './runtimes.ts'
import { assess, enforcesDisk, enforcesLayer, isMachineIsolated, type TestTarget, testLimits } from './self-test.ts'

export interface EngineOptions {
  /** Where the engine is; empty: search for one. */
  setting: string
  /** A folder of this machine for disks and for our own Podman service. */
  data: string
  /** Distinguishes our containers from those of others on the same engine. */
  installation: string
  image: string
  /** An archive of a root file system, instead of the image; empty: none. */
  imageTar: string
  /** The address of this machine at which ports of workloads are published; empty: they are not. */
  publish: string
  /** The OCI runtime that our Podman uses; empty: the first of those that are installed which passes the tests. */
  runtime: string
  /** Mbit/s of a workspace in each direction; 0: not limited. */
  megabits: number
  /** Whether workloads stop with the server, as on developers' machines; otherwise they keep running. */
  stopsAtEnd?: boolean
  log: Logger
}

/** An engine that passed the self-test. */
export interface ReadyEngine extends Connection {
  defaultImage: DefaultImage
  disks: Disks
  /** Whether the writable layers of containers are on the workloads' disks too. */
  layers: boolean
  /** Whether workspaces get a network, isolated from this machine. */
  networks: boolean
  /** Whether containers have a kernel of their own, instead of this machine's. */
  ownKernel: boolean
  /** The limits of the traffic of each workspace. */
  traffic: TrafficLimits
}

const NO_LIMITS: TrafficLimits = { megabits: 0, connections: 0, closedPorts: [] }

const DISK_TEST_BYTES = 8 * 1024 * 1024

/** Tests the candidates in order and uses the first engine that passes. */
export async function findEngine(options: EngineOptions): Promise<{ probe: Probe; engine?: ReadyEngine }> {
  const tried: { what: string; result: string }[] = []
  let best: Pick<Probe, 'state' | 'reason' | 'facts' | 'traffic'> = {
    state: 'absent',
    reason: 'no container engine was found',
    facts: {},
  }
  mkdirSync(options.data, { recursive: true, mode: 0o700 })
  for (const candidate of engineCandidates(options.setting, options.runtime)) {
    let connection: Connection | undefined
    try {
      connection = await connect(candidate, options.data, options)
      const { engine, ...found } = await testEngine(connection, options)
      tried.push({ what: candidate.what, result: found.reason || found.state })
      if (engine) return { probe: { ...found, tried }, engine }
      if (best.state === 'absent') best = found
    } catch (error) {
      tried.push({ what: candidate.what, result: (error as Error).message })
    }
    await connection?.close()
  }
  const command =
    best.state === 'absent' && ['', 'podman'].includes(options.setting) ? commandFor(thisMachine()) : undefined
  const reason = command ? `${best.reason}; install one with: ${command}` : best.reason
  return { probe: { ...best, reason, tried, ...(command && { command }) } }
}

async function testEngine(
  connection: Connection,
  options: EngineOptions,
): Promise<Pick<Probe, 'state' | 'reason' | 'facts' | 'traffic'> & { engine?: ReadyEngine }> {
  const { docker, name } = connection
  await removeStaleTests(docker, options)
  const defaultImage = await findDefaultImage(docker, { ...options, mark: readImageMark(options.data) })
  const target: TestTarget = {
    docker,
    image: defaultImage.id,
    by: { installation: options.installation, name: testName() },
  }
  const found = await testLimits(target)
  const { state, reason } = assess(found)
  const facts = {
    engine: name,
    image: defaultImage.name,
    accounts: sharesAccounts(found.users) ? 'shared with the machine' : 'mapped',
    namespaces: found.namespaces,
    kernel: found.kernel === 'own' ? 'own' : 'shared',
  }
  if (state !== 'ready') return { state, reason, facts }
  const [{ disks, layers }, traffic] = await Promise.all([testDisks(target, options), testNetwork(target, options)])
  const networks = traffic !== undefined
  return {
    state,
    reason,
    facts: {
      ...facts,
      storage: disks.kind,
      layers: layers ? 'enforced' : 'metered',
      network: networks ? 'a network of its own for each workspace' : 'none',
      ...(traffic && { bandwidth: traffic.megabits === 0 ? 'not limited' : `${traffic.megabits} Mbit/s` }),
      ...(traffic && { connections: traffic.connections === 0 ? 'not limited' : String(traffic.connections) }),
    },
    ...(traffic && { traffic }),
    engine: {
      ...connection,
      ...{ defaultImage, disks, layers, networks },
      traffic: traffic ?? NO_LIMITS,
      ownKernel: found.kernel === 'own',
    },
  }
}

/** A random secret, created once per data folder. */
function readImageMark(data: string): string {
  const file = join(data, 'images.mark')
  try {
    writeFileSync(file, randomBytes(16).toString('hex'), { flag: 'wx', mode: 0o600 })
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  }
  return readFileSync(file, 'utf8')
}

const sharesAccounts = (map: string): boolean => /^0\s+0\s+4294967295$/.test(map)

/** Enforced disks if a small test disk works; metered disks otherwise. */
async function testDisks(
  target: TestTarget,
  { data, installation, log }: EngineOptions,
): Promise<{ disks: Disks; layers: boolean }> {
  const metered = { disks: meteredDisks(target.docker, installation), layers: false }
  if (process.platform !== 'linux' || process.getuid?.() !== 0) return metered
  const disks = enforcedDisks(join(data, 'disks'))
  const test = { workspace: target.by.name, workload: 'test' }
  try {
    const [part] = await disks.prepare(test, DISK_TEST_BYTES, 1)
    if (part && (await enforcesDisk(target, part.source))) {
      const layers = await enforcesLayer(target, disks.hostFolder(test) as string)
      if (!layers) log.info('container layers have no enforced size, their usage is metered')
      return { disks, layers }
    }
    log.info('the engine does not enforce disk sizes, disk usage is metered')
  } catch (error) {
    log.info({ err: error }, 'disks with a fixed size cannot be created, disk usage is metered')
  } finally {
    await disks.removeAll(test.workspace).catch(() => {})
  }
  return metered
}

/** The limits of traffic in a test network; undefined if it cannot be isolated from this machine. */
async function testNetwork(
  target: TestTarget,
  { installation, megabits, log }: EngineOptions,
): Promise<TrafficLimits | undefined> {
  const { docker } = target
  if (process.platform !== 'linux' || process.getuid?.() !== 0) return undefined
  const test = target.by.name
  const name = networkOf(installation, test)
  const bridge = bridgeName(digestOf(installation, test))
  try {
    const traffic = await testFirewall(bridge, megabits, log)
    await docker.createNetwork(networkSpec(name, bridge, {}))
    return (await isMachineIsolated(target, name)) ? traffic : undefined
  } catch (error) {
    log.info({ err: error }, 'workspaces get no network: it cannot be isolated from this machine')
    return undefined
  } finally {
    await docker
      .getNetwork(name)
      .remove()
      .catch(() => {})
    await removeBridge(bridge)
  }
}

/** Creates the firewall's rules, without limits if this kernel does not have them. @returns the limits that it has */
async function testFirewall(bridge: string, megabits: number, log: Logger): Promise<TrafficLimits> {
  const limits = { megabits, connections: CONNECTIONS, closedPorts: CLOSED_PORTS }
  try {
    await applyFirewall(true)
    await allowBridges([bridge], limits)
    return limits
  } catch (error) {
    log.warn({ err: error }, 'this kernel cannot limit bandwidth and connections of workspaces')
    await applyFirewall(false)
    await allowBridges([bridge])
    return { ...NO_LIMITS, closedPorts: CLOSED_PORTS }
  }
}

export const networkSpec = (name: string, bridge: string, labels: Record<string, string>) => ({
  Name: name,
  Driver: 'bridge',
  CheckDuplicate: true,
  EnableIPv6: false,
  Options: { 'com.docker.network.bridge.name': bridge },
  Labels: labels,
})
