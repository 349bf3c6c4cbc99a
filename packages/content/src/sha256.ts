/** sha2-256 of the platform: node:crypto (synchronous) or WebCrypto (a promise), chosen by package.json "imports". */
export { sha256 } from '#sha256'
