import type { Env, PlatformConfig } from '../platform/config.ts'
import { type ClustersConfig, readClustersConfig } from './clusters/config.ts'
import { type IngressConfig, readIngressConfig } from './ingress/config.ts'
import { readSpeechConfig, type SpeechConfig } from './speech/config.ts'

export interface ComputeConfig {
  clusters: ClustersConfig
  ingress: IngressConfig
  speech: SpeechConfig
}

/** @throws ConfigError naming every variable that is wrong */
export const readComputeConfig = (env: Env, platform: PlatformConfig): ComputeConfig => ({
  clusters: readClustersConfig(env, platform.environment),
  ingress: readIngressConfig(env, platform),
  speech: readSpeechConfig(env),
})
