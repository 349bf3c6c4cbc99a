import { z } from 'zod'
import { msg, nothing, plain } from '../fields.ts'
import { route } from '../route.ts'

/** Logins at private registries. */
export const registryOperations = {
  registries: route({
    method: 'GET',
    path: '/api/v1/console/registries',
    auth: 'console',
    input: nothing,
    output: z.object({
      /** The registries that images can come from. */
      hosts: z.array(z.string()),
      /** Logins of the account. Passwords are never returned. */
      list: z.array(z.object({ host: z.string(), username: z.string(), changed_at: z.string() })),
    }),
    errors: [],
    limit: 240,
    summary: 'Lists the registries, and the logins of the account there',
  }),
  setRegistry: route({
    method: 'POST',
    path: '/api/v1/console/registries/set',
    auth: 'console',
    input: z.object({
      host: plain(300).pipe(z.string().min(1)),
      username: plain(300).pipe(z.string().min(1)),
      /** A password or an access token. */
      password: plain(4000).pipe(z.string().min(1)),
    }),
    output: msg,
    errors: ['registryRefused'],
    limit: 30,
    summary: 'Sets user name and password of the account at a registry, for pulling images only',
  }),
  removeRegistry: route({
    method: 'POST',
    path: '/api/v1/console/registries/remove',
    auth: 'console',
    input: z.object({ host: plain(300) }),
    output: msg,
    errors: [],
    limit: 30,
    summary: 'Removes the login of the account at a registry',
  }),
}
