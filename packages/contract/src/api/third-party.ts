import { z } from 'zod'
import { assetId, cid, folderId, nothing, page, pageSize, uid } from '../fields.ts'
import { thirdPartyCounts } from '../objects.ts'
import { route } from '../route.ts'
import {
  THIRD_PARTY_CHOICES,
  THIRD_PARTY_EXCLUSIONS,
  THIRD_PARTY_KINDS,
  THIRD_PARTY_REASONS,
  THIRD_PARTY_STATES,
} from '../third-party.ts'

/** Fields of older clients that no provider reports are empty, 0 or null. */
const record = z.object({
  id: z.number(),
  /** As the provider names itself or the operator names it. */
  provider: z.string(),
  kind: z.enum(THIRD_PARTY_KINDS),
  /** The replica exists in a simulation only: it holds no bytes. */
  simulated: z.boolean(),
  state: z.enum(THIRD_PARTY_STATES),
  /** Replicas that are sent to this provider before this one; null unless queued. */
  queue_position: z.number().nullable(),
  deal_id: z.string(),
  /** When it should be stored; null if it is stored or being removed. */
  expected_at: z.string().nullable(),
  /** Set if it is later than expected, or if the last attempt failed. */
  late: z.object({ reason: z.enum(THIRD_PARTY_REASONS), since: z.string(), by: z.string() }).nullable(),
  /** The last time when random blocks were read back from the provider and matched the CID; null: never. */
  checked_at: z.string().nullable(),
  /** How often its validity was extended. */
  renewals: z.number(),
  start_time: z.string().nullable(),
  /** End of its validity. */
  end_time: z.string().nullable(),
  created_at: z.string(),
  updated_at: z.string(),
  deleted_at: z.string().nullable(),
  payload_cid: z.string(),
  piece_size: z.number(),
  message_cid: z.string(),
  piece_cid: z.string(),
  sector_num: z.string(),
  ip: z.string(),
  location: z.string(),
  cost: z.string(),
  path: z.string(),
  f_index: z.number(),
  gas: z.string(),
  pledge: z.string(),
  start_height: z.number(),
  end_height: z.number(),
})
export type ThirdPartyRecord = z.infer<typeof record>

const choice = z.object({ choice: z.enum(THIRD_PARTY_CHOICES) })

export const thirdParty = {
  list: route({
    method: 'GET',
    path: '/api/v1/storage/get_fil_storage_list',
    auth: 'optional',
    team: 'viewer',
    input: z.object({
      user_id: uid.optional(),
      cid,
      asset_id: assetId,
      group_id: folderId.optional(),
      ticket: z.string().max(2000).optional(),
      page,
      page_size: pageSize,
    }),
    output: z.object({
      list: z.array(record),
      total: z.number(),
      /** How many the owner’s plan includes. */
      wanted: z.number(),
      ...thirdPartyCounts.shape,
      /** For the owner: why there are none; null: there are, or will be. */
      excluded: z.enum(THIRD_PARTY_EXCLUSIONS).nullable(),
    }),
    errors: ['badCid'],
    limit: 600,
    summary: 'Lists the third-party replicas of a file; empty for files that the caller may not see',
  }),
  choice: route({
    method: 'GET',
    path: '/api/v1/storage/third_party_choice',
    auth: 'session',
    team: 'viewer',
    input: nothing,
    output: choice.extend({
      /** Replicas per file that the account’s plan includes; 0: none. */
      copies: z.number(),
      /** Whether a provider that really stores files is configured, a simulation only, or nothing. */
      providers: z.enum(['real', 'simulated', 'none']),
    }),
    errors: [],
    summary: 'Returns which files the account lets the network copy to third parties',
  }),
  choose: route({
    method: 'POST',
    path: '/api/v1/storage/third_party_choice',
    auth: 'session',
    team: 'owner',
    input: choice,
    output: choice,
    errors: [],
    summary: 'Sets which files may be copied to third parties; replicas that are no longer allowed are removed',
  }),
}

/** A provider in the operator area. */
export const adminThirdParty = z.object({
  name: z.string(),
  kind: z.enum(THIRD_PARTY_KINDS),
  simulated: z.boolean(),
  /** False if it is no longer in the settings but still has replicas. */
  configured: z.boolean(),
  /** Of the last answer, and of the last failure after it. */
  answered_at: z.string().nullable(),
  failed_at: z.string().nullable(),
  error: z.string(),
  queued: z.number(),
  in_progress: z.number(),
  stored: z.number(),
  failed: z.number(),
  removing: z.number(),
  late: z.number(),
  /** Bytes of the contents stored there. */
  bytes: z.number(),
})
export type AdminThirdParty = z.infer<typeof adminThirdParty>

export const adminThirdParties = {
  thirdParties: route({
    method: 'GET',
    path: '/api/v1/admin/third_parties',
    auth: 'operator',
    input: nothing,
    output: z.object({
      list: z.array(adminThirdParty),
      /** Contents that no node has, and that are being fetched back from third parties. */
      restoring: z.number(),
      /** The last failures, the latest first. */
      failures: z.array(
        z.object({
          cid: z.string(),
          provider: z.string(),
          at: z.string(),
          reason: z.enum(THIRD_PARTY_REASONS),
          error: z.string(),
          tries: z.number(),
        }),
      ),
    }),
    errors: [],
    summary: 'Returns the third-party providers with their health, replicas and last failures',
  }),
}
