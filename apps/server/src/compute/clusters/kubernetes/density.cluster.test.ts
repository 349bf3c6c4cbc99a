/** @module-tag long */
import { randomBytes } from 'node:crypto'
import { get, type RequestOptions } from 'node:https'
import { text } from 'node:stream/consumers'
import { createLogger } from '@tidenet/daemon'
import { describe, expect, it } from 'vitest'
import { sampleWorkspace } from '../sample-workloads.fixture.ts'
import { openApi } from './api.ts'
import { createKubernetesDriver } from './kubernetes.ts'
import { PLAIN } from './settings.ts'

/** What a thousand tenants cost a real API server. The cluster is removed afterwards, so workspaces are not. */

const file = process.env.TIDENET_TEST_KUBECONFIG ?? ''
const COUNT = Number(process.env.TIDENET_TEST_DENSITY ?? 1000)
const PARALLEL = 8
const MB = 1e6

describe.skipIf(file === '')('many workspaces on Kubernetes', { timeout: 900_000 }, () => {
  it('are created, listed and measured, with the memory of a small machine', async () => {
    const driver = createKubernetesDriver({
      ...{ file, context: '', installation: randomBytes(3).toString('hex'), storageClass: '', overcommit: 1 },
      ...{ image: 'none', openNetwork: true, log: createLogger('test', 'silent'), ...PLAIN },
    })
    const memory = async () => {
      const metrics = await fetchMetrics(file)
      return Number(/^process_resident_memory_bytes (\S+)/m.exec(metrics)?.[1] ?? 0)
    }
    const before = await memory()
    const spaces = Array.from({ length: COUNT }, () => sampleWorkspace())
    const waiting = [...spaces]
    const start = performance.now()
    await Promise.all(
      Array.from({ length: PARALLEL }, async () => {
        for (let one = waiting.pop(); one; one = waiting.pop()) await driver.createWorkspace(one)
      }),
    )
    const created = performance.now() - start
    const listing = performance.now()
    expect((await driver.listWorkspaces()).sort()).toEqual(spaces.map(({ id }) => id).sort())
    const listed = performance.now() - listing
    const measuring = performance.now()
    expect(await driver.measure(spaces.map(({ id }) => id))).toEqual([])
    const measured = performance.now() - measuring
    const after = await memory()
    console.log(
      `${COUNT} workspaces: ${Math.round(created / 1000)} s to create, ${Math.round(listed)} ms to list, ${Math.round(measured)} ms to measure; API server ${Math.round(before / MB)} MB, then ${Math.round(after / MB)} MB`,
    )
    expect(listed + measured).toBeLessThan(30_000)
    expect(after - before).toBeLessThan(COUNT * 2 * MB)
    await driver.close()
  })
})

/** What the API server reports about itself. */
async function fetchMetrics(kubeconfig: string): Promise<string> {
  const { config } = openApi(kubeconfig, '')
  const options: RequestOptions = {}
  await config.applyToHTTPSOptions(options)
  return new Promise((resolve, reject) => {
    get(`${config.getCurrentCluster()?.server}/metrics`, options, (answer) => text(answer).then(resolve, reject)).on(
      'error',
      reject,
    )
  })
}
