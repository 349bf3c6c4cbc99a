import { randomBytes } from 'node:crypto'
import { createLogger } from '@tidenet/daemon'
import { describe, expect, it } from 'vitest'
import { driverSuite } from '../driver-suite.fixture.ts'
import { createKubernetesDriver } from './kubernetes.ts'

/** Only against a cluster that was named for this: everything in it may be changed. */
const file = process.env.TIDENET_TEST_KUBECONFIG ?? ''

const options = {
  file,
  context: '',
  installation: randomBytes(3).toString('hex'),
  image: process.env.TIDENET_TEST_KUBERNETES_IMAGE ?? 'docker.io/library/debian:12-slim',
  storageClass: '',
  // All that is tried lies there together, on a node that may have two cores.
  overcommit: 20,
  log: createLogger('test', 'silent'),
}

if (file === '') console.log('TIDENET_TEST_KUBECONFIG names no cluster: Kubernetes is not tried.')

describe.skipIf(file === '')('with a cluster', () => {
  driverSuite('Kubernetes', async () => {
    const driver = createKubernetesDriver(options)
    return {
      driver,
      again: () => createKubernetesDriver(options),
      close: () => driver.close(),
      growing: process.env.TIDENET_TEST_KUBERNETES_GROWS === 'yes',
      apart: process.env.TIDENET_TEST_KUBERNETES_POLICIES === 'yes',
    }
  })
})

it('without a cluster it says so', async () => {
  const none = createKubernetesDriver({ ...options, file: '/nowhere/kubeconfig' })
  expect((await none.probe()).state).toBe('absent')
  await none.close()
})
