import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { StartError } from '@tidenet/daemon/start-error'
import type { ProcessOptions, Program } from './processes.ts'

const PROGRAM = fileURLToPath(new URL('./partner/main.js', import.meta.url))

/** The running stand-in for the partner of the points exchange. */
export interface PartnerHandle {
  process: Program
  url: string
  /** Path of the key that callers send. */
  keyFile: string
  /** Folder of its ledger. */
  data: string
}

/** Environment variables that configure a server for this partner. */
export const partnerSettings = ({ url, keyFile }: Omit<PartnerHandle, 'process'>) => ({
  TIDENET_EXCHANGE_PARTNER_URL: url,
  TIDENET_EXCHANGE_PARTNER_KEY_FILE: keyFile,
  TIDENET_EXCHANGE_PARTNER_NAME: 'Simulated partner',
  TIDENET_EXCHANGE_PARTNER_SIMULATED: 'yes',
})

/** Starts the stand-in. @param keyFile exists already */
export async function startPartner(
  { data, port, keyFile, env }: { data: string; port: number; keyFile: string; env: Readonly<Record<string, string>> },
  start: (options: ProcessOptions) => Program,
): Promise<PartnerHandle> {
  if (!existsSync(PROGRAM)) throw new StartError(`${PROGRAM} is missing: run npm run build.`)
  const program = start({
    name: 'partner',
    script: PROGRAM,
    logFile: join(data, '..', 'logs', 'partner.log'),
    env: {
      ...env,
      TIDENET_PARTNER_DATA: data,
      TIDENET_PARTNER_PORT: String(port),
      TIDENET_PARTNER_KEY_FILE: keyFile,
    },
  })
  const ready = await program.ready
  return { process: program, url: String(ready.url), keyFile, data }
}
