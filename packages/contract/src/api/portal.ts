import { z } from 'zod'
import { nothing } from '../fields.ts'
import { route } from '../route.ts'

/** Services that the portal offers or plans. */
export const SERVICES = [
  'storage',
  'anonymous',
  'network',
  'containers',
  'pcdn',
  'aiData',
  'aiProxy',
  'whisper',
  'exchange',
  'acceleration',
  'thirdParty',
] as const
export type ServiceName = (typeof SERVICES)[number]

/**
 * `available`: can be used now. `unavailable`: part of this version, but this portal lacks something it needs.
 * `request`: provided by the operators on request. `planned`: does not exist yet.
 */
export const SERVICE_STATES = ['available', 'unavailable', 'request', 'planned'] as const
export type ServiceState = (typeof SERVICE_STATES)[number]

/** URLs that begin with `/` are pages of the portal. */
export const portal = {
  settings: route({
    method: 'GET',
    path: '/api/v1/portal/settings',
    auth: 'public',
    input: nothing,
    output: z.object({
      edge_signup_url: z.string(),
      extension_store_urls: z.object({ cn: z.string(), en: z.string() }),
      /** Absent if the operator has none. */
      social: z.object({
        chat: z.string().optional(),
        x: z.string().optional(),
        telegram: z.string().optional(),
        blog: z.string().optional(),
        hub: z.string().optional(),
        discussions: z.string().optional(),
      }),
      feedback_urls: z.object({ cn: z.string(), en: z.string() }),
      /** External hosts to which the portal links without a warning. */
      outbound_hosts: z.array(z.string()),
      /** Host of the services variant of the portal; empty: none. */
      services_host: z.string(),
      /** The address of the S3 gateways; empty: none. */
      s3_url: z.string(),
      /** The address of the public IPFS gateways; empty: none. */
      ipfs_url: z.string(),
      /** Id and address prefix of the chain. */
      chain: z.object({ id: z.string(), prefix: z.string() }),
      /** Services for external sign-in. */
      sign_in_providers: z.array(z.object({ id: z.string(), name: z.object({ en: z.string(), cn: z.string() }) })),
    }),
    errors: [],
    summary: 'Returns the public settings of this portal',
  }),
  services: route({
    method: 'GET',
    path: '/api/v1/portal/services',
    auth: 'public',
    input: nothing,
    output: z.object({
      /** `reason`: what an unavailable service lacks, in the caller's language; empty for others. */
      list: z.array(z.object({ name: z.enum(SERVICES), state: z.enum(SERVICE_STATES), reason: z.string() })),
      mail: z.object({
        /** Whether this portal sends e-mail, such as codes and confirmations. */
        sent: z.boolean(),
        /** Whether messages from forms are also mailed to the operators. */
        operators: z.boolean(),
      }),
      /** Third parties that files can be copied to: some that store them, a simulation only, or none. */
      third_party: z.enum(['real', 'simulated', 'none']),
      /** The speech engine; `unreachable`: recordings are accepted and wait for it. */
      speech: z.enum(['none', 'available', 'unreachable']),
      /** Portals of the test networks; `url` is empty if the address is unknown. */
      networks: z.array(z.object({ testnet: z.literal([3, 4]), url: z.string() })),
      measured_at: z.string(),
    }),
    errors: [],
    limit: 240,
    summary: 'Returns the state of each service, based on nodes, clusters, chain and configuration',
  }),
}
