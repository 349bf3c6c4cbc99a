/** Storage of the network: upload, download, folders, shares and keys, the same in browsers and Node. */
export { createStorage, type Storage, type StorageOptions } from './storage.ts'
