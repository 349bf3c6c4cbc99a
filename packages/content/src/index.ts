/** Bytes to blocks to CIDs and back: the same code in Node and in browsers. Each line is also a subpath. */
export * from './car.ts'
export * from './cid.ts'
export * from './errors.ts'
export * from './file.ts'
export * from './leaves.ts'
export * from './sha256.ts'
export * from './verify.ts'
