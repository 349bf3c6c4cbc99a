import { SignInButtons } from '../external-sign-in/sign-in-buttons.tsx'
import { PasskeySignIn } from '../security/passkey-sign-in.tsx'
import { WalletSignIn } from '../wallet/wallet-sign-in.tsx'
import { t } from './texts.ts'

/** Sign-in with a passkey, a wallet or an external service. */
export function OtherSignInMethods({ redirect }: { redirect: string | undefined }) {
  return (
    <section aria-labelledby="other-ways" className="mt-6 border-t border-line pt-5">
      <h2 id="other-ways" className="text-sm font-medium">
        {t.otherWays}
      </h2>
      <div className="mt-3 grid gap-2">
        <PasskeySignIn label={t.passkeyIn} />
        <WalletSignIn label={t.walletIn} />
        <SignInButtons redirect={redirect} />
      </div>
    </section>
  )
}
