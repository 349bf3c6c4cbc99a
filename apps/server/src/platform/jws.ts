const part = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url')

/** What is signed of a compact JWS. */
export const jwsContent = (header: object, claims: object): string => `${part(header)}.${part(claims)}`

/** The compact JWS of a content and its signature. */
export const compactJws = (content: string, signature: Buffer): string =>
  `${content}.${signature.toString('base64url')}`
