import type { Env, PlatformConfig } from '../platform/config.ts'
import { type ClustersConfig, readClustersConfig } from './clusters/config.ts'
import { readSpeechConfig, type SpeechConfig } from './speech/config.ts'

export interface ComputeConfig {
  clusters: ClustersConfig
  speech: SpeechConfig
}

/** @throws ConfigError naming every variable that is wrong */
export const readComputeConfig = (env: Env, { environment }: PlatformConfig): ComputeConfig => ({
  clusters: readClustersConfig(env, environment),
  speech: readSpeechConfig(env),
})
