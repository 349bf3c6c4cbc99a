import { z } from 'zod'
import { nothing } from '../fields.ts'
import { route } from '../route.ts'

export const release = z.object({
  /** The command line, the storage node or the storage SDK. */
  kind: z.enum(['cli', 'node', 'sdk']),
  version: z.string(),
  /** `any`: wherever Node.js of the version in `needs` runs. */
  platform: z.string(),
  needs: z.string(),
  file: z.string(),
  /** Inside the portal. */
  url: z.string(),
  size: z.number(),
  sha256: z.string(),
  /** When it was packed. */
  date: z.string(),
  notes: z.string(),
})
export type Release = z.infer<typeof release>

export const releases = {
  list: route({
    method: 'GET',
    path: '/api/v1/portal/releases',
    auth: 'public',
    input: nothing,
    output: z.object({ list: z.array(release) }),
    errors: [],
    summary: 'Programs that can be downloaded here, with their checksums',
  }),
}
