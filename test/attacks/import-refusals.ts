import { IMPORTS_OPEN_MAX } from '@tidenet/contract'
import type { As, TestEnv } from '../../apps/server/src/test-env.fixture.ts'
import { unknownCid } from './refused.ts'

/** Provokes each refusal of imports. */
export function importRefusals(env: () => TestEnv) {
  /** A gateway asks for imports, so they are offered. */
  const ask = () => env().call('imports.claim', {}, { token: env().context.config.s3GatewaySecret })
  const begin = async (as: As) => {
    await ask()
    return env().call('imports.url', { url: 'https://source.example/file' }, as)
  }
  return {
    importUrl: (as: As) => env().call('imports.url', { url: 'file:///etc/passwd' }, as),
    // The operator named no gateways of IPFS.
    importNotOffered: async (as: As) => env().call('imports.cid', { cid: await unknownCid() }, as),
    tooManyImports: async (as: As) => {
      for (let imports = 0; imports < IMPORTS_OPEN_MAX; imports++) await begin(as)
      return begin(as)
    },
    importSecret: async (as: As) => {
      await ask()
      const group_id = (await env().call('folders.create', { name: 'copies' }, as)).data.group.ID
      const s3 = { endpoint: 'https://s3.example', bucket: 'b', access_key_id: 'k', secret_access_key: 's' }
      const { id } = (await env().call('imports.s3', { ...s3, group_id }, as)).data
      await env().call('imports.cancel', { id }, as)
      return env().call('imports.retry', { id }, as)
    },
  }
}
