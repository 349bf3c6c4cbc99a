import type { V1ContainerStatus } from '@kubernetes/client-node'
import { describe, expect, it } from 'vitest'
import type { WorkloadSpec } from '../driver.ts'
import { CONTAINER, statefulSet } from './pods.ts'
import { PLAIN } from './settings.ts'
import { stateOf } from './state.ts'

const size = { cpu: 0.5, memory: 64 * 1024 ** 2, storage: 1024 ** 3 }
const spec: WorkloadSpec = { id: 'w-1', name: 'web', image: 'docker.io/a/b:1', command: [], env: {}, ports: [80], size }
const health = { kind: 'tcp', port: 80, path: '/', interval: 10, threshold: 2 } as const
const options = { ...PLAIN, installation: 'a', image: 'debian', storageClass: '', overcommit: 4 }
const stateIn = (status: Partial<V1ContainerStatus>, more: Partial<WorkloadSpec> = {}) =>
  stateOf(statefulSet(options, 'ws', { ...spec, ...more }, 'shared'), {
    status: {
      containerStatuses: [{ name: CONTAINER, image: '', imageID: '', ready: false, restartCount: 0, ...status }],
    },
  })
const running = { state: { running: { startedAt: new Date() } } }

describe('the health of a program on Kubernetes', () => {
  it.each([
    ['starts', { ...running, started: false }, 'unknown'],
    ['answers', { ...running, started: true, ready: true }, 'healthy'],
    ['no longer answers', { ...running, started: true }, 'unhealthy'],
    ['was restarted and does not answer yet', { ...running, started: false, restartCount: 1 }, 'unhealthy'],
    ['waits for its image', { state: { waiting: { reason: 'ContainerCreating' } } }, 'unknown'],
  ] as const)('of one that %s', (_, status, expected) => expect(stateIn(status, { health }).health).toBe(expected))

  it('is unknown to the cluster without a check', () =>
    expect(stateIn({ ...running, started: true, ready: true })).not.toHaveProperty('health'))
})

describe('a program that cannot be started', () => {
  it.each([
    ['ErrImagePull', 'manifest unknown', 'tag'],
    ['ImagePullBackOff', 'Back-off pulling image: ErrImagePull: 401 Unauthorized', 'registry'],
    ['InvalidImageName', 'invalid', 'image'],
    ['CrashLoopBackOff', 'back-off 10s restarting', undefined],
    ['CreateContainerError', 'no command specified', 'command'],
    ['RunContainerError', 'exec: "serve": executable file not found in $PATH', 'command'],
  ])('has failed: %s', (reason, message, expected) =>
    expect(stateIn({ state: { waiting: { reason, message } } })).toMatchObject({
      state: 'failed',
      reason: message,
      ...(expected && { failure: expected }),
    }),
  )
})
