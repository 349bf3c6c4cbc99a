/** Functions that other domains may use. */

export { type AssetInFolder, assetsIn, assetsNamed, findOwnFile } from './assets/in-folders.ts'
export { ownersOfContent } from './assets/owners.ts'
export { findEnding as endingFiles } from './assets/repository.ts'
export { type Attachment, keepAttachment, readAttachment } from './attachments/service.ts'
export { paidTraffic, unearnedTraffic } from './download-traffic/node-traffic-repository.ts'
export { sourcesOf } from './downloads/sources.ts'
export { uploadNodes } from './grants/targets.ts'
export { countLinks } from './links/links.ts'
export { pageOfRoots } from './publications/roots.ts'
export { endSharesOf } from './shares/end-all.ts'
export { cardOf, type LinkCard } from './shares/opening.ts'
export { contentOfShortLink } from './shares/reported-link.ts'
export { providersReady, thirdParties } from './third-party/service.ts'
export { downloadReceiptsOfNode, failedTransfers, lastTraces, openTrace, traceBegan } from './traces/service.ts'
export {
  closeSupport,
  countOpenSupports,
  harmlessText,
  lockSupport,
  pageOfSupports,
  type Support,
  type SupportRow,
  sendToSupport,
} from './traces/support.ts'
export {
  countFolders,
  findFolder,
  findFoldersNamed,
  findPaths,
  findTree,
  foldersBelow,
  lockFolderForShare,
} from './tree/tree.ts'
export { downloadsByDay, downloadTrafficLeft, storageSize, trafficSince } from './usage/service.ts'
