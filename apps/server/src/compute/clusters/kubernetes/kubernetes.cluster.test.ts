import { randomBytes } from 'node:crypto'
import { createLogger } from '@tidenet/daemon'
import { describe, expect, it } from 'vitest'
import { driverSuite } from '../driver-suite.fixture.ts'
import { createKubernetesDriver } from './kubernetes.ts'

/** Only on a cluster that is explicitly named for tests, because tests change it. */
const file = process.env.TIDENET_TEST_KUBECONFIG ?? ''

const options = {
  file,
  context: '',
  installation: randomBytes(3).toString('hex'),
  image: process.env.TIDENET_TEST_KUBERNETES_IMAGE ?? 'docker.io/library/debian:12-slim',
  storageClass: '',
  // All workloads of the tests share a node that may have only two cores.
  overcommit: 20,
  log: createLogger('test', 'silent'),
}

if (file === '') console.log('TIDENET_TEST_KUBECONFIG is not set: Kubernetes is not tested.')

describe.skipIf(file === '')('with a cluster', () => {
  const open = async () => {
    const driver = createKubernetesDriver(options)
    return {
      driver,
      reopen: () => createKubernetesDriver(options),
      close: () => driver.close(),
      canEnlargeDisks: process.env.TIDENET_TEST_KUBERNETES_GROWS === 'yes',
      isolatesNetworks: process.env.TIDENET_TEST_KUBERNETES_POLICIES === 'yes',
    }
  }
  driverSuite('Kubernetes', open, false)
})

it('is absent without a cluster', async () => {
  const none = createKubernetesDriver({ ...options, file: '/nowhere/kubeconfig' })
  expect((await none.probe()).state).toBe('absent')
  await none.close()
})
