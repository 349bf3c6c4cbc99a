/** Links to what accounts share, and the downloads that came by them, for the other modules of storage. */
export {
  deleteLink,
  deleteLinks,
  findLink,
  findLinkById,
  findLinks,
  findOpenLinks,
  type LinkRow,
  putLink,
  recordDownload,
  updateLink,
} from './repository.ts'
