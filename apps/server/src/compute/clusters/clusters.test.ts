import { tmpdir } from 'node:os'
import { expect, it } from 'vitest'
import { type Cluster, openClusters } from './clusters.ts'
import { createEngineDriver } from './engine/engine.ts'

const clustersConfig = { image: '', imageTar: '', publish: '', runtime: '', megabits: 0, storageClass: '', pods: {} }
const log = { debug() {}, info() {}, warn() {}, error() {} }

/** As the server opens them; nothing of them is loaded before it is used. */
function opened(setting: string): Cluster['driver'] {
  const clusters = { ...clustersConfig, regions: { distributed: setting, centralized: 'none' } }
  const config = { clusters, data: tmpdir(), environment: 'production', roles: [] }
  const deps = { config, keys: { installation: 'test' }, log }
  const driver = openClusters(deps as unknown as Parameters<typeof openClusters>[0]).of('distributed')?.driver
  if (!driver) throw new Error('no cluster was opened')
  return driver
}

it('the engine of a server can do all that the engine can', () => {
  const { image, imageTar, publish, runtime } = clustersConfig
  const options = { setting: '', data: tmpdir(), installation: 'test', image, imageTar, publish, runtime }
  const engine = createEngineDriver({ ...options, megabits: 0, stopsAtEnd: false, log } as unknown as Parameters<
    typeof createEngineDriver
  >[0])
  for (const name of Object.keys(engine)) expect(opened('engine')).toHaveProperty(name)
  expect(opened('engine').transfer).toBeDefined()
})

it('a Kubernetes finds its GPUs, and restarts programs by itself', () => {
  const kubernetes = opened('kubernetes:/config')
  expect(kubernetes.gpuNodes).toBeDefined()
  expect(kubernetes.leadToIngress).toBeDefined()
})

it('what a kind of cluster does not have is not offered', () => {
  expect(opened('engine').gpuNodes).toBeUndefined()
  expect(opened('kubernetes:/config').transfer).toBeUndefined()
  expect(opened('kubernetes:/config').ended).toBeUndefined()
})
