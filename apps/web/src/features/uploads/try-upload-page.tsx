import { Link } from '@tanstack/react-router'
import { usePageTitle } from '../../lib/page-title.ts'
import { buttonClass } from '../../ui/button.tsx'
import { Hero, Section } from '../../ui/page.tsx'
import { AnonymousUpload } from '../home/anonymous-upload.tsx'
import { t } from './texts.ts'

/** Anonymous upload, with an explanation of the network. */
export function TryUploadPage() {
  usePageTitle()
  const { attempt } = t
  return (
    <>
      <Hero
        eyebrow={attempt.eyebrow}
        title={attempt.title}
        intro={attempt.intro}
        actions={
          <Link to="/newUpload" className={buttonClass('secondary')}>
            {attempt.withAccount}
          </Link>
        }
      >
        <AnonymousUpload />
      </Hero>
      <Section title={attempt.stepsTitle}>
        <ol className="grid gap-x-8 gap-y-8 sm:grid-cols-2 lg:grid-cols-4">
          {attempt.steps.map(([title, text], index) => (
            <li key={title} className="border-t-2 border-line pt-4">
              <StepDrawing step={index} />
              <h3 className="mt-4 text-lg font-semibold">{title}</h3>
              <p className="mt-1 text-muted">{text}</p>
            </li>
          ))}
        </ol>
      </Section>
      <Section title={attempt.limitsTitle} sunken>
        <dl className="grid gap-x-8 gap-y-6 sm:grid-cols-2 lg:grid-cols-4">
          {Object.values(attempt.limits).map(([value, what, why]) => (
            <div key={what} className="flex flex-col border-t-2 border-line pt-4">
              <dt className="order-2 font-medium">{what}</dt>
              <dd className="order-1 font-mono text-2xl font-medium tracking-tight tabular-nums">{value}</dd>
              <dd className="order-3 mt-1 text-sm text-muted">{why}</dd>
            </div>
          ))}
        </dl>
      </Section>
      <Section title={attempt.moreTitle} intro={attempt.more}>
        <Link to="/login" search={{ mode: 'signup' }} className={buttonClass('primary')}>
          {attempt.signUp}
        </Link>
      </Section>
    </>
  )
}

/** Illustrations: a file as blocks, on one node, on several nodes, and downloaded. */
function StepDrawing({ step }: { step: number }) {
  const node = (x: number, y: number, full: boolean) => (
    <g key={`${x} ${y}`}>
      <circle
        cx={x}
        cy={y}
        r="13"
        className={full ? 'fill-accent-soft stroke-accent' : 'fill-surface stroke-control'}
      />
      {full && <rect x={x - 4.5} y={y - 4.5} width="9" height="9" rx="1.5" className="fill-accent" />}
    </g>
  )
  const blocks = (x: number, y: number, named: boolean) => (
    <g>
      {[0, 1, 2, 3].map((index) => (
        <rect
          key={index}
          x={x + (index % 2) * 18}
          y={y + Math.floor(index / 2) * 18}
          width="15"
          height="15"
          rx="2"
          className={named ? 'fill-accent-soft stroke-accent' : 'fill-surface stroke-control'}
        />
      ))}
    </g>
  )
  return (
    <svg aria-hidden viewBox="0 0 200 80" fill="none" strokeWidth="1.5" className="h-20 w-full max-w-56">
      {step === 0 && (
        <>
          {blocks(8, 22, false)}
          <path d="M52 39h26m0 0-5-4m5 4-5 4" className="stroke-control" />
          <path d="M112 24v12m0 0-16 14m16-14 16 14" className="stroke-accent" />
          {[96, 112, 128].map((x) => (
            <circle key={x} cx={x} cy={x === 112 ? 20 : 54} r="6" className="fill-accent-soft stroke-accent" />
          ))}
        </>
      )}
      {step === 1 && (
        <>
          {blocks(8, 22, true)}
          <path d="M52 39h58m0 0-5-4m5 4-5 4" className="stroke-signal" strokeDasharray="4 4" />
          {node(132, 39, true)}
          <path d="M152 39l5 5 9-10" className="stroke-good" />
        </>
      )}
      {step === 2 && (
        <>
          {[
            [92, 14],
            [152, 26],
            [120, 64],
            [176, 62],
          ].map(([x, y]) => (
            <g key={`${x}`}>
              <path d={`M42 39L${x} ${y}`} className="stroke-signal" strokeDasharray="4 4" />
              {node(x ?? 0, y ?? 0, true)}
            </g>
          ))}
          {node(30, 39, true)}
        </>
      )}
      {step === 3 && (
        <>
          {[14, 39, 64].map((y) => (
            <g key={y}>
              <path d={`M40 ${y}L118 39`} className="stroke-signal" strokeDasharray="4 4" />
              {node(26, y, true)}
            </g>
          ))}
          {blocks(122, 22, true)}
          <path d="M166 39l6 6 11-13" className="stroke-good" />
        </>
      )}
    </svg>
  )
}
