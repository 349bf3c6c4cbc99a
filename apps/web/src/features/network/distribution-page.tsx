import { lazy, Suspense, useState } from 'react'
import { usePageTitle } from '../../lib/page-title.ts'
import { useSession } from '../../lib/session-store.ts'
import { classes } from '../../ui/classes.ts'
import { Loading } from '../../ui/states.tsx'
import { t } from './texts.ts'
import { WholeNetwork } from './whole-network.tsx'

const OwnCopies = lazy(async () => ({ default: (await import('./own-copies.tsx')).OwnCopies }))

/** Where copies are stored: the account's own files if signed in, or the whole network. */
export function DistributionPage() {
  usePageTitle()
  const signedIn = useSession((session) => session.address !== '')
  const [selected, setSelected] = useState<'mine' | 'all'>('mine')
  const shown = signedIn ? selected : 'all'
  const d = t.distribution
  return (
    <div className="mx-auto max-w-6xl px-5 py-10 sm:px-8 sm:py-14">
      <div className="flex flex-wrap items-end justify-between gap-x-10 gap-y-5">
        <div className="max-w-3xl">
          <h1 className="text-[2rem] leading-tight font-semibold tracking-tight sm:text-[2.375rem]">
            {shown === 'mine' ? d.mineTitle : d.allTitle}
          </h1>
          <p className="mt-3 text-muted sm:text-lg sm:leading-8">{shown === 'mine' ? d.mineIntro : d.allIntro}</p>
        </div>
        {signedIn && (
          <fieldset className="flex rounded-lg border border-control/60 bg-surface p-0.5">
            <legend className="sr-only">{d.whose}</legend>
            {(['mine', 'all'] as const).map((each) => (
              <button
                key={each}
                type="button"
                aria-pressed={shown === each}
                onClick={() => setSelected(each)}
                className={classes(
                  'min-h-9 rounded-md px-4 text-sm font-medium whitespace-nowrap',
                  shown === each ? 'bg-accent-soft text-accent' : 'text-muted hover:text-text',
                )}
              >
                {each === 'mine' ? d.mine : d.all}
              </button>
            ))}
          </fieldset>
        )}
      </div>
      {shown === 'mine' ? (
        <Suspense fallback={<Loading />}>
          <OwnCopies />
        </Suspense>
      ) : (
        <WholeNetwork visitor={!signedIn} />
      )}
    </div>
  )
}
