import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { setup, type TestEnv } from '../../test-env.fixture.ts'
import { handle, job } from './job.ts'
import { startJobs } from './jobs.ts'

let env: TestEnv
beforeAll(async () => {
  env = await setup()
})
afterAll(() => env.close())

it('jobs that wait for others do not keep the rest waiting', async () => {
  const [waiting, quick] = [job<{ n: number }>('testWaiting'), job<{ n: number }>('testQuick')]
  let resolve = () => {}
  const promise = new Promise<void>((done) => {
    resolve = done
  })
  const done: number[] = []
  for (let n = 0; n < 40; n++) await waiting.add(env.db, { n })
  await quick.add(env.db, { n: 1 })
  const jobs = [
    handle(waiting, () => promise, { slow: true }),
    handle(quick, async (_: unknown, { n }) => void done.push(n)),
  ]
  const stop = await startJobs(env.context, [{ jobs }])
  await vi.waitFor(() => expect(done).toEqual([1]), { timeout: 10_000 })
  resolve()
  await stop()
})
