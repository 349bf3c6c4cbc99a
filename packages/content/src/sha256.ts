/** The platform's SHA-256: node:crypto (synchronous) or WebCrypto (asynchronous), selected by package.json "imports". */
export { sha256 } from '#sha256'
