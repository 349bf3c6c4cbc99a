/** Share links and counted downloads, for the other modules of storage. */
export {
  countLinks,
  deleteLink,
  deleteLinks,
  findLink,
  findLinkById,
  findLinks,
  findOpenLinks,
  type LinkRow,
  recordDownload,
  updateLink,
  upsertLink,
} from './repository.ts'
