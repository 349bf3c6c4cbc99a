import { randomBytes, randomUUID } from 'node:crypto'
import { cosmosWallet, linkSample, place } from '../../identity/wallets/sample-wallets.fixture.ts'
import { sql } from '../../platform/db/sql.ts'
import type { Person, TestEnv } from '../../test-env.fixture.ts'
import { clustersOf } from '../clusters/clusters.ts'
import { sampleDriver } from '../clusters/sample-driver.fixture.ts'
import { GB } from '../clusters/sizes.ts'
import { reconcileWorkload } from './reconcile.ts'
import { create } from './workspaces.ts'

/** For tests: gives the environment both regions, on one driver in memory with room for many tenants. */
export function sampleClusters(env: TestEnv): ReturnType<typeof sampleDriver> {
  const sample = sampleDriver({ cpu: 1000, memory: 1000 * GB, storage: 100_000 * GB })
  env.context.clusters = clustersOf([{ driver: sample.driver, regions: ['distributed', 'centralized'] }])
  return sample
}

export interface Tenant {
  person: Person
  account: string
  password: string
  /** Session token of the console. */
  token: string
  space: string
  /** Id of the workspace's machine. */
  machine: string
}

/** For tests: an account with a wallet, a workspace, by default of 2 cores, 4 GB and 50 GB, and a console session. */
export async function sampleTenant(env: TestEnv, size = { cpu: 2, ram: 4, storage: 50 }): Promise<Tenant> {
  const person = await env.person()
  await linkSample(env, cosmosWallet(), person.token)
  const { data } = await env.call('clusters.account', {}, { token: person.token })
  const space = randomUUID()
  await create(env.context, { workspaceId: space, userId: person.id, cluster: 'distributed', ...size })
  const { account, kub_pwd: password } = data
  const entered = await env.call('clusters.enter', { account, password }, place())
  return { person, account, password, token: entered.data.token, space, machine: `m-${space}` }
}

/** Shrinks the machine to one core, 1 GB and 10 GB, so that other workloads fit. */
export async function shrinkMachine(env: TestEnv, { machine }: Tenant): Promise<void> {
  await env.db.run(sql`
    update workloads set storage = ${10 * GB}, cpu = 1000, memory = ${GB} where id = ${machine}`)
  await reconcileWorkload(env.context, machine)
}

/** The resources of a small workload. */
export const small = { cpu: 0.5, memory: 512, storage: 5 }

/** Deploys a small workload. @returns the answer of the call */
export async function deploySample(env: TestEnv, tenant: Tenant, more: Record<string, unknown> = {}) {
  const name = `w${randomBytes(4).toString('hex')}`
  const answer = await env.call('clusters.deploy', { workspace: tenant.space, name, ...small, ...more }, tenant)
  if (answer.code === 0) await reconcileWorkload(env.context, answer.data.id)
  return answer
}
