import type { Env, PlatformConfig } from '../platform/config.ts'
import { readThirdPartyConfig, type ThirdPartyConfig } from './third-party/config.ts'

export interface StorageConfig {
  thirdParty: ThirdPartyConfig
}

/** @throws ConfigError naming every variable that is wrong */
export const readStorageConfig = (env: Env, { environment }: PlatformConfig): StorageConfig => ({
  thirdParty: readThirdPartyConfig(env, environment),
})
