import { randomBytes } from 'node:crypto'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { networkInterfaces, tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { createLogger } from '@tidenet/daemon'
import type { ClusterDriver } from '../driver.ts'
import { connect, engineCandidates } from './connect.ts'
import { digestOf, LABEL } from './container.ts'
import { createEngineDriver } from './engine.ts'
import { bridgeName } from './firewall.ts'
import { addressRange } from './podman.ts'
import type { EngineOptions } from './probe.ts'
import { run } from './run.ts'

/** For tests: this machine's engine with a temporary data folder. */
export interface SampleEngine {
  options: EngineOptions
  driver: ClusterDriver
  /** Removes all workspaces and stops the engine. @returns leftovers on this machine, which are a defect */
  close(): Promise<string[]>
}

/** Cleanup continues in the background for a moment. */
const GONE_TIMEOUT_MS = 30_000
const POLL_INTERVAL_MS = 200

export function sampleEngine(more: Partial<EngineOptions> = {}): SampleEngine {
  const data = createDataFolder()
  const options: EngineOptions = {
    setting: process.env.TIDENET_TEST_ENGINE ?? '',
    data,
    installation: randomBytes(3).toString('hex'),
    image: 'docker.io/library/debian:12-slim',
    imageTar: '',
    publish: '127.0.0.1',
    runtime: process.env.TIDENET_TEST_RUNTIME ?? '',
    megabits: 200,
    log: createLogger('test', 'silent'),
    ...more,
  }
  const engine = createEngineDriver(options)
  const bridges = new Set<string>()
  const driver: ClusterDriver = {
    ...engine,
    createWorkspace(workspace) {
      bridges.add(bridgeName(digestOf(options.installation, workspace.id)))
      return engine.createWorkspace(workspace)
    },
  }
  return {
    options,
    driver,
    async close() {
      const ready = (await engine.probe(true)).state === 'ready'
      for (const id of ready ? await engine.listWorkspaces() : []) await engine.removeWorkspace(id)
      const inEngine = ready ? await leftInEngine(options) : []
      await engine.close()
      for (const end = Date.now() + GONE_TIMEOUT_MS; ; await wait(POLL_INTERVAL_MS)) {
        // Podman's cleanup of the last container mounts the storage again.
        await run('umount', [join(data, 'podman/storage/overlay')]).catch(() => {})
        const left = [...inEngine, ...leftOnMachine(data, [...bridges]), ...(await leftInFirewall([...bridges]))]
        if (left.length > 0 && Date.now() < end) continue
        rmSync(data, { recursive: true, force: true })
        return left
      }
    },
  }
}

/** Podman's address ranges in use. Engines with the same range could create networks with the same addresses. */
const ranges = new Set<number>()

function createDataFolder(): string {
  for (;;) {
    const data = mkdtempSync(join(tmpdir(), 'tidenet-engine-'))
    const range = addressRange(join(data, 'podman'))
    if (!ranges.has(range)) {
      ranges.add(range)
      return data
    }
    rmSync(data, { recursive: true })
  }
}

/** Containers, networks, volumes and snapshots. */
async function leftInEngine({ setting, data, installation }: EngineOptions): Promise<string[]> {
  const filters = { label: [`${LABEL.installation}=${installation}`] }
  for (const candidate of engineCandidates(setting)) {
    const connection = await connect(candidate, data).catch(() => undefined)
    if (!connection) continue
    const { docker, close } = connection
    const [containers, tests, networks, { Volumes: volumes }, images] = await Promise.all([
      docker.listContainers({ all: true, filters }),
      docker.listContainers({ all: true, filters: { label: ['tidenet.test=yes'] } }),
      docker.listNetworks(),
      docker.listVolumes({ filters }),
      docker.listImages(),
    ])
    await close()
    return [
      ...[...containers, ...tests].map(({ Names }) => `container ${Names.join(' ')}`),
      ...networks.filter(({ Name }) => Name.includes(installation)).map(({ Name }) => `network ${Name}`),
      ...(volumes ?? []).map(({ Name }) => `volume ${Name}`),
      ...images
        .flatMap(({ RepoTags }) => RepoTags ?? [])
        .filter((tag) => tag.includes(installation))
        .map((tag) => `image ${tag}`),
    ]
  }
  return []
}

/** Processes, mounts, loop devices and bridges. */
function leftOnMachine(data: string, bridges: readonly string[]): string[] {
  if (process.platform !== 'linux') return []
  const read = (path: string) => {
    try {
      return readFileSync(path, 'utf8').replaceAll('\0', ' ').trim()
    } catch {
      return ''
    }
  }
  const processes = readdirSync('/proc').filter(
    (name) => /^\d+$/.test(name) && read(`/proc/${name}/cmdline`).includes(data),
  )
  const mounts = read('/proc/self/mounts')
    .split('\n')
    .filter((line) => line.includes(data))
  const loops = readdirSync('/sys/block').filter((name) => read(`/sys/block/${name}/loop/backing_file`).includes(data))
  return [
    ...processes.map((pid) => `process ${read(`/proc/${pid}/cmdline`).slice(0, 100)}`),
    ...mounts.map((line) => `mount ${line}`),
    ...loops.map((name) => `loop device ${name}`),
    ...bridges.filter((name) => name in networkInterfaces()).map((name) => `bridge ${name}`),
  ]
}

async function leftInFirewall(bridges: readonly string[]): Promise<string[]> {
  const lists = [
    ['set', 'same'],
    ['map', 'upload'],
    ['map', 'download'],
  ].map(([kind = '', name = '']) => run('nft', ['list', kind, 'inet', 'tidenet', name]).catch(() => ''))
  const rules = [...(await Promise.all(lists)), await run('nft', ['list', 'limits']).catch(() => '')].join('')
  return bridges.filter((name) => rules.includes(name)).map((name) => `rule of ${name}`)
}
