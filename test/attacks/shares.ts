import { sampleFile } from '../../apps/server/src/storage/assets/sample-files.fixture.ts'
import { type Person, setup } from '../../apps/server/src/test-env.fixture.ts'

let networks = 0
export const newNetwork = () => ({ ip: `10.2.${Math.floor(++networks / 250)}.${networks % 250}` })

/** An owner who shares files and folders, and an attacker. */
export type Shares = Awaited<ReturnType<typeof openShares>>

export async function openShares() {
  const env = await setup()
  const node = await env.node({ url: 'http://127.0.0.1:7001' })
  const owner = await env.person()
  const attacker = await env.person()
  return { env, node, owner, attacker }
}

/** Actions in `shares`, which are set up later. */
export function shareActions(shares: () => Shares) {
  return {
    file: (more: Parameters<typeof sampleFile>[2] = {}) =>
      sampleFile(shares().env.db, shares().owner.id, { nodes: [shares().node], ...more }),
    folder: async (person: Person, name: string, parent = 0) =>
      (await shares().env.call('folders.create', { name, parent }, person)).data.group.ID,
    async share(cid: string, terms: { short_pass?: string; expire_time?: number } = {}) {
      const { env, owner } = shares()
      const { data } = await env.call('shares.create', { cid, ...terms }, owner)
      await env.call('shares.setStatus', { cid }, owner)
      return data
    },
    open: (cid: string, more: { ticket?: string; group_id?: number } = {}, as = newNetwork()) =>
      shares().env.call('downloads.open', { user_id: shares().owner.uid, asset_cid: cid, ...more }, as),
    get: (url: string, headers: Record<string, string> = {}) =>
      shares().env.app.inject({ method: 'GET', url, headers }),
  }
}
