/** Share links and counted downloads, for the other modules of storage. */
export {
  countLinks,
  deleteLink,
  deleteLinks,
  findLink,
  findLinkById,
  findLinkOfContent,
  findLinks,
  findOpenLinks,
  type LinkRow,
  type LinkTarget,
  recordDownload,
  updateLink,
  upsertLink,
} from './repository.ts'
