import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { CoreV1Api, KubeConfig } from '@kubernetes/client-node'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { readPodLog } from './pod-log.ts'

let answer: (response: ServerResponse) => void
const server = createServer((_, response) => answer(response))
let core: CoreV1Api
beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const config = new KubeConfig()
  const { port } = server.address() as AddressInfo
  config.loadFromClusterAndUser({ name: 'a', server: `http://127.0.0.1:${port}`, skipTLSVerify: true }, { name: 'a' })
  core = config.makeApiClient(CoreV1Api)
})
afterAll(() => new Promise((resolve) => server.close(resolve)))

const read = () => readPodLog(core, { namespace: 'a', name: 'b-0', timestamps: true })
const answers = (status: number, text: string, headers: Record<string, string> = {}) => {
  answer = (response) => response.writeHead(status, headers).end(text)
}

it('is what the pod printed', async () => {
  answers(200, '2026-01-01T00:00:00Z one\n', { 'Content-Type': 'text/plain' })
  expect(await read()).toBe('2026-01-01T00:00:00Z one\n')
})

it('is empty if it printed nothing, does not run yet, or did not run before', async () => {
  answers(200, '')
  expect(await read()).toBe('')
  for (const status of [400, 404]) {
    answers(status, '{}', { 'Content-Type': 'application/json' })
    expect(await read()).toBe('')
  }
})

it('fails if the cluster refuses or does not answer', async () => {
  answers(500, '{"message":"no"}', { 'Content-Type': 'application/json' })
  await expect(read()).rejects.toMatchObject({ failure: 'failed' })
  answer = (response) => response.destroy()
  await expect(read()).rejects.toMatchObject({ failure: 'absent' })
})
