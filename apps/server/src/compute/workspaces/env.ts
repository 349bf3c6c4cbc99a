import type { Keys } from '../../platform/keys.ts'
import { seal, unseal } from '../../platform/seal.ts'

/** Variables may be secrets, so they are stored encrypted and bound to their workload. */
export const sealEnv = (keys: Pick<Keys, 'console'>, id: string, env: Readonly<Record<string, string>>): Buffer =>
  seal(keys.console, Buffer.from(JSON.stringify(env)), `workload ${id}`)

/** @throws Error if they were encrypted with another secret */
export function openEnv(keys: Pick<Keys, 'console'>, id: string, sealed: Buffer): Record<string, string> {
  const text = unseal(keys.console, sealed, `workload ${id}`)
  if (!text) throw new Error(`the variables of the workload ${id} were encrypted with another secret`)
  return JSON.parse(text.toString()) as Record<string, string>
}
