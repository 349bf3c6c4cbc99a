import { z } from 'zod'
import { nothing } from '../fields.ts'
import { route } from '../route.ts'

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
}
