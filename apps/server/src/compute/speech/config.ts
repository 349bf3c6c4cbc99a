import { readConfig } from '@tidenet/daemon'
import { z } from 'zod'
import { type Env, siteUrl } from '../../platform/config.ts'

/** The speech engine: anything that serves the transcription API of OpenAI. */
export interface SpeechConfig {
  /** Its address without `/v1`; empty: none. */
  url: string
  /** Sent as a bearer token; empty: none. */
  key: string
  model: string
  /** As the page names who receives recordings; empty: the host of the address. */
  name: string
  /** Recordings that it transcribes at the same time. */
  parallel: number
}

export const NO_SPEECH: SpeechConfig = { url: '', key: '', model: 'whisper-1', name: '', parallel: 1 }

/** @throws ConfigError naming every variable that is wrong */
export function readSpeechConfig(env: Env): SpeechConfig {
  const given = readConfig(
    {
      url: { from: 'TIDENET_SPEECH_URL', type: siteUrl },
      key: {
        from: 'TIDENET_SPEECH_KEY',
        type: z
          .string()
          .regex(/^[\x21-\x7e]*$/, 'expected a key without spaces')
          .default(''),
      },
      model: { from: 'TIDENET_SPEECH_MODEL', type: z.string().max(200).default(NO_SPEECH.model) },
      name: { from: 'TIDENET_SPEECH_NAME', type: z.string().max(100).default('') },
      parallel: { from: 'TIDENET_SPEECH_PARALLEL', type: z.coerce.number().int().min(1).max(64).default(1) },
    },
    env,
  )
  return { ...given, url: given.url.replace(/\/+$/, '').replace(/\/v1$/, '') }
}
