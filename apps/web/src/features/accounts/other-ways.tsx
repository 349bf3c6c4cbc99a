import { KeySquare, Wallet } from 'lucide-react'
import { t } from './texts.ts'

/** Where signing in with a wallet or through another service belongs, and why neither is there. */
export function OtherWays() {
  const ways = [
    [Wallet, t.wallet, t.walletText],
    [KeySquare, t.thirdParty, t.thirdPartyText],
  ] as const
  return (
    <section aria-labelledby="other-ways" className="mt-6 border-t border-line pt-5">
      <h2 id="other-ways" className="text-sm font-medium">
        {t.otherWays}
      </h2>
      <ul className="mt-3 grid gap-3">
        {ways.map(([Icon, name, text]) => (
          <li key={name} className="flex gap-3 text-sm">
            <Icon aria-hidden className="mt-1 size-4 shrink-0 text-muted" />
            <p>
              <span className="font-medium">{name}</span> <span className="block text-muted">{text}</span>
            </p>
          </li>
        ))}
      </ul>
      <p className="mt-3 text-sm text-muted">{t.today}</p>
    </section>
  )
}
