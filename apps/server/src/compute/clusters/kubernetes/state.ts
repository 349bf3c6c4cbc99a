import type { V1ContainerStatus, V1Pod, V1StatefulSet } from '@kubernetes/client-node'
import type { HealthState } from '@tidenet/contract'
import { isCommandFailure } from '../command-failures.ts'
import type { WorkloadState } from '../driver.ts'
import { pullFailureOf } from '../pull-failures.ts'
import { LABEL } from './manifests.ts'
import { CONTAINER, KERNEL, SPEC_HASH, sizeOf } from './pods.ts'

/** The state of a workload, from its stateful set and pod. */
export function stateOf(set: V1StatefulSet, pod: V1Pod | undefined): WorkloadState {
  const container = pod?.status?.containerStatuses?.find(({ name }) => name === CONTAINER)
  const ended = container?.state?.terminated ?? container?.lastState?.terminated
  const waiting = container?.state?.waiting
  const wanted = (set.spec?.replicas ?? 0) > 0
  const runs = container?.state?.running !== undefined && !pod?.metadata?.deletionTimestamp
  const failed = waiting && /BackOff|Err|Invalid|Unavailable/.test(waiting.reason ?? '')
  const isOfImage = failed && /^(ErrImage|Image|InvalidImageName|RegistryUnavailable)/.test(waiting.reason ?? '')
  // After a failed start the container is terminated, and then waits for the next try.
  const isOfCommand =
    failed && !isOfImage && [waiting.message, ended?.message].some((text) => isCommandFailure(text ?? ''))
  const specHash = set.metadata?.annotations?.[SPEC_HASH]
  const health = healthOf(set, container, runs)
  const reason = failed ? (waiting.message ?? waiting.reason) : unscheduled(pod)
  return {
    workspace: set.metadata?.labels?.[LABEL.workspace] ?? '',
    workload: set.metadata?.name ?? '',
    state: !wanted ? (pod ? 'stopping' : 'stopped') : runs ? 'running' : failed ? 'failed' : 'starting',
    size: sizeOf(set),
    ...(ended && !runs && { exitCode: ended.exitCode }),
    ...(ended?.reason === 'OOMKilled' && !runs && { outOfMemory: true }),
    ...(isOfImage && { failure: pullFailureOf(waiting.message ?? '') }),
    ...(isOfCommand && { failure: 'command' as const }),
    ...(container?.state?.running?.startedAt && { startedAt: new Date(container.state.running.startedAt) }),
    ...(health && { health }),
    restarts: container?.restartCount ?? 0,
    ...(reason && { reason }),
    ...(specHash && { specHash }),
    published: [],
    storage: 'metered',
    kernel: set.metadata?.annotations?.[KERNEL] === 'own' ? 'own' : 'shared',
  }
}

/** Undefined without a check. One that was restarted is unhealthy until it answers. */
function healthOf(
  set: V1StatefulSet,
  container: V1ContainerStatus | undefined,
  runs: boolean,
): HealthState | undefined {
  if (!set.spec?.template.spec?.containers.some(({ readinessProbe }) => readinessProbe)) return undefined
  if (!runs) return 'unknown'
  if (container?.ready) return 'healthy'
  return container?.started || container?.restartCount ? 'unhealthy' : 'unknown'
}

const unscheduled = (pod: V1Pod | undefined): string | undefined =>
  pod?.status?.conditions?.find(({ type, status }) => type === 'PodScheduled' && status === 'False')?.message
