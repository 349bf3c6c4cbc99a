import type { AppError } from '@tidenet/contract'
import type { Member } from '../../platform/http/callers.ts'
import type { Person, TestEnv } from '../../test-env.fixture.ts'
import { sampleFile } from '../assets/sample-files.fixture.ts'
import { openShare } from './access.ts'

export const visitor = { kind: 'visitor' } as const

export const memberOf = (person: Person): Member => ({
  kind: 'member',
  folders: null,
  userId: person.id,
  uid: person.uid,
  email: person.email,
  vip: false,
  role: 'user',
  via: 'session',
  credential: '',
  permissions: 'all',
})

let machines = 0
/** An IP address that no call came from before. */
export const elsewhere = () => ({ ip: `10.1.${Math.floor(++machines / 250)}.${machines % 250}` })

/** For tests: shared files and folders. `env` is set up later. */
export function sampleShares(env: () => TestEnv) {
  return {
    /** Seconds since 1970, as in terms of links. */
    seconds: (ms = 0) => Math.floor((env().clock.now() + ms) / 1000),
    /** `open` if the content is accessible, or else the error. */
    async gate(
      owner: Person,
      cid: string,
      more: { token?: string | undefined; groupId?: number; caller?: Member } = {},
    ): Promise<string> {
      try {
        await openShare(env().context, { caller: visitor, uid: owner.uid, cid, ...more })
        return 'open'
      } catch (error) {
        return (error as AppError).key
      }
    },
    async shared(owner: Person, terms: { short_pass?: string; expire_time?: number; area_id?: string[] } = {}) {
      const { cid } = await sampleFile(env().db, owner.id)
      const { data } = await env().call('shares.create', { cid, ...terms }, owner)
      await env().call('shares.setStatus', { cid }, owner)
      return { cid, ...data }
    },
    folderOf: async (owner: Person, name: string, parent = 0) =>
      (await env().call('folders.create', { name, parent }, owner)).data.group.ID,
    tokenFor: async (owner: Person, cid: string, password: string) =>
      (await env().call('shares.check', { cid, username: owner.uid, password }, elsewhere())).data.ticket,
  }
}
