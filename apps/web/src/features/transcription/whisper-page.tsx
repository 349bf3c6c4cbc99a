import { Link } from '@tanstack/react-router'
import { Check, Circle } from 'lucide-react'
import { useId, useState } from 'react'
import { usePageTitle } from '../../lib/page-title.ts'
import { useSession } from '../../lib/session-store.ts'
import { Button, buttonClass } from '../../ui/button.tsx'
import { classes } from '../../ui/classes.ts'
import { Hero, Section } from '../../ui/page.tsx'
import { openSupport } from '../feedback/support.ts'
import { StateLine } from '../products/parts.tsx'
import { AudioField } from './audio-field.tsx'
import { t } from './texts.ts'
import { Transcript } from './transcript.tsx'
import { WaveDrawing } from './wave-drawing.tsx'

const languages = ['zh', 'zh-Hant', 'en', 'es', 'fr', 'de', 'pt', 'it', 'ja', 'ko'] as const
type Language = (typeof languages)[number]

/** Speech to text: validates a recording and selects a language. Starting is disabled until an engine is connected. */
export function WhisperPage() {
  usePageTitle()
  const [taken, setTaken] = useState(false)
  const [language, setLanguage] = useState<Language>()
  return (
    <>
      <Hero
        eyebrow={t.eyebrow}
        title={t.title}
        intro={t.intro}
        actions={
          <a href="#transcribe" className={buttonClass('primary', 'min-h-11 px-5')}>
            {t.begin}
          </a>
        }
        note={<StateLine name="whisper">{t.state}</StateLine>}
      >
        <WaveDrawing />
      </Hero>

      <Section id="transcribe" title={t.workTitle}>
        <div className="grid items-start gap-8 lg:grid-cols-[1fr_1.15fr] lg:gap-12">
          <div className="grid gap-8">
            <AudioField onTaken={setTaken} />
            <LanguageField value={language} onChange={setLanguage} />
            <Beginning taken={taken} spoken={language !== undefined} />
          </div>
          <Transcript />
        </div>
      </Section>

      <Section sunken title={t.laterTitle}>
        <dl className="grid gap-x-10 gap-y-8 md:grid-cols-3">
          {t.later.map(([name, text]) => (
            <div key={name} className="border-t-2 border-line pt-4">
              <dt className="font-semibold">{name}</dt>
              <dd className="mt-1 text-sm text-muted">{text}</dd>
            </div>
          ))}
        </dl>
        <div className="mt-12 flex flex-wrap items-center justify-between gap-4 rounded-2xl border border-line bg-surface p-6">
          <div className="max-w-2xl">
            <h3 className="font-semibold">{t.operators}</h3>
            <p className="mt-1 text-sm text-muted">{t.operatorsText}</p>
          </div>
          <Button onClick={() => openSupport('contact')}>{t.tell}</Button>
        </div>
      </Section>
    </>
  )
}

function LanguageField({ value, onChange }: { value: Language | undefined; onChange: (language: Language) => void }) {
  return (
    <fieldset>
      <legend className="mb-2 font-medium">{t.language.title}</legend>
      <div className="flex flex-wrap gap-2">
        {languages.map((each) => (
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

/** The start button, what is missing to enable it, and how uses will be counted. */
function Beginning({ taken, spoken }: { taken: boolean; spoken: boolean }) {
  const id = useId()
  const signedIn = useSession((session) => session.address !== '')
  const r = t.ready
  const requirements: [boolean, string][] = [
    [taken, r.file[taken ? 0 : 1]],
    [spoken, r.language[spoken ? 0 : 1]],
    [false, r.engine],
  ]
  return (
    <div className="grid gap-6 border-t border-line pt-6 sm:grid-cols-2">
      <div>
        <h3 className="mb-2 font-medium">{r.title}</h3>
        <ul id={id} aria-live="polite" className="grid gap-1.5 text-sm">
          {requirements.map(([met, text]) => (
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
        <Button look="primary" disabled aria-describedby={id} className="mt-4 min-h-11 w-full px-6">
          {t.start}
        </Button>
      </div>
      <div>
        <h3 className="mb-2 font-medium">{t.uses.title}</h3>
        <p className="text-sm text-muted">{t.uses.rule}</p>
        {!signedIn && (
          <Link
            to="/login"
            search={{ redirect: '/whisper' }}
            className="inline-flex min-h-7 items-center text-sm text-accent underline hover:text-accent-strong"
          >
            {t.uses.signIn}
          </Link>
        )}
        <p className="mt-1 text-sm text-muted">{t.uses.free}</p>
      </div>
    </div>
  )
}
