import { errorText, type Lang } from '@tidenet/contract'
import type { Logger } from '@tidenet/daemon'
import { asRefusal, Refusal } from '../refusal.ts'

const pause = (ms: number) => new Promise<undefined>((resolve) => void setTimeout(() => resolve(undefined), ms).unref())

/**
 * The text of an answer that takes long: blanks until it is there, because connections without any bytes are closed, here and on the way. A
 * refusal is in the text, since the status was sent before.
 */
export async function* keptAlive(
  answer: Promise<object>,
  { everyMs, lang, log }: { everyMs: number; lang: Lang; log: Logger },
): AsyncGenerator<string, void> {
  const outcome = answer.catch((failure: unknown) => {
    const error = asRefusal(failure)
    if (error instanceof Refusal) return error.body(lang)
    log.error({ err: error }, 'a request failed')
    return { code: -1, err: -1, msg: errorText('internal', lang) }
  })
  for (;;) {
    const said = await Promise.race([outcome, pause(everyMs)])
    yield said ? JSON.stringify(said) : ' '
    if (said) return
  }
}

/** What `answer` says within `ms`; undefined: nothing yet. @throws what it fails with */
export const within = <T>(answer: Promise<T>, ms: number): Promise<T | undefined> => Promise.race([answer, pause(ms)])
