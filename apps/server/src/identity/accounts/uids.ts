import { randomBytes } from 'node:crypto'

const BASE32 = 'abcdefghijklmnopqrstuvwxyz234567'

/** The public id of a new account: `u` and 80 random bits. */
export const newUid = (): string => `u${[...randomBytes(16)].map((byte) => BASE32[byte % 32]).join('')}`
