import { EDGES_PER_NETWORK_DAY, REPLICA_TARGET } from '@tidenet/contract'
import { readConfig } from '@tidenet/daemon'
import { z } from 'zod'
import type { Env, PlatformConfig } from '../platform/config.ts'
import { type NamesConfig, readNamesConfig } from './names/config.ts'

/** As many replicas as stay on invited nodes. */
const REPLICAS_MIN = 3

export interface NetworkConfig {
  /** Candidates and validators register with this token; empty: they are refused. */
  joinToken: string
  /** Nodes may have private addresses (development, private networks). */
  privateNodes: boolean
  /** New edges per network and day. */
  edgesPerNetwork: number
  /** Replicas of each content, if there are as many nodes. */
  replicas: number
  /** The path of a database of addresses and their countries (MMDB); empty: the packaged one. */
  countryDatabase: string
  names: NamesConfig
}

/** @throws ConfigError naming every variable that is wrong */
export function readNetworkConfig(env: Env, { environment, publicUrl }: PlatformConfig): NetworkConfig {
  const { privateNodes, ...others } = readConfig(
    {
      countryDatabase: { from: 'TIDENET_REGION_DATABASE', type: z.string().default('') },
      edgesPerNetwork: {
        from: 'TIDENET_EDGES_PER_NETWORK',
        type: z.coerce.number().int().min(1).default(EDGES_PER_NETWORK_DAY),
      },
      joinToken: { from: 'TIDENET_JOIN_TOKEN', type: z.string().default('') },
      privateNodes: {
        from: 'TIDENET_PRIVATE_NODES',
        type: z.enum(['yes', 'no']).default(environment === 'production' ? 'no' : 'yes'),
      },
      replicas: {
        from: 'TIDENET_REPLICAS',
        type: z.coerce.number().int().min(REPLICAS_MIN).max(REPLICA_TARGET).default(REPLICA_TARGET),
      },
    },
    env,
  )
  return { ...others, privateNodes: privateNodes === 'yes', names: readNamesConfig(env, publicUrl) }
}
