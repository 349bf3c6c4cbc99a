import { clustersOf } from '../../apps/server/src/compute/clusters/clusters.ts'
import { sampleDriver } from '../../apps/server/src/compute/clusters/sample-driver.fixture.ts'
import { GB } from '../../apps/server/src/compute/clusters/sizes.ts'
import { runGuest } from '../../apps/server/src/payments/guests/service.ts'
import { sql } from '../../apps/server/src/platform/db/sql.ts'
import type { TestEnv } from '../../apps/server/src/test-env.fixture.ts'

/** Provokes each refusal of guest workspaces. */
export function guestRefusals(env: () => TestEnv) {
  const sample = sampleDriver({ cpu: 1000, memory: 1000 * GB, storage: 100_000 * GB })
  let networks = 0
  const elsewhere = () => `10.77.${Math.floor(++networks / 200)}.${(networks % 200) + 1}`
  const offer = async (most: number) => {
    const { context, db } = env()
    context.clusters = clustersOf([{ driver: sample.driver, regions: ['distributed'] }])
    context.config = { ...context.config, guestWorkspaces: most }
    await db.run(sql`update guest_workspaces set state = 'over'`)
  }
  const start = (ip = elsewhere()) => env().call('guests.start', {}, { lang: 'cn', ip })
  const running = async () => {
    await offer(100)
    const { data } = await start()
    const { id } = await env().db.one<{ id: string }>(sql`
      select workspace_id as id from guest_workspaces where state = 'starting'`)
    await runGuest(env().context, id)
    return { ...data, id }
  }
  const repeated = async (times: number) => {
    await offer(100)
    const ip = elsewhere()
    for (let each = 1; each < times; each++) await start(ip)
    return start(ip)
  }
  const adopt = (key: string, token: string) => env().call('guests.adopt', { key }, { lang: 'cn', token })
  return {
    guestsOff: async () => {
      await offer(0)
      return start()
    },
    guestsFull: async () => {
      await offer(1)
      await start()
      return start()
    },
    guestRunning: () => repeated(2),
    guestsTooMany: () => repeated(4),
    guestOver: async () => {
      const { key } = await running()
      await offer(100)
      return adopt(key, (await env().person()).token)
    },
    guestAdopted: async () => {
      const { token } = await env().person()
      await adopt((await running()).key, token)
      return adopt((await running()).key, token)
    },
    guestLimited: async () => {
      const { token, id } = await running()
      const program = { workspace: id, name: 'web', cpu: 0.1, memory: 64, storage: 1 }
      return env().call('clusters.deploy', program, { lang: 'cn', token })
    },
  }
}
