import type { KeyObject } from 'node:crypto'

/** @returns the signature in base64url */
export function signBytes(bytes: Uint8Array, privateKey: KeyObject): string
