import { Link } from '@tanstack/react-router'
import type { Output, RouteOf } from '@tidenet/contract'
import { Check, X } from 'lucide-react'
import { createPersistedStore } from '../../lib/persisted-store.ts'
import { useSession } from '../../lib/session-store.ts'
import { buttonClass } from '../../ui/button.tsx'
import { classes } from '../../ui/classes.ts'
import { Card } from '../../ui/states.tsx'
import { t } from './texts.ts'

type Steps = Output<RouteOf<'dashboard.overview'>>['steps']

/** Accounts whose first steps were closed in this browser. */
const useClosed = createPersistedStore<{ accounts: string[] }>('tidenet.first-steps', { accounts: [] }, (stored) => ({
  accounts: Array.isArray(stored.accounts) ? stored.accounts.filter((each) => typeof each === 'string') : [],
}))

const TARGETS = { upload: '/upload', share: '/fileStorage', claim: '/testCoin' } as const
const NAMES = ['upload', 'share', 'claim'] as const

/** Three steps of a new account, each done as soon as the account has done it; nothing once all are done or they were closed. */
export function FirstSteps({ steps }: { steps: Steps }) {
  const account = useSession((session) => session.address)
  const closed = useClosed(({ accounts }) => accounts.includes(account))
  if (closed || NAMES.every((name) => steps[name])) return null
  const next = NAMES.find((name) => !steps[name])
  const close = () => useClosed.setState(({ accounts }) => ({ accounts: [...accounts, account].slice(-20) }))
  return (
    <section aria-labelledby="first-steps">
      <Card className="p-5 sm:p-6">
        <div className="flex items-start justify-between gap-4">
          <h2 id="first-steps" className="text-lg font-semibold">
            {t.steps.title}
          </h2>
          <button
            type="button"
            aria-label={t.steps.close}
            title={t.steps.close}
            onClick={close}
            className="-mt-1 -mr-2 flex size-9 shrink-0 items-center justify-center rounded-lg text-muted hover:bg-sunken hover:text-text"
          >
            <X aria-hidden className="size-4" />
          </button>
        </div>
        <ol className="mt-2">
          {NAMES.map((name, index) => (
            <li
              key={name}
              className="flex flex-wrap items-center gap-x-4 gap-y-2 border-t border-line py-3.5 first:border-t-0"
            >
              <span
                aria-hidden
                className={classes(
                  'flex size-8 shrink-0 items-center justify-center rounded-full font-mono text-sm',
                  steps[name] ? 'bg-good-soft text-good' : 'bg-sunken text-muted',
                )}
              >
                {steps[name] ? <Check className="size-4" /> : index + 1}
              </span>
              <div className="min-w-0 flex-1 basis-56">
                <p className="font-medium">
                  {t.steps.names[name]}
                  {steps[name] && <span className="sr-only"> ({t.steps.done})</span>}
                </p>
                <p className="text-sm text-muted">{t.steps.texts[name]}</p>
              </div>
              {steps[name] ? (
                <span aria-hidden className="text-sm text-good">
                  {t.steps.done}
                </span>
              ) : (
                <Link to={TARGETS[name]} className={buttonClass(name === next ? 'primary' : 'secondary')}>
                  {t.steps.actions[name]}
                </Link>
              )}
            </li>
          ))}
        </ol>
      </Card>
    </section>
  )
}
