import { Check, Circle } from 'lucide-react'
import { lazy, Suspense, useEffect, useId, useRef, useState } from 'react'
import { query, useQuery } from '../../lib/queries.ts'
import { onSessionEnd, useSession } from '../../lib/session-store.ts'
import { Button } from '../../ui/button.tsx'
import { Notice } from '../../ui/states.tsx'
import { parseAmount } from '../wallet/amounts.ts'
import { AccountStep, type PartnerAccount } from './account-step.tsx'
import { Bill } from './bill.tsx'
import { ConfirmStep } from './confirm-step.tsx'
import { parseCredits } from './credits.ts'
import { CreditsStep } from './credits-step.tsx'
import { Ongoing } from './ongoing.tsx'
import { isOpen } from './orders.ts'
import { Step } from './step.tsx'
import { t } from './texts.ts'
import { useOngoing } from './use-ongoing.ts'
import { refreshExchanges, useQuote } from './use-quote.ts'
import { priceOf, type Terms } from './use-terms.ts'
import { WalletStep } from './wallet-step.tsx'

const PaymentDialog = lazy(() => import('./payment-dialog.tsx'))

/** A claim of test coins on its way. */
const FUNDING_MS = 1500
const BALANCE_MS = 30_000

/** The four steps, the price beside them, and what is paid already above. */
export function Exchange({ terms, rate }: { terms: Terms | undefined; rate: Parameters<typeof Bill>[0]['rate'] }) {
  const signedIn = useSession((session) => session.token !== '')
  const info = useQuery({ ...query('wallets.bindInfo', {}), enabled: signedIn })
  const linked = signedIn ? info.data?.keplr : ''
  const isAvailable = terms !== undefined && terms.reason === ''
  const wallet = useQuery({
    ...query('exchange.wallet', {}),
    enabled: signedIn && Boolean(linked) && Boolean(terms?.token),
    refetchInterval: ({ state: { data } }) => (data?.claim && data.claim.state !== 'done' ? FUNDING_MS : BALANCE_MS),
  })
  const [account, setAccount] = useState<PartnerAccount>()
  const [typed, setTyped] = useState('1,000')
  const [modified, setModified] = useState(false)
  const quote = useQuote()
  const ongoing = useOngoing(signedIn)
  const top = useRef<HTMLDivElement>(null)
  useEffect(() => onSessionEnd(() => setAccount(undefined)), [])

  const { quoted } = quote
  const read = parseCredits(typed)
  const credits = 'credits' in read ? read.credits : undefined
  const price = credits === undefined ? undefined : priceOf(credits, terms)
  const units = price && terms?.token ? parseAmount(price.due, terms.token.decimals) : undefined
  const affordable = !wallet.data || typeof units !== 'bigint' || BigInt(wallet.data.units) >= units
  const isReady = Boolean(linked) && account !== undefined && credits !== undefined && affordable && isAvailable

  // A quote of a tab that was closed: continue with it.
  const { open } = ongoing
  const resumed = useRef(false)
  useEffect(() => {
    if (resumed.current || quoted || !open) return
    resumed.current = true
    setAccount({ uid: open.account, name: open.account_name, simulated: open.simulated })
    setTyped(String(open.points))
    quote.resume(open)
  }, [open, quoted, quote.resume])

  // It was paid by another tab or wallet, or cancelled elsewhere.
  const latest = ongoing.find(quoted?.order.id)
  const endedElsewhere = latest && !isOpen(latest) && latest.reason !== 'unpaid' ? latest.id : undefined
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each exchange
  useEffect(() => {
    if (endedElsewhere) follow(endedElsewhere)
  }, [endedElsewhere])

  const follow = (id: string) => {
    ongoing.follow(id)
    quote.leave()
    refreshExchanges()
    top.current?.focus({ preventScroll: true })
    // Its top, because it is higher than the window.
    top.current?.scrollIntoView({ block: 'start' })
  }
  const failModified = (id: string) => {
    setModified(true)
    ongoing.follow(id)
    quote.leave()
    void quote.abandon(id)
  }
  const create = () => {
    if (!isReady || !account || credits === undefined || !price) return
    resumed.current = true
    setModified(false)
    void quote.create(account.uid, credits, price.due)
  }
  return (
    <div ref={top} tabIndex={-1} className="scroll-mt-20 outline-none">
      {modified && (
        <div className="mb-6">
          <Notice tone="bad" live>
            {t.ongoing.modified}
          </Notice>
        </div>
      )}
      <Ongoing ongoing={ongoing} />
      <div className="grid items-start gap-8 lg:grid-cols-[1.35fr_1fr] lg:gap-14">
        <ol className="ml-3.5">
          <Step number={1} title={t.wallet.title} text={t.wallet.text} state={linked ? 'done' : 'current'}>
            <WalletStep linked={linked} wallet={wallet.data} error={wallet.error} terms={terms} />
          </Step>
          <Step
            number={2}
            title={t.account.title}
            text={t.account.text}
            state={account ? 'done' : linked ? 'current' : 'waiting'}
          >
            <AccountStep
              account={account}
              disabled={!signedIn || !isAvailable || quoted !== undefined}
              simulated={terms?.partner?.simulated ?? false}
              onChange={setAccount}
            />
          </Step>
          <Step number={3} title={t.points.title} state={quoted ? 'done' : account ? 'current' : 'waiting'}>
            <CreditsStep
              typed={typed}
              price={price}
              discount={rate.discount}
              disabled={quoted !== undefined}
              onTyped={setTyped}
            />
            {!quoted && (
              <Needs
                needs={[
                  { met: Boolean(linked), text: t.points.needs.wallet },
                  { met: account !== undefined, text: t.points.needs.account },
                  { met: credits !== undefined, text: t.points.needs.points },
                  ...(affordable ? [] : [{ met: false, text: t.points.needs.balance }]),
                  ...(terms && !isAvailable ? [{ met: false, text: terms.reason }] : []),
                ]}
                ready={isReady}
                busy={quote.busy}
                onQuote={create}
              />
            )}
          </Step>
          <Step number={4} title={t.confirm.title} state={quoted ? 'current' : 'waiting'}>
            <ConfirmStep quote={quote} terms={terms} />
          </Step>
        </ol>
        <Bill credits={credits} price={price} rate={rate} fee={terms?.fee} />
      </div>
      {quote.toPay && terms && (
        <Suspense>
          <PaymentDialog
            key={quote.toPay.order.id}
            quote={quote}
            toPay={quote.toPay}
            terms={terms}
            onSent={follow}
            onModified={failModified}
          />
        </Suspense>
      )}
    </div>
  )
}

/** What is still needed for a quote, and the button to get one. */
function Needs({
  needs,
  ready,
  busy,
  onQuote,
}: {
  needs: readonly { met: boolean; text: string }[]
  ready: boolean
  busy: boolean
  onQuote: () => void
}) {
  const id = useId()
  return (
    <div className="mt-5 max-w-md">
      <ul id={id} aria-live="polite" className="grid gap-1.5 text-sm">
        {needs.map(({ met, text }) => (
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
      <Button
        look="primary"
        className="mt-4 min-h-11 w-full"
        disabled={!ready}
        busy={busy}
        aria-describedby={id}
        onClick={onQuote}
      >
        {t.points.quote}
      </Button>
    </div>
  )
}
