import { z } from 'zod'
import { assetId, bool, cid, folderId, texts } from '../fields.ts'
import { route } from '../route.ts'

/** A file or a folder of the account; exactly one of the two. */
const target = z.object({ cid: cid.optional(), asset_id: assetId, group_id: folderId.optional() })

/**
 * - `off`: not accelerated
 * - `waiting`: nobody read it yet and no area is known, so no copies are near anybody
 * - `warming`: nodes are fetching copies
 * - `active`: all copies are stored
 * - `limited`: the extra copies of the account use up its limit
 */
export const ACCELERATION_STATES = ['off', 'waiting', 'warming', 'active', 'limited'] as const
export type AccelerationState = (typeof ACCELERATION_STATES)[number]
/** Why there are copies in an area: people there downloaded, the owner expects it, or the owner was there when turning it on. */
export const NEAR_CAUSES = ['reads', 'expected', 'account'] as const

/** What readers of an area measured. */
const measured = z.object({
  /** Downloads with a measurement; one per network, file and day. */
  samples: z.number(),
  /** Medians: ms until the first byte; bytes per second. Null with fewer than five samples. */
  first_byte: z.number().nullable(),
  rate: z.number().nullable(),
})

export const accelerationInfo = z.object({
  on: z.boolean(),
  /** The account's plan includes acceleration. */
  included: z.boolean(),
  state: z.enum(ACCELERATION_STATES),
  started_at: z.string().nullable(),
  /** The plan has ended: when the extra copies are removed. */
  ends_at: z.string().nullable(),
  /** The accelerated folder that contains it. */
  through: z.object({ ID: z.number(), Name: z.string() }).nullable(),
  /** Where the owner expects readers: countries as in area ids. */
  areas: z.array(z.string()),
  /** Where copies are, or will be. */
  near: z.array(
    z.object({
      area: z.string(),
      /** In the caller's language. */
      name: z.string(),
      /** Names of the areas whose readers they serve. */
      readers: z.array(z.string()),
      cause: z.enum(NEAR_CAUSES),
      /** Copies stored there, of at most `wanted`; of a folder, of all files in it. */
      copies: z.number(),
      wanted: z.number(),
    }),
  ),
  /** Where people read, and no node is near; names. */
  unserved: z.array(z.string()),
  cost: z.object({
    /** Bytes of the copies beyond those that every file has. */
    extra_bytes: z.number(),
    /** Bytes that nodes fetched from each other for these copies. */
    copied_bytes: z.number(),
    /** Bytes that all extra copies of the account may need, and may have at most. They do not count as storage used. */
    used_bytes: z.number(),
    limit_bytes: z.number(),
  }),
  /** At most ten areas, those with the most downloads first. */
  measures: z.array(
    z.object({
      area: z.string(),
      name: z.string(),
      before: measured,
      after: measured,
      /** At most 60 days. */
      days: z.array(
        z.object({
          date: z.string(),
          accelerated: z.boolean(),
          samples: z.number(),
          /** The median of the day. */
          first_byte: z.number(),
          rate: z.number().nullable(),
        }),
      ),
    }),
  ),
})
export type AccelerationInfo = z.infer<typeof accelerationInfo>

export const acceleration = {
  get: route({
    method: 'GET',
    path: '/api/v1/storage/acceleration',
    /** A file needs readFile, a folder readFolder. */
    auth: 'any',
    team: 'viewer',
    input: target,
    output: accelerationInfo,
    errors: ['badCid', 'assetUnknown', 'folderUnknown', 'fileAndFolder', 'forbidden'],
    summary:
      'Returns whether a file or folder is accelerated, where its extra copies are, what they cost, and what readers measured',
  }),
  set: route({
    method: 'POST',
    path: '/api/v1/storage/acceleration',
    repeatable: true,
    /** A file needs createFile, a folder createFolder. */
    auth: 'any',
    team: 'editor',
    input: target.extend({
      on: bool,
      /** Countries where readers are expected; absent: unchanged. */
      areas: texts,
    }),
    output: accelerationInfo,
    errors: [
      'badCid',
      'assetUnknown',
      'folderUnknown',
      'fileAndFolder',
      'forbidden',
      'accelerationPlan',
      'tooManyAccelerated',
      'tooManyAreas',
      'noArea',
    ],
    limit: 120,
    summary:
      'Turns delivery acceleration of a file, or of a folder with everything in it, on or off (VIP and enterprise plans)',
  }),
  list: route({
    method: 'GET',
    path: '/api/v1/storage/accelerations',
    auth: 'readFile',
    input: z.object({}),
    output: z.object({
      list: z.array(
        z.object({
          /** The CID of a file; empty for a folder. */
          cid: z.string(),
          /** The id of a folder; 0 for a file. */
          group_id: z.number(),
          name: z.string(),
          started_at: z.string(),
          ends_at: z.string().nullable(),
        }),
      ),
      used_bytes: z.number(),
      limit_bytes: z.number(),
    }),
    errors: [],
    summary: 'Lists the accelerated files and folders of the account, newest first',
  }),
}
