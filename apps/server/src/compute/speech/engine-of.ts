import { readFileSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import { z } from 'zod'
import type { Context } from '../context.ts'
import type { SpeechConfig } from './config.ts'

/** What `npm run speech` writes while its engine runs. */
const localEngine = z.object({
  url: z.string().regex(/^http:\/\/127\.0\.0\.1:\d{1,5}$/),
  name: z.string().min(1).max(100),
  pid: z.number().int().positive(),
})

/** The engine that recordings are sent to: the configured one, or in development the one of `npm run speech`; undefined: there is none. */
export function engineOf({ config }: Pick<Context, 'config'>): SpeechConfig | undefined {
  if (config.speech.url !== '') return config.speech
  return config.environment === 'development' ? findLocal(config) : undefined
}

function findLocal({ data, speech }: Context['config']): SpeechConfig | undefined {
  try {
    const { pid, ...found } = localEngine.parse(JSON.parse(readFileSync(join(data, 'speech', 'engine.json'), 'utf8')))
    // A killed engine leaves the file behind.
    process.kill(pid, 0)
    return { ...speech, ...found }
  } catch {
    return undefined
  }
}

const CONNECT_MS = 3000

/** Whether an engine accepts connections. No request is sent: a busy engine need not answer a second one. */
export const acceptsConnections = (engine: SpeechConfig): Promise<boolean> =>
  new Promise((resolve) => {
    const { hostname, port, protocol } = new URL(engine.url)
    const socket = connect({
      host: hostname.replace(/^\[|\]$/g, ''),
      port: Number(port) || (protocol === 'https:' ? 443 : 80),
      timeout: CONNECT_MS,
    })
    const end = (is: boolean) => {
      resolve(is)
      socket.destroy()
    }
    socket.once('connect', () => end(true))
    socket.once('timeout', () => end(false))
    socket.once('error', () => end(false))
  })

/** As users see who receives their recordings. */
export const nameOf = ({ name, url }: SpeechConfig): string => name || new URL(url).host
