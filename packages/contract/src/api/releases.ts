import { z } from 'zod'
import { nothing } from '../fields.ts'
import { route } from '../route.ts'

export const release = z.object({
  /** Command line, storage node, storage SDK or browser extension. */
  kind: z.enum(['cli', 'node', 'sdk', 'extension']),
  version: z.string(),
  /** `any`: every platform with the Node.js version in `needs`; otherwise a single executable of a system, such as `linux-x64`. */
  platform: z.string(),
  needs: z.string(),
  file: z.string(),
  /** Path on this portal. */
  url: z.string(),
  size: z.number(),
  sha256: z.string(),
  /** Whether tests ran it, at least in an emulator. */
  tested: z.boolean(),
  /** Build date. */
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
    summary: 'Lists the programs to download, with checksums',
  }),
}
