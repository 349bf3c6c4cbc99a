import type { ErrorKey } from '../errors.ts'
import type { Facts } from './entry.ts'

const MIB = 1_048_576

const CALCULATED: Partial<Record<ErrorKey, Facts>> = {
  nodeClock: { ahead: 90 },
  quotaExceeded: { free: 12 * MIB },
  keyPermission: { permission: 'createFile' },
  keyTraffic: { free: 12_000_000 },
  tooManyEdges: { max: 20, seconds: 24 * 3600 },
  tooManyCertificates: { max: 3, seconds: 5 * 3600 },
  speechTooLarge: { max: 50 * MIB },
  tempTooLarge: { max: 100 * MIB },
  chatAttachmentTooLarge: { max: 10 * MIB },
  chatAttachmentsFull: { max: 250 * MIB },
  testQuota: { max: 100 * MIB },
}
const placeholders = new Proxy({}, { get: (_, fact) => `{${String(fact)}}` }) as Facts

/** Facts to show the text of an error with: `{name}` in place of a value; an example where the text calculates with it. */
export const exampleFacts = (key: ErrorKey): Facts => CALCULATED[key] ?? placeholders
