import { randomUUID } from 'node:crypto'
import { cosmosWallet, linkSample, place } from '../../identity/wallets/sample-wallets.fixture.ts'
import { sql } from '../../platform/db/sql.ts'
import type { Person, TestEnv } from '../../test-env.fixture.ts'
import { GB } from '../clusters/sizes.ts'
import { reconcileWorkload } from './reconcile.ts'
import { create } from './workspaces.ts'

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

/** For tests: an account with a wallet, a workspace of 2 cores, 4 GB and 50 GB, and a console session. */
export async function sampleTenant(env: TestEnv): Promise<Tenant> {
  const person = await env.person()
  await linkSample(env, cosmosWallet(), person.token)
  const { data } = await env.call('clusters.account', {}, { token: person.token })
  const space = randomUUID()
  const size = { cpu: 2, ram: 4, storage: 50 }
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
