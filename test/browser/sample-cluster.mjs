import { register } from 'node:module'

/**
 * Loaded into the test network's servers (`--import`, with the URL of the compiled sample-driver.fixture.ts as `?driver=`): replaces the
 * clusters by the simulated one of the server's own tests, so that orders need no container engine. One of two regions has it.
 */
const driver = new URL(import.meta.url).searchParams.get('driver')
const source = `
export async function load(url, context, next) {
  const loaded = await next(url, context)
  if (!url.endsWith('/apps/server/dist/compute/clusters/clusters.js')) return loaded
  const real = String(loaded.source)
  if (!real.includes('export function openClusters(')) throw new Error('openClusters is not where it was')
  return {
    ...loaded,
    source: real.replace('export function openClusters(', 'function openRealClusters(') + \`
import { sampleDriver } from '${driver}'
export function openClusters() {
  const GB = 1024 ** 3
  const { driver } = sampleDriver({ cpu: 256, memory: 1024 * GB, storage: 100_000 * GB })
  return clustersOf([{ driver, regions: ['distributed'] }])
}\`,
  }
}`
register(`data:text/javascript,${encodeURIComponent(source)}`)
