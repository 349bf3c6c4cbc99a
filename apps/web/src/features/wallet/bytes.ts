export const toBase64 = (bytes: Uint8Array): string => btoa(String.fromCharCode(...bytes))

/** Hex without 0x. */
export const toHex = (bytes: Uint8Array): string =>
  [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('')

export const utf8 = (text: string): Uint8Array => new TextEncoder().encode(text)
