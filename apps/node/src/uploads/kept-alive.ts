import { errorText, type Lang } from '@tidenet/contract'
import { type Logger, within } from '@tidenet/daemon'
import { asRefusal, Refusal } from '../refusal.ts'

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
    const said = await within(outcome, everyMs)
    yield said ? JSON.stringify(said) : ' '
    if (said) return
  }
}
