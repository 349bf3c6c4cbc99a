import { type ClusterDriver, ClusterError, type Measured, type Usage, withoutUnfinished, writtenAt } from '../driver.ts'
import { UNPACK, unpack } from '../unpack.ts'
import { execute } from './exec.ts'
import type { Parts } from './parts.ts'
import { readPodLog } from './pod-log.ts'
import { CONTAINER } from './pods.ts'
import { forwardedPort } from './port-forward.ts'
import { usageOn } from './usage.ts'

type Methods = Pick<ClusterDriver, 'addressOf' | 'exec' | 'logs' | 'usage' | 'measure' | 'copyIn'>

/** Nodes keep at most 10 MB of a log by default. */
const LOG_BYTES = 16 * 1024 ** 2

const NOTHING: Usage = { cpuSeconds: 0, memory: 0, storage: 0, received: 0, sent: 0 }

/** Operations inside of an existing workload. */
export function insideMethods(parts: Parts): Methods {
  const { options, api, namespace, requireSet, requireRunningPod, listWithPods } = parts

  /** A request for each node, whatever the number of workspaces. */
  async function measure(workspaces: readonly string[]): Promise<Measured[]> {
    const [only] = workspaces.length === 1 ? workspaces : []
    const found = (await listWithPods(only)).filter(({ state }) => workspaces.includes(state.workspace))
    const running = found.filter(({ state, pod }) => state.state === 'running' && pod?.spec?.nodeName)
    const nodes = new Set(running.map(({ pod }) => pod?.spec?.nodeName ?? ''))
    const used = new Map<string, Usage>()
    for (const node of nodes) for (const [uid, usage] of await usageOn(api(), node)) used.set(uid, usage)
    return found.map(({ state: { workspace, workload, state, exitCode, storage: limit }, pod }) => ({
      ...{ workspace, workload, state, limit },
      ...(exitCode !== undefined && { exitCode }),
      ...((state === 'running' && used.get(pod?.metadata?.uid ?? '')) || NOTHING),
    }))
  }

  return {
    // Within the cluster there is a route to pods, and the network policy lets the namespace of the setting in.
    async addressOf(ref, port) {
      const { ip, ...pod } = await requireRunningPod(ref)
      if (options.ingressNamespace === '')
        return forwardedPort(api().config, pod, port, (err) =>
          options.log.debug({ err, ...ref, port }, 'not forwarded'),
        )
      if (!ip) throw new ClusterError('stopped', 'The workload is not running.')
      return { host: ip, port }
    },

    async exec(ref, options) {
      return execute(api(), await requireRunningPod(ref), options)
    },

    async logs(ref, { lines, since, settled = false }) {
      await requireSet(ref)
      const request = {
        namespace: namespace(ref.workspace),
        name: `${ref.workload}-0`,
        container: CONTAINER,
        timestamps: true,
        ...(lines !== undefined && { tailLines: lines }),
        ...(since && { sinceSeconds: Math.max(1, Math.ceil((Date.now() - since.getTime()) / 1000) + 1) }),
        limitBytes: LOG_BYTES,
      }
      const read = (previous: boolean) => readPodLog(api().core, { ...request, previous })
      const text = `${await read(true)}${await read(false)}`
      const found = text
        .split('\n')
        .map((line) => /^(\d{4}-\S+)(?: (.*))?$/.exec(line))
        .filter((match) => match !== null)
        .map(([, at = '', line = '']) => ({ at: new Date(at), written: writtenAt(at) ?? '', text: line }))
        // The API server counts from now, in whole seconds, and returns at least the last one.
        .filter(({ at }) => since === undefined || at.getTime() >= Math.floor(since.getTime() / 1000) * 1000)
        .slice(lines === undefined ? 0 : -lines)
      return settled ? withoutUnfinished(found, Date.now()) : found
    },

    async usage(ref) {
      await requireSet(ref)
      const found = (await measure([ref.workspace])).find(({ workload }) => workload === ref.workload)
      return found ?? NOTHING
    },

    measure,

    async copyIn(ref, archive) {
      const run = await execute(api(), await requireRunningPod(ref), { command: UNPACK, tty: false })
      await unpack(run, archive)
    },
  }
}
