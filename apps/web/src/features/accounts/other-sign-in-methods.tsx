import { OtherServices } from '../identities/other-services.tsx'
import { PasskeyWay } from '../security/passkey-way.tsx'
import { WalletWay } from '../wallet/wallet-way.tsx'
import { t } from './texts.ts'

/** Sign-in with a passkey, a wallet or an external service. */
export function OtherSignInMethods({ redirect }: { redirect: string | undefined }) {
  return (
    <section aria-labelledby="other-ways" className="mt-6 border-t border-line pt-5">
      <h2 id="other-ways" className="text-sm font-medium">
        {t.otherWays}
      </h2>
      <div className="mt-3 grid gap-2">
        <PasskeyWay label={t.passkeyIn} />
        <WalletWay label={t.walletIn} />
        <OtherServices redirect={redirect} />
      </div>
    </section>
  )
}
