import { VAULT_WAYS_MAX } from '@tidenet/contract'
import { sampleRecipient, sampleVault, sampleWay } from '../../apps/server/src/storage/vault/sample-vault.fixture.ts'
import type { As, TestEnv } from '../../apps/server/src/test-env.fixture.ts'
import { unknownCid } from './refused.ts'

/** Provokes each refusal of vaults and encrypted folders. */
export function vaultRefusals(env: () => TestEnv) {
  const made = (as: As) => sampleVault(env(), as as { token: string })
  const create = (ways: object[], as: As) =>
    env().call('vault.create', { recipient: sampleRecipient(), ways: ways as never }, as)
  return {
    vaultMissing: (as: As) => env().call('folders.create', { name: 'private', encrypted: true }, as),
    folderEncrypted: async (as: As) => {
      await made(as)
      const { data } = await env().call('folders.create', { name: 'private', encrypted: true }, as)
      const asset = { asset_name: 'a', asset_type: 'file' as const, asset_size: 1, asset_cid: await unknownCid() }
      return env().call('assets.create', { ...asset, group_id: data.group.ID }, as)
    },
    vaultExists: async (as: As) => {
      await made(as)
      return create([sampleWay('kit'), sampleWay('passphrase')], as)
    },
    vaultWays: (as: As) => create([sampleWay('kit')], as),
    vaultWrap: (as: As) => create([sampleWay('kit'), { ...sampleWay('passphrase'), wrap: 'x' }], as),
    vaultChanged: async (as: As) => {
      await made(as)
      return env().call('vault.addWay', { recipient: sampleRecipient(), way: sampleWay('passkey') }, as)
    },
    vaultWayUnknown: async (as: As) => {
      await made(as)
      return env().call('vault.removeWay', { id: 2_000_000_000 }, as)
    },
    tooManyVaultWays: async (as: As) => {
      const { recipient } = await made(as)
      const add = () => env().call('vault.addWay', { recipient, way: sampleWay('passkey') }, as)
      for (let ways = 2; ways < VAULT_WAYS_MAX; ways++) await add()
      return add()
    },
    vaultInUse: async (as: As) => {
      await made(as)
      await env().call('folders.create', { name: 'private', encrypted: true }, as)
      return env().call('vault.remove', {}, as)
    },
  }
}
