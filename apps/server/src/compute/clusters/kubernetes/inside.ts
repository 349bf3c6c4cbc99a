import { type ClusterDriver, ClusterError } from '../driver.ts'
import { asFailure, codeOf } from './api.ts'
import { execute } from './exec.ts'
import { CONTAINER, LABEL } from './manifests.ts'
import type { Parts } from './parts.ts'
import { stateOf } from './state.ts'
import { UNPACK, unpack } from './unpack.ts'
import { usedBy } from './usage.ts'

type Methods = Pick<ClusterDriver, 'addressOf' | 'exec' | 'logs' | 'usage' | 'copyIn'>

/** Operations inside of an existing workload. */
export function insideMethods({ api, namespace, podsIn, requireSet, requireRunningPod }: Parts): Methods {
  return {
    // Pods have no route from outside; the server sells no addresses on Kubernetes.
    async addressOf() {
      throw new ClusterError('unknown', 'Ports are reachable within the workspace only.')
    },

    async exec(ref, options) {
      return execute(api(), await requireRunningPod(ref), options)
    },

    async logs(ref, { lines }) {
      await requireSet(ref)
      const request = {
        namespace: namespace(ref.workspace),
        name: `${ref.workload}-0`,
        container: CONTAINER,
        timestamps: true,
        tailLines: lines,
      }
      const read = (previous: boolean) =>
        api()
          .core.readNamespacedPodLog({ ...request, previous })
          // No previous run, or it is not running yet.
          .catch((error: unknown) =>
            codeOf(error) === 400 || codeOf(error) === 404 ? '' : Promise.reject(asFailure(error)),
          )
      const text = `${await read(true)}${await read(false)}`
      return text
        .split('\n')
        .map((line) => /^(\d{4}-\S+)(?: (.*))?$/.exec(line))
        .filter((match) => match !== null)
        .map(([, at = '', line = '']) => ({ at: new Date(at), text: line }))
        .slice(-lines)
    },

    async usage(ref) {
      const set = await requireSet(ref)
      const pod = (await podsIn(ref.workspace)).find(
        ({ metadata }) => metadata?.labels?.[LABEL.workload] === ref.workload,
      )
      const none = { cpuSeconds: 0, memory: 0, storage: 0, received: 0, sent: 0 }
      if (!pod?.spec?.nodeName || stateOf(set, pod).state !== 'running') return none
      return usedBy(api(), { node: pod.spec.nodeName, uid: pod.metadata?.uid ?? '' })
    },

    async copyIn(ref, archive) {
      const run = await execute(api(), await requireRunningPod(ref), { command: UNPACK, tty: false })
      await unpack(run, archive)
    },
  }
}
