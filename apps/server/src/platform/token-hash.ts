import { createHash } from 'node:crypto'

/** How random secrets (tokens, tickets, API keys) are stored: they have too many bits to be guessed, so an unsalted fast hash is sufficient. */
export const hashToken = (token: string): Buffer => createHash('sha256').update(token).digest()
