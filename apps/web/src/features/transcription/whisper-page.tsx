import { useSearch } from '@tanstack/react-router'
import { lazy, Suspense } from 'react'
import { usePageTitle } from '../../lib/page-title.ts'
import { Button, buttonClass } from '../../ui/button.tsx'
import { Loading } from '../../ui/loading.tsx'
import { Hero, Section } from '../../ui/page.tsx'
import { openSupport } from '../feedback/support.ts'
import { StateLine } from '../products/parts.tsx'
import { t } from './texts.ts'
import { type Speech, useSpeech } from './use-account.ts'
import { WaveDrawing } from './wave-drawing.tsx'
import { Work } from './work.tsx'

const TranscriptPage = lazy(async () => ({ default: (await import('./transcript-page.tsx')).TranscriptPage }))
const Transcripts = lazy(async () => ({ default: (await import('./transcripts.tsx')).Transcripts }))

/** Speech to text; with `?task=`, one transcript. */
export function WhisperPage() {
  const { task, segment } = useSearch({ from: '/site/whisper' })
  return task === undefined ? (
    <Overview />
  ) : (
    <Suspense fallback={<Loading />}>
      <TranscriptPage key={task} id={task} segment={segment === undefined ? undefined : segment - 1} />
    </Suspense>
  )
}

function Overview() {
  usePageTitle()
  const speech = useSpeech()
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
        <Work speech={speech} />
      </Section>
      {speech.signedIn && (
        <Section id="transcripts" sunken title={t.list.title} intro={t.list.intro}>
          <Suspense fallback={<Loading />}>
            <Transcripts />
          </Suspense>
        </Section>
      )}
      <About speech={speech} />
    </>
  )
}

function About({ speech: { signedIn, engine, engineName } }: { speech: Speech }) {
  return (
    <Section sunken={!signedIn} title={t.aboutTitle}>
      <dl className="grid gap-x-10 gap-y-8 md:grid-cols-3">
        {t.about(engineName).map(([name, text]) => (
          <div key={name} className="border-t-2 border-line pt-4">
            <dt className="font-semibold">{name}</dt>
            <dd className="mt-1 text-sm text-muted wrap-anywhere">{text}</dd>
          </div>
        ))}
      </dl>
      {engine === 'none' && (
        <div className="mt-12 flex flex-wrap items-center justify-between gap-4 rounded-2xl border border-line bg-surface p-6">
          <div className="max-w-2xl">
            <h3 className="font-semibold">{t.operators}</h3>
            <p className="mt-1 text-sm text-muted">{t.operatorsText}</p>
          </div>
          <Button onClick={() => openSupport('contact')}>{t.tell}</Button>
        </div>
      )}
    </Section>
  )
}
