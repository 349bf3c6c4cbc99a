/** Links to what accounts share, and the visits that came by them, for the other modules of storage. */
export {
  deleteLink,
  deleteLinks,
  findLink,
  findLinkById,
  findLinks,
  findOpenLinks,
  type LinkRow,
  noteVisit,
  putLink,
  updateLink,
} from './repository.ts'
