import { readFileSync } from 'node:fs'
import { StartError } from '@tidenet/daemon'
import { runProgram } from '@tidenet/daemon/lifecycle'
import { servePartner } from './server.ts'

/** The stand-in partner as a program of its own. Refuses production. */
runProgram(async () => {
  const { TIDENET_ENV, TIDENET_PARTNER_DATA: data, TIDENET_PARTNER_KEY_FILE: file, TIDENET_PARTNER_PORT } = process.env
  if (TIDENET_ENV !== 'development' && TIDENET_ENV !== 'test')
    throw new StartError('The stand-in partner is only for development and tests.', { permanent: true })
  if (!data || !file) throw new StartError('Set TIDENET_PARTNER_DATA and TIDENET_PARTNER_KEY_FILE.')
  const { url, port, stop } = await servePartner({
    data,
    port: Number(TIDENET_PARTNER_PORT ?? 0),
    key: readFileSync(file, 'utf8').trim(),
  })
  return { ready: { url, port }, stop }
})
