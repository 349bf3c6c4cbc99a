/** How the SDK decrypts with a secret: an age identity, such as the key of encrypted folders, or a passphrase. */
export const decryptionOf = (secret: string) =>
  /^AGE-SECRET-KEY-1[02-9AC-HJ-NP-Z]{58}$/.test(secret) ? { identities: [secret] } : { passphrase: secret }
