import { Link } from '@tanstack/react-router'
import type { SpeechTask } from '@tidenet/contract'
import { SPEECH_LANGUAGES, type SpeechLanguage } from '@tidenet/contract/speech'
import { Check, Circle } from 'lucide-react'
import { useEffect, useId, useState } from 'react'
import { messageOf } from '../../lib/api.ts'
import { formatHour } from '../../lib/format.ts'
import { onSessionEnd } from '../../lib/session-store.ts'
import { t as shell } from '../../lib/texts.ts'
import { Button, buttonClass } from '../../ui/button.tsx'
import { classes } from '../../ui/classes.ts'
import { AudioField } from './audio-field.tsx'
import { t } from './texts.ts'
import { startUpload, useUpload } from './upload.ts'
import type { Speech } from './use-account.ts'

/** What a visitor chose before signing in, which opens another page. It is never stored. */
let kept: { file: File | undefined; language: SpeechLanguage | undefined } = { file: undefined, language: undefined }
onSessionEnd(() => {
  kept = { file: undefined, language: undefined }
})

/** Selects a recording and its language, and starts the transcription. @param unfinished an upload among them continues with the same file */
export function StartForm({ speech, unfinished }: { speech: Speech; unfinished: readonly SpeechTask[] }) {
  const [file, setFile] = useState<File>()
  const [language, setLanguage] = useState(kept.language)
  const [round, setRound] = useState(0)
  const [initial] = useState(kept.file)
  useEffect(() => {
    kept = { file, language }
  }, [file, language])
  const uploading = useUpload(({ current }) => current !== undefined && current.state !== 'failed')
  const { signedIn, engine, account } = speech
  const usesLeft = account === undefined || account.remaining > 0
  const r = t.ready
  const requirements: { met: boolean; text: string }[] = [
    { met: file !== undefined, text: r.file[file ? 0 : 1] },
    { met: language !== undefined, text: r.language[language ? 0 : 1] },
    ...(engine === 'none' ? [{ met: false, text: r.engine }] : []),
    ...(account && engine !== 'none' ? [{ met: usesLeft, text: r.uses[usesLeft ? 0 : 1] }] : []),
    ...(uploading ? [{ met: false, text: r.upload }] : []),
  ]
  const start = () => {
    if (!file || !language) return
    const begun = unfinished.find(
      ({ state, name, size }) => state === 'uploading' && name === file.name && size === file.size,
    )
    void startUpload(file, begun?.language ?? language, begun)
    setFile(undefined)
    setRound(round + 1)
    // The button is disabled now.
    requestAnimationFrame(() => document.getElementById('tasks')?.focus())
  }
  const id = useId()
  return (
    <>
      <AudioField key={round} initial={round === 0 ? initial : undefined} onTaken={setFile} />
      <LanguageField value={language} onChange={setLanguage} />
      <div className="grid gap-6 border-t border-line pt-6 sm:grid-cols-2">
        <div>
          <h3 className="mb-2 font-medium">{r.title}</h3>
          <ul id={id} aria-live="polite" className="grid gap-1.5 text-sm">
            {requirements.map(({ met, text }) => (
              <li key={text} className={met ? 'flex gap-2 text-good' : 'flex gap-2 text-warn'}>
                {met ? (
                  <Check aria-hidden className="mt-1 size-4 shrink-0" />
                ) : (
                  <Circle aria-hidden className="mt-1 size-4 shrink-0" />
                )}
                {text}
              </li>
            ))}
          </ul>
          {signedIn || engine === 'none' ? (
            <Button
              look="primary"
              disabled={!signedIn || requirements.some(({ met }) => !met)}
              aria-describedby={id}
              className="mt-4 min-h-11 w-full px-6"
              onClick={start}
            >
              {t.start}
            </Button>
          ) : (
            <Link
              to="/login"
              search={{ redirect: '/whisper' }}
              className={buttonClass('primary', 'mt-4 min-h-11 w-full px-6')}
            >
              {t.startSignIn}
            </Link>
          )}
        </div>
        <Uses speech={speech} />
      </div>
    </>
  )
}

function LanguageField({
  value,
  onChange,
}: {
  value: SpeechLanguage | undefined
  onChange: (language: SpeechLanguage) => void
}) {
  return (
    <fieldset>
      <legend className="mb-2 font-medium">{t.language.title}</legend>
      <div className="flex flex-wrap gap-2">
        {SPEECH_LANGUAGES.map((each) => (
          <label
            key={each}
            className={classes(
              'flex min-h-9 items-center rounded-lg border px-3.5 text-sm font-medium',
              'has-focus-visible:outline-2 has-focus-visible:outline-offset-2 has-focus-visible:outline-accent',
              each === value
                ? 'border-accent bg-accent-soft text-accent'
                : 'border-control/60 bg-surface hover:bg-sunken',
            )}
          >
            <input
              type="radio"
              name="language"
              value={each}
              checked={each === value}
              onChange={() => onChange(each)}
              className="sr-only"
            />
            {t.language.names[each]}
          </label>
        ))}
      </div>
    </fieldset>
  )
}

/** How many transcriptions are left today, and how they are counted. */
function Uses({ speech: { account, accountError, retry } }: { speech: Speech }) {
  return (
    <div>
      <h3 className="mb-2 font-medium">{t.uses.title}</h3>
      {account && (
        <p role="status" className="text-xl font-semibold tabular-nums">
          {t.uses.left(account.remaining, account.limit)}
        </p>
      )}
      {!account && accountError ? (
        <div className="mb-1 text-sm text-danger">
          {t.uses.failed}: {messageOf(accountError)}{' '}
          <button type="button" className="underline" onClick={retry}>
            {shell.words.retry}
          </button>
        </div>
      ) : null}
      <p className="text-sm text-muted">
        {account && account.remaining < account.limit ? t.uses.resets(formatHour(account.resets_at)) : t.uses.rule}
      </p>
      <p className="mt-1 text-sm text-muted">{t.uses.free}</p>
    </div>
  )
}
