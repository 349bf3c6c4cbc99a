import { randomBytes } from 'node:crypto'

/** The id of a new link, short or long. It never begins with a hyphen, because people pass it to the CLI. */
export const createLinkId = (): string => randomBytes(12).toString('hex')
