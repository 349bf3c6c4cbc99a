import { readConfig } from '@tidenet/daemon'
import { type Env, type PlatformConfig, siteUrl } from '../platform/config.ts'
import { type ImportsConfig, readImportsConfig } from './imports/config.ts'
import { readThirdPartyConfig, type ThirdPartyConfig } from './third-party/config.ts'

export interface StorageConfig {
  /** The address of the public IPFS gateways, without a trailing slash; empty: none. */
  ipfsUrl: string
  thirdParty: ThirdPartyConfig
  imports: ImportsConfig
}

/** @throws ConfigError naming every variable that is wrong */
export const readStorageConfig = (env: Env, { environment }: PlatformConfig): StorageConfig => ({
  ipfsUrl: readConfig({ url: { from: 'TIDENET_IPFS_URL', type: siteUrl } }, env).url.replace(/\/$/, ''),
  thirdParty: readThirdPartyConfig(env, environment),
  imports: readImportsConfig(env, environment),
})
