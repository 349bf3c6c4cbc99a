import type { ClusterDriver } from '../driver.ts'
import { asFailure, codeOf } from './api.ts'
import { execute } from './exec.ts'
import { CONTAINER, LABEL } from './manifests.ts'
import type { Parts } from './parts.ts'
import { stateOf } from './state.ts'
import { UNPACK, unpack } from './unpack.ts'
import { usedBy } from './usage.ts'

type Methods = Pick<ClusterDriver, 'exec' | 'logs' | 'usage' | 'copyIn'>

/** What is done within a workload that is there, and seen of it. */
export function insideOf({ api, space, podsIn, demand, running }: Parts): Methods {
  return {
    async exec(ref, asked) {
      return execute(api(), await running(ref), asked)
    },

    async logs(ref, { lines }) {
      await demand(ref)
      const asked = {
        namespace: space(ref.workspace),
        name: `${ref.workload}-0`,
        container: CONTAINER,
        timestamps: true,
        tailLines: lines,
      }
      const read = (previous: boolean) =>
        api()
          .core.readNamespacedPodLog({ ...asked, previous })
          // There was none before, or it does not run yet.
          .catch((error: unknown) =>
            codeOf(error) === 400 || codeOf(error) === 404 ? '' : Promise.reject(asFailure(error)),
          )
      const text = `${await read(true)}${await read(false)}`
      return text
        .split('\n')
        .map((line) => /^(\d{4}-\S+)(?: (.*))?$/.exec(line))
        .filter((match) => match !== null)
        .map(([, at = '', said = '']) => ({ at: new Date(at), text: said }))
        .slice(-lines)
    },

    async usage(ref) {
      const set = await demand(ref)
      const pod = (await podsIn(ref.workspace)).find(
        ({ metadata }) => metadata?.labels?.[LABEL.workload] === ref.workload,
      )
      const none = { cpuSeconds: 0, memory: 0, storage: 0, received: 0, sent: 0 }
      if (!pod?.spec?.nodeName || stateOf(set, pod).state !== 'running') return none
      return usedBy(api(), { node: pod.spec.nodeName, uid: pod.metadata?.uid ?? '' })
    },

    async copyIn(ref, archive) {
      const run = await execute(api(), await running(ref), { command: UNPACK, tty: false })
      await unpack(run, archive)
    },
  }
}
