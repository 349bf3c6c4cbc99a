/** Share links and counted downloads, for the other modules of storage. */
export {
  countLinks,
  deleteLink,
  deleteLinks,
  endTokensOf,
  findLink,
  findLinkById,
  findLinkOfContent,
  findLinks,
  findOpenLinks,
  findSharedTargets,
  followContent,
  type LinkRow,
  type LinkTarget,
  recordDownload,
  updateLink,
  upsertLink,
} from './repository.ts'
