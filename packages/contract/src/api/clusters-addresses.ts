import { z } from 'zod'
import { int, msg, plain } from '../fields.ts'
import { route } from '../route.ts'
import { PUBLISHED_ACCESS, workloadId } from '../workspaces.ts'
import { ofWorkload } from './clusters-errors.ts'

/** Addresses of programs, and domains of their owners. */
export const addressOperations = {
  publish: route({
    method: 'POST',
    path: '/api/v1/console/workloads/publish',
    auth: 'console',
    input: z.object({
      id: workloadId,
      port: int(1, 65_535),
      access: z.enum(PUBLISHED_ACCESS),
      /** 8 to 100 characters; with access `password` only. Empty: the present one stays. */
      password: plain(100).default(''),
    }),
    output: msg,
    errors: [...ofWorkload, 'portUnknown', 'notPublished', 'addressPassword', 'tcpPortsTaken'],
    limit: 60,
    summary: 'Sets who can open the address of a port',
  }),
  addDomain: route({
    method: 'POST',
    path: '/api/v1/console/workloads/domains/add',
    auth: 'console',
    input: z.object({
      id: workloadId,
      port: int(1, 65_535),
      /** Such as `shop.example.org`. */
      domain: plain(300),
    }),
    output: msg,
    errors: [...ofWorkload, 'portUnknown', 'notPublished', 'domainName', 'domainTaken', 'tooManyDomains'],
    limit: 60,
    summary: 'Adds a domain of the owner to a port; its records are checked soon and then regularly',
  }),
  checkDomain: route({
    method: 'POST',
    path: '/api/v1/console/workloads/domains/check',
    auth: 'console',
    input: z.object({ id: workloadId, domain: plain(300) }),
    output: msg,
    errors: ['workloadUnknown', 'domainUnknown'],
    limit: 30,
    summary: 'Checks the records of a domain now, and orders its certificate again if that failed',
  }),
  removeDomain: route({
    method: 'POST',
    path: '/api/v1/console/workloads/domains/remove',
    auth: 'console',
    input: z.object({ id: workloadId, domain: plain(300) }),
    output: msg,
    errors: ['workloadUnknown', 'domainUnknown'],
    limit: 60,
    summary: 'Removes a domain and its certificate',
  }),
  open: route({
    method: 'POST',
    path: '/api/v1/console/workloads/open',
    auth: 'console',
    input: z.object({
      /** The host name of an address, such as `web-0123456789ab.apps.example.com`. */
      host: plain(300),
      /** Path and query to open. */
      path: plain(2000).default('/'),
    }),
    output: z.object({
      /** The address with a ticket for the caller, which is valid once, within 60 seconds. */
      url: z.string(),
    }),
    errors: ['notPublished'],
    limit: 120,
    summary: 'Opens the address of a port for its account',
  }),
}
