import { randomUUID } from 'node:crypto'
import { bindSample, cosmosWallet, place } from '../../identity/wallets/sample-wallets.fixture.ts'
import { sql } from '../../platform/db/sql.ts'
import type { Person, TestEnv } from '../../test-env.fixture.ts'
import { GB } from '../clusters/sizes.ts'
import { settleWorkload } from './settle.ts'
import { create } from './workspaces.ts'

export interface Tenant {
  person: Person
  account: string
  password: string
  /** Of a session of the console. */
  token: string
  space: string
  /** The machine that the workspace began with. */
  machine: string
}

/** For tests: somebody with a wallet, a workspace of 2 cores, 4 GB and 50 GB on the world's clusters, and an open console. */
export async function sampleTenant(world: TestEnv): Promise<Tenant> {
  const person = await world.person()
  await bindSample(world, cosmosWallet(), person.token)
  const { data } = await world.call('clusters.account', {}, { token: person.token })
  const space = randomUUID()
  const size = { cpu: 2, ram: 4, storage: 50 }
  await create(world.context, { workspaceId: space, userId: person.id, cluster: 'distributed', ...size })
  const { account, kub_pwd: password } = data
  const entered = await world.call('clusters.enter', { account, password }, place())
  return { person, account, password, token: entered.data.token, space, machine: `m-${space}` }
}

/** Makes room beside the machine, which then has a core, 1 GB and 10 GB. */
export async function makeRoom(world: TestEnv, { machine }: Tenant): Promise<void> {
  await world.db.run(sql`
    update workloads set storage = ${10 * GB}, cpu = 1000, memory = ${GB} where id = ${machine}`)
  await settleWorkload(world.context, machine)
}
