import { FORMER_KEYS_MAX, KEY_FOLDERS_MAX, KEY_IPS_MAX } from '@tidenet/contract'
import { type Pair, sessionRequest } from '../../apps/server/src/identity/api-keys/s3-client.fixture.ts'
import type { As, Person, TestEnv } from '../../apps/server/src/test-env.fixture.ts'
import { cn } from './refused.ts'

/** Provokes each refusal of API keys. */
export function keyRefusals(env: () => TestEnv) {
  const create = (as: As, more: object) => env().call('apiKeys.create', { key_name: 'k', ...more }, as)
  const session = (pair: Pair, as: As, seconds = 0) =>
    env().call('s3Access.session', sessionRequest(env(), pair, seconds), as)
  const soon = () => new Date(env().clock.now() + 1000).toISOString()

  return {
    keyRejected: () => env().call('accounts.info', {}, { ...cn, token: 'tnk_unknown' }),
    tokenHeader: async (_: As, { token }: Person) =>
      (
        await env().app.inject({
          method: 'GET',
          url: '/api/v1/storage/get_asset_group_list',
          headers: { authorization: `Bearer ${token}`, lang: 'cn' },
        })
      ).json(),
    keyExpired: async (as: As) => {
      const { key } = (await create(as, { expires_at: soon() })).data
      env().pass(1000)
      return env().call('accounts.vipInfo', {}, { ...cn, token: key })
    },
    keyAddress: async (as: As) => {
      const { key } = (await create(as, { ips: ['203.0.113.1'] })).data
      return env().call('accounts.vipInfo', {}, { ...cn, token: key })
    },
    s3Signature: (as: As) => session({ access_key_id: 'TN', secret_access_key: '' }, as),
    s3Clock: async (as: As) => session((await create(as, {})).data, as, 3600),
    s3KeyEnded: async (as: As) => {
      const { data } = await create(as, { expires_at: soon() })
      env().pass(1000)
      return session(data, as)
    },
    keyExpiry: (as: As) => create(as, { expires_at: '2020-01-01T00:00:00Z' }),
    keyIps: (as: As) => create(as, { ips: ['example.org'] }),
    tooManyKeyIps: (as: As) => create(as, { ips: Array.from({ length: KEY_IPS_MAX + 1 }, (_, at) => `10.0.0.${at}`) }),
    keyFolders: async (_: As, person: Person) => {
      const { data } = await env().call('folders.create', { name: 'f' }, person)
      const token = await env().key(person, 'admin', [data.group.ID])
      return env().call('traces.list', {}, { ...cn, token })
    },
    keyTraffic: async (as: As) => {
      const { key } = (await create(as, { traffic_cap: 1 })).data
      return env().call('uploads.info', { size: 2 }, { ...cn, token: key })
    },
    tooManyKeyFolders: (as: As) =>
      create(as, { folders: Array.from({ length: KEY_FOLDERS_MAX + 1 }, (_, at) => at + 1) }),
    tooManyFormerKeys: async (as: As) => {
      await create(as, {})
      for (let each = 0; each < FORMER_KEYS_MAX; each++) await env().call('apiKeys.rotate', { key_name: 'k' }, as)
      return env().call('apiKeys.rotate', { key_name: 'k' }, as)
    },
    forbidden: async (_: As, person: Person) =>
      env().call('apiKeys.list', {}, { ...cn, token: await env().key(person, 'admin') }),
    keyPermission: async (_: As, person: Person) =>
      env().call('uploads.info', { size: 2 }, { ...cn, token: await env().key(person, ['readFile']) }),
    keyAdmin: async (_: As, person: Person) =>
      env().call('shortLinks.create', { cid: '1' }, { ...cn, token: await env().key(person, ['readFile']) }),
    keyCannotOrder: async (_: As, person: Person) =>
      env().call(
        'orders.create',
        { cpu: 1, ram: 1, storage: 40, duration: 1 },
        { ...cn, token: await env().key(person, 'admin') },
      ),
    keyCapped: async (as: As) => {
      const { key } = (await create(as, { traffic_cap: 1000 })).data
      return env().call('imports.url', { url: 'https://example.org/a.txt' }, { ...cn, token: key })
    },
    keyPermissions: (as: As) => create(as, { type: 'normal', perms: [] }),
    permissionUnknown: (as: As) => create(as, { perms: ['fly'] }),
    keyUnknown: (as: As) => env().call('apiKeys.remove', { key_name: 'unknown' }, as),
    keyNameTaken: async (as: As) => {
      await create(as, {})
      return create(as, {})
    },
    tooManyKeys: async (as: As) => {
      for (let key = 0; key < 5; key++) await create(as, { key_name: `k${key}` })
      return create(as, {})
    },
  }
}
