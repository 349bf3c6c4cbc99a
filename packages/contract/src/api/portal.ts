import { z } from 'zod'
import { nothing } from '../fields.ts'
import { route } from '../route.ts'

/** What the portal offers, or describes as planned. */
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
] as const
export type ServiceName = (typeof SERVICES)[number]

/**
 * `available`: it can be used this minute. `unavailable`: this version has it, but this portal lacks something that it needs.
 * `request`: people do it when asked. `planned`: it does not exist yet.
 */
export const SERVICE_STATES = ['available', 'unavailable', 'request', 'planned'] as const
export type ServiceState = (typeof SERVICE_STATES)[number]

/** Addresses that begin with `/` lie inside the portal. */
export const portal = {
  settings: route({
    method: 'GET',
    path: '/api/v1/portal/settings',
    auth: 'public',
    input: nothing,
    output: z.object({
      edge_signup_url: z.string(),
      extension_store_urls: z.object({ cn: z.string(), en: z.string() }),
      /** Only those that the operator has. */
      social: z.object({
        chat: z.string().optional(),
        x: z.string().optional(),
        telegram: z.string().optional(),
        blog: z.string().optional(),
        hub: z.string().optional(),
        discussions: z.string().optional(),
      }),
      feedback_urls: z.object({ cn: z.string(), en: z.string() }),
      /** Other sites that people are sent to without being asked first. */
      outbound_hosts: z.array(z.string()),
      /** The host on which the portal is its services variant; empty: there is none. */
      services_host: z.string(),
      /** The chain that wallets are used on: its id, and what its addresses begin with. */
      chain: z.object({ id: z.string(), prefix: z.string() }),
      /** Other services that people may sign in by. */
      sign_in_providers: z.array(z.object({ id: z.string(), name: z.object({ en: z.string(), cn: z.string() }) })),
    }),
    errors: [],
    summary: 'What the operator of this portal has set',
  }),
  services: route({
    method: 'GET',
    path: '/api/v1/portal/services',
    auth: 'public',
    input: nothing,
    output: z.object({
      /** `reason` in the caller's language says what an unavailable service lacks; empty for all others. */
      list: z.array(z.object({ name: z.enum(SERVICES), state: z.enum(SERVICE_STATES), reason: z.string() })),
      mail: z.object({
        /** Mails go out, such as codes and confirmations. */
        sent: z.boolean(),
        /** Messages written through the portal are also mailed to its operators. */
        operators: z.boolean(),
      }),
      /** Portals of the test networks; `url` is empty where this one knows no address. */
      networks: z.array(z.object({ testnet: z.literal([3, 4]), url: z.string() })),
      measured_at: z.string(),
    }),
    errors: [],
    limit: 240,
    summary: 'The state of each service, checked against nodes, clusters, chain and configuration',
  }),
}
