import { randomBytes } from 'node:crypto'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Logger } from '@tidenet/daemon'
import type { Probe } from '../driver.ts'
import { connect, placesOfEngines } from './connect.ts'
import { digestOf, networkOf } from './container.ts'
import type { Disks } from './disks.ts'
import { enforcedDisks } from './enforced-disks.ts'
import { allowWithin, bridgeName, forgetBridge, raiseFirewall } from './firewall.ts'
import type { Connection } from './greet.ts'
import { type OwnImage, ownImage } from './images.ts'
import { meteredDisks } from './metered-disks.ts'
import { commandFor, thisMachine } from './runtimes.ts'
import { type Bench, diskRefuses, judge, layerRefuses, look, machineIsClosed } from './self-test.ts'
import { sweepTests, testName } from './traces.ts'

export interface EngineOptions {
  /** Where the engine is; empty: it is looked for. */
  setting: string
  /** A folder of this machine for disks, and for what we start ourselves. */
  data: string
  /** Tells our containers from those of others on the same engine. */
  installation: string
  image: string
  /** An archive of a root file system, instead of the image; empty: none. */
  imageTar: string
  /** The address of this machine at which ports of workloads are published; empty: they are not. */
  publish: string
  /** Whether what runs stops with us, as on the machine of somebody who develops; otherwise it goes on without us. */
  stopsAtEnd?: boolean
  log: Logger
}

/** An engine whose limits were tried and hold. */
export interface ReadyEngine extends Connection {
  own: OwnImage
  disks: Disks
  /** Whether what programs change in their image lies on their disk as well. */
  layers: boolean
  /** Whether workspaces can have a network that is closed off from this machine. */
  networks: boolean
}

const DISK_TEST = 8 * 1024 * 1024

/** Tries what is there, in order; the first engine whose limits hold is taken. */
export async function findEngine(options: EngineOptions): Promise<{ probe: Probe; engine?: ReadyEngine }> {
  const tried: { what: string; result: string }[] = []
  let best: Pick<Probe, 'state' | 'reason' | 'facts'> = {
    state: 'absent',
    reason: 'no container engine was found',
    facts: {},
  }
  mkdirSync(options.data, { recursive: true, mode: 0o700 })
  for (const place of placesOfEngines(options.setting)) {
    let connection: Connection | undefined
    try {
      connection = await connect(place, options.data, options)
      const { engine, ...found } = await tryOut(connection, options)
      tried.push({ what: place.what, result: found.reason || found.state })
      if (engine) return { probe: { ...found, tried }, engine }
      if (best.state === 'absent') best = found
    } catch (error) {
      tried.push({ what: place.what, result: (error as Error).message })
    }
    await connection?.close()
  }
  const command =
    best.state === 'absent' && ['', 'podman'].includes(options.setting) ? commandFor(thisMachine()) : undefined
  const reason = command ? `${best.reason}; install one with: ${command}` : best.reason
  return { probe: { ...best, reason, tried, ...(command && { command }) } }
}

async function tryOut(
  connection: Connection,
  options: EngineOptions,
): Promise<Pick<Probe, 'state' | 'reason' | 'facts'> & { engine?: ReadyEngine }> {
  const { docker, name } = connection
  await sweepTests(docker, options)
  const own = await ownImage(docker, { ...options, mark: markIn(options.data) })
  const bench: Bench = { docker, image: own.id, by: { installation: options.installation, name: testName() } }
  const found = await look(bench)
  const { state, reason } = judge(found)
  const facts = {
    engine: name,
    image: own.name,
    accounts: sharesAccounts(found.users) ? 'shared with the machine' : 'mapped',
    namespaces: found.namespaces,
  }
  if (state !== 'ready') return { state, reason, facts }
  const { disks, layers } = await enforcing(bench, options)
  const networks = await closed(bench, options)
  return {
    state,
    reason,
    facts: {
      ...facts,
      storage: disks.kind,
      layers: layers ? 'enforced' : 'metered',
      network: networks ? 'a network of its own for each workspace' : 'none',
    },
    engine: { ...connection, own, disks, layers, networks },
  }
}

/** Made up once for a data folder. */
function markIn(data: string): string {
  const file = join(data, 'images.mark')
  try {
    writeFileSync(file, randomBytes(16).toString('hex'), { flag: 'wx', mode: 0o600 })
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  }
  return readFileSync(file, 'utf8')
}

const sharesAccounts = (map: string): boolean => /^0\s+0\s+4294967295$/.test(map)

/** Disks that refuse, where a small one was seen to do so; otherwise such as are looked at. */
async function enforcing(
  bench: Bench,
  { data, installation, log }: EngineOptions,
): Promise<{ disks: Disks; layers: boolean }> {
  const metered = { disks: meteredDisks(bench.docker, installation), layers: false }
  if (process.platform !== 'linux' || process.getuid?.() !== 0) return metered
  const disks = enforcedDisks(join(data, 'disks'))
  const test = { workspace: bench.by.name, workload: 'test' }
  try {
    const [part] = await disks.ready(test, DISK_TEST, 1)
    if (part && (await diskRefuses(bench, part.source))) {
      const layers = await layerRefuses(bench, disks.own(test) as string)
      if (!layers)
        log.info('what programs change in their images is not kept within bounds: it is looked at now and then')
      return { disks, layers }
    }
    log.info('the engine does not keep disks within bounds: their use is looked at now and then')
  } catch (error) {
    log.info({ err: error }, 'disks that refuse cannot be made: their use is looked at now and then')
  } finally {
    await disks.removeAll(test.workspace).catch(() => {})
  }
  return metered
}

/** Whether a network of ours was seen to be closed off from this machine. */
async function closed(bench: Bench, { installation, log }: EngineOptions): Promise<boolean> {
  const { docker } = bench
  if (process.platform !== 'linux' || process.getuid?.() !== 0) return false
  const test = bench.by.name
  const name = networkOf(installation, test)
  const bridge = bridgeName(digestOf(installation, test))
  try {
    await raiseFirewall()
    await docker.createNetwork(networkSpec(name, bridge, {}))
    await allowWithin(bridge)
    return await machineIsClosed(bench, name)
  } catch (error) {
    log.info({ err: error }, 'workspaces get no network: this machine could not be closed off from them')
    return false
  } finally {
    await docker
      .getNetwork(name)
      .remove()
      .catch(() => {})
    await forgetBridge(bridge)
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
