import type { Core } from '../core.ts'
import { createSeal, type Encryption, type Seal } from '../encryption.ts'
import { Stop } from '../result.ts'

/** The encryption of an upload. Throws Stop if its options are not valid. */
export async function sealFor({ platform, toFailure }: Core, encryption: Encryption): Promise<Seal> {
  try {
    return await createSeal(platform.ciphers, encryption)
  } catch (error) {
    throw new Stop(toFailure('optionsInvalid', { data: { reason: (error as Error).message } }))
  }
}
