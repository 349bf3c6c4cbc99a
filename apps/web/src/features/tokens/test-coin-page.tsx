import { Button } from '../../ui/button.tsx'
import { PageTitle } from '../../ui/page.tsx'
import { Card } from '../../ui/states.tsx'
import { usePageTitle } from '../shell/page-title.tsx'
import { Countdown, nextHour } from './countdown.tsx'
import { NotYet } from './not-yet.tsx'
import { t } from './texts.ts'
import { WalletNeeded } from './wallet-needed.tsx'

const c = t.claim

/** Where test coin is claimed. */
export function TestCoinPage() {
  const title = usePageTitle()
  return (
    <div className="mx-auto max-w-6xl">
      <WalletNeeded />
      <PageTitle title={title} intro={c.intro} />
      <NotYet />
      <ol
        aria-label={c.steps}
        className="mb-6 grid gap-px overflow-hidden rounded-2xl border border-line bg-line sm:grid-cols-3"
      >
        {c.step.map(([name, text], index) => (
          <li key={name} className="flex gap-4 bg-surface p-5">
            <span aria-hidden className="font-mono text-2xl text-accent">
              {index + 1}
            </span>
            <div>
              <p className="font-semibold">{name}</p>
              <p className="text-sm text-muted">{text}</p>
            </div>
          </li>
        ))}
      </ol>
      <div className="grid gap-6 lg:grid-cols-[1.4fr_1fr]">
        <Card className="p-6">
          <h2 className="font-semibold">{c.left}</h2>
          <p className="mt-2 font-mono text-2xl tabular-nums">{c.leftOf('–', '10,000')}</p>
          <div aria-hidden className="mt-4 h-2.5 rounded-full bg-sunken" />
          <dl className="mt-5 grid grid-cols-2 gap-4">
            <div>
              <dt className="text-sm text-muted">{c.next}</dt>
              <dd className="text-lg">
                <Countdown to={nextHour} />
              </dd>
            </div>
            <div>
              <dt className="text-sm text-muted">{c.people('–')}</dt>
            </div>
          </dl>
          <Button look="primary" disabled aria-describedby="claim-off" className="mt-6 min-h-11 w-full">
            {c.button}
          </Button>
          <p id="claim-off" className="mt-2 text-sm text-muted">
            {c.off}
          </p>
        </Card>
        <Card className="p-6">
          <h2 className="font-semibold">{c.rules}</h2>
          <ul className="mt-3 grid list-disc gap-2 pl-5 text-sm text-muted">
            {c.rule.map((rule) => (
              <li key={rule}>{rule}</li>
            ))}
          </ul>
        </Card>
      </div>
      <h2 className="mt-8 mb-3 text-lg font-semibold">{c.history}</h2>
      <Card className="px-5 py-8 text-center text-muted">{c.none}</Card>
    </div>
  )
}
