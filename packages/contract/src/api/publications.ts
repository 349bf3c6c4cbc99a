import { z } from 'zod'
import { assetId, cid, folderId, int, page, pageSize, receiptKey } from '../fields.ts'
import { expects } from '../input-hints.ts'
import { downloadInfo } from '../objects.ts'
import { route } from '../route.ts'
import { ASSET_TYPES } from '../storage-enums.ts'

/** Items that an account can publish at a time. */
export const PUBLICATIONS_MAX = 1000
/** Blocks of everything that an account publishes: files of 256 GiB in blocks of 256 KiB. */
export const PUBLISHED_BLOCKS_MAX = 1_000_000

/** Files of a folder that is published, and of all published folders of an account. */
export const PUBLISHED_FOLDER_FILES_MAX = 5000
export const PUBLISHED_FILES_MAX = 20_000
/** Levels of a folder that is published. */
export const PUBLISHED_LEVELS_MAX = 100

/**
 * `preparing`: the gateways do not serve it yet, because the server still reads which blocks it has. `failed`: it has more blocks than the
 * account can publish, or is built in a way that cannot be served.
 */
export const PUBLICATION_STATES = ['preparing', 'ready', 'failed'] as const
/** Why a publication failed. */
export const PUBLICATION_FAILURES = ['', 'tooManyBlocks', 'unreadable'] as const

const digest = z.string().regex(/^[0-9a-f]{64}$/, expects('hex64'))

const publication = z.object({
  /** Empty while a folder of single files is prepared. */
  cid: z.string(),
  /** 0: a folder of single files. */
  asset_id: z.number(),
  /** The folder of single files that is published as it was then; 0: an entry. */
  folder_id: z.number(),
  /** Of such a folder: its files, and those that were deleted or replaced since then, which are not served any more. */
  files: z.number(),
  files_ended: z.number(),
  kind: z.enum(ASSET_TYPES),
  name: z.string(),
  size: z.number(),
  folder: z.number(),
  state: z.enum(PUBLICATION_STATES),
  reason: z.enum(PUBLICATION_FAILURES),
  published_at: z.string(),
  /** At the gateway of this portal; empty if it has none. */
  url: z.string(),
})
export type Publication = z.infer<typeof publication>

export const publications = {
  create: route({
    method: 'POST',
    path: '/api/v1/storage/publish',
    repeatable: true,
    auth: 'admin',
    team: 'editor',
    input: z.object({ cid, asset_id: assetId }),
    output: publication,
    errors: [
      'badCid',
      'assetUnknown',
      'fileExpired',
      'contentBlocked',
      'publicationEncrypted',
      'publicationUnproven',
      'tooManyPublications',
      'tooManyRequests',
      'accountLocked',
      'accountClosing',
    ],
    summary: 'Publishes a file or folder: everybody can read it at the IPFS gateways, by its CID',
  }),
  remove: route({
    method: 'POST',
    path: '/api/v1/storage/unpublish',
    repeatable: true,
    auth: 'admin',
    team: 'editor',
    input: z.object({ cid, asset_id: assetId }),
    output: z.object({}),
    errors: ['badCid', 'assetUnknown', 'notFound'],
    summary: 'Ends a publication. The gateways stop within seconds; copies at other places may remain',
  }),
  createFolder: route({
    method: 'POST',
    path: '/api/v1/storage/publish_folder',
    repeatable: true,
    auth: 'admin',
    team: 'editor',
    input: z.object({ folder_id: folderId }),
    output: publication,
    errors: [
      'folderUnknown',
      'contentBlocked',
      'publicationEncrypted',
      'publicationUnproven',
      'folderUnpublishable',
      'tooManyPublications',
      'tooManyRequests',
      'accountLocked',
      'accountClosing',
    ],
    summary:
      'Publishes a folder of single files as it is now: everybody can read it at the IPFS gateways, by its CID. Publishing it again replaces that',
  }),
  removeFolder: route({
    method: 'POST',
    path: '/api/v1/storage/unpublish_folder',
    repeatable: true,
    auth: 'admin',
    team: 'editor',
    input: z.object({ folder_id: folderId }),
    output: z.object({}),
    errors: ['notFound'],
    summary: 'Ends the publication of a folder of single files',
  }),
  list: route({
    method: 'GET',
    path: '/api/v1/storage/published',
    auth: 'readFile',
    input: z.object({
      /** Only entries of this content. */
      cid: cid.optional(),
      asset_id: assetId,
      /** Only this folder. */
      folder_id: folderId.optional(),
      page,
      page_size: pageSize,
    }),
    output: z.object({ list: z.array(publication), total: z.number() }),
    errors: ['badCid'],
    summary: 'Lists what the account has published, the latest first',
  }),
  find: route({
    method: 'POST',
    path: '/api/v1/ipfs/find',
    repeatable: true,
    auth: 'gateway',
    input: z.object({
      /** SHA-256 of a block. */
      digest,
      /** Only parts of this publication. */
      part_of: int(1).optional(),
    }),
    /** The publications that have the block, those first of which it is the root; empty for private and unknown ones alike. */
    output: z.object({
      list: z.array(
        z.object({
          id: z.number(),
          root: z.string(),
          kind: z.enum(ASSET_TYPES),
          name: z.string(),
          /** Bytes of the content as the account stores it. */
          size: z.number(),
          blocks: z.number(),
          /** Whether the block is an inner node (dag-pb), not a leaf. */
          inner: z.boolean(),
          /** A folder of single files: its nodes come from `node`, and everything else from its parts. */
          composed: z.boolean(),
        }),
      ),
    }),
    errors: [],
    summary: 'For IPFS gateways of the operator: finds the publications that have a block',
  }),
  node: route({
    method: 'POST',
    path: '/api/v1/ipfs/node',
    repeatable: true,
    auth: 'gateway',
    input: z.object({ id: int(1), digest }),
    /** Base64. */
    output: z.object({ bytes: z.string() }),
    errors: ['notFound', 'contentBlocked'],
    summary: 'For IPFS gateways of the operator: returns a node of a published folder of single files',
  }),
  open: route({
    method: 'POST',
    path: '/api/v1/ipfs/open',
    repeatable: true,
    auth: 'gateway',
    input: z.object({
      id: int(1),
      /** The client's address: what visitors of one network can read in a day is limited. */
      ip: z.string().max(64),
      receipt_key: receiptKey,
    }),
    output: z.object({ sources: downloadInfo }),
    errors: ['notFound', 'contentBlocked', 'downloadQuotaExceeded', 'visitorTrafficUsedUp', 'nodesOffline', 'noArea'],
    summary: 'For IPFS gateways of the operator: returns the nodes of a publication, as a download that counts',
  }),
}
