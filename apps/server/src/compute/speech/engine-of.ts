import type { Context } from '../context.ts'
import type { SpeechConfig } from './config.ts'

/** The engine that recordings are sent to; undefined: there is none. */
export function engineOf({ config }: Pick<Context, 'config'>): SpeechConfig | undefined {
  return config.speech.url === '' ? undefined : config.speech
}

/** As users see who receives their recordings. */
export const nameOf = ({ name, url }: SpeechConfig): string => name || new URL(url).host
