import { ConfigError } from '@tidenet/daemon'
import { type ComputeConfig, readComputeConfig } from './compute/config.ts'
import { type IdentityConfig, readIdentityConfig } from './identity/config.ts'
import { type NetworkConfig, readNetworkConfig } from './network/config.ts'
import { type OperatorConfig, readOperatorConfig } from './operator/config.ts'
import { type PaymentsConfig, readPaymentsConfig } from './payments/config.ts'
import { type Env, type PlatformConfig, readPlatformConfig } from './platform/config.ts'
import { type PortalConfig, readPortalConfig } from './portal/config.ts'
import { readStorageConfig, type StorageConfig } from './storage/config.ts'

/** The configuration of all domains. */
export type Config = PlatformConfig &
  IdentityConfig &
  NetworkConfig &
  StorageConfig &
  ComputeConfig &
  PaymentsConfig &
  OperatorConfig &
  PortalConfig

/** @throws StartError naming every wrong variable; variables that depend on a wrong one are not checked */
export function loadConfig(env: Env): Config {
  const platform = readPlatformConfig(env)
  const wrong: string[] = []
  const tryRead = <C>(read: (env: Env, platform: PlatformConfig) => C): C => {
    try {
      return read(env, platform)
    } catch (error) {
      if (!(error instanceof ConfigError)) throw error
      wrong.push(...error.wrong)
      return {} as C
    }
  }
  const identity = tryRead(readIdentityConfig)
  const payments = tryRead(readPaymentsConfig)
  const config = {
    ...platform,
    ...identity,
    ...tryRead(readNetworkConfig),
    ...tryRead(readStorageConfig),
    ...tryRead(readComputeConfig),
    ...payments,
    ...tryRead(readOperatorConfig),
    ...tryRead(readPortalConfig),
  }
  if (wrong.length > 0) throw new ConfigError(wrong)
  return { ...config, chainPrefix: payments.chain.prefix }
}
