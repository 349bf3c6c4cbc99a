import { fromBech32 } from '@cosmjs/encoding'
import type { ChainSettings } from '@tidenet/contract'
import { type FormEvent, useEffect, useState } from 'react'
import { refresh } from '../../../lib/queries.ts'
import { Button } from '../../../ui/button.tsx'
import { Field, TextInput } from '../../../ui/field.tsx'
import { Select } from '../../../ui/select.tsx'
import { Loading, Notice } from '../../../ui/states.tsx'
import { toast } from '../../../ui/toast.ts'
import { amountProblem, formatAmount, parseAmount } from '../amounts.ts'
import { WalletError } from '../errors.ts'
import { paymentMessage, walletMessage } from '../messages.ts'
import { t } from '../texts.ts'
import { portOf, prepare, signAndSend, type TransactionRequest, waitForTransaction } from '../transaction.ts'
import { BuiltInPrompt } from './prompt.tsx'
import { builtInWallet } from './signer.ts'

interface SendFormProps {
  settings: ChainSettings
  address: string
}

const kinds = ['token', 'coin'] as const
type Kind = (typeof kinds)[number]

/** Sends coins from the built-in wallet. */
export function SendForm({ settings, address }: SendFormProps) {
  const [kind, setKind] = useState<Kind>('token')
  const [balances, setBalances] = useState<Record<Kind, bigint>>()
  const [failed, setFailed] = useState<unknown>()
  const [to, setTo] = useState('')
  const [amount, setAmount] = useState('')
  const [problems, setProblems] = useState<{ to?: string; amount?: string }>({})
  const [refusal, setRefusal] = useState<string>()
  const [busy, setBusy] = useState(false)
  const [reloads, setReloads] = useState(0)
  const o = t.own

  // biome-ignore lint/correctness/useExhaustiveDependencies: `reloads` restarts the request
  useEffect(() => {
    let mounted = true
    setFailed(undefined)
    balancesOf(settings, address).then(
      (found) => mounted && setBalances(found),
      (error: unknown) => mounted && setFailed(error),
    )
    return () => {
      mounted = false
    }
  }, [settings, address, reloads])

  if (failed)
    return (
      <div className="grid justify-items-start gap-3">
        <Notice tone="bad" live>
          {walletMessage(failed)}
        </Notice>
        <Button onClick={() => setReloads(reloads + 1)}>{t.dialog.retry}</Button>
      </div>
    )
  if (!balances) return <Loading />
  const { token, coin, decimals, fee, prefix } = settings
  const coins = { token: { name: token.symbol, decimals: token.decimals }, coin: { name: coin, decimals } }
  const one = coins[kind]
  const say = (units: bigint, of: Kind = kind) => `${formatAmount(units, coins[of].decimals)} ${coins[of].name}`
  const ownFee = kind === 'coin' ? BigInt(fee.amount) : 0n
  const most = balances[kind] > ownFee ? balances[kind] - ownFee : 0n
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    setRefusal(undefined)
    const wrong = amountProblem(amount, { balance: balances[kind], fee: ownFee, decimals: one.decimals })
    const said = wrong === 'digits' ? o.amounts.digits(one.decimals) : wrong && o.amounts[wrong]
    const found = { ...addressProblem(to.trim(), address, prefix), ...(said && { amount: said }) }
    setProblems(found)
    const units = parseAmount(amount, one.decimals)
    if (Object.keys(found).length > 0 || typeof units !== 'bigint') return
    setBusy(true)
    try {
      const request: TransactionRequest =
        kind === 'coin'
          ? { to: to.trim(), units }
          : { contract: token.address, message: { transfer: { recipient: to.trim(), amount: String(units) } } }
      const wallet = await builtInWallet({ id: settings.chain_id, prefix })
      if (!wallet) throw new WalletError('walletMissing')
      const prepared = await prepare(settings, address, request, { ...fee, denom: settings.denom })
      const { hash } = await signAndSend(wallet, settings, prepared)
      await waitForTransaction(settings, hash)
      refresh('faucet.balance')
      toast.success(o.sent)
      setAmount('')
      setReloads(reloads + 1)
    } catch (error) {
      setRefusal(paymentMessage(error))
    } finally {
      setBusy(false)
    }
  }
  return (
    <>
      <form method="post" className="grid gap-4" onSubmit={(event) => void submit(event)} noValidate>
        <div className="flex flex-wrap items-center justify-between gap-3">
          <p className="font-mono text-xl tabular-nums">{say(balances[kind])}</p>
          <Select
            label={o.which}
            value={kind}
            options={kinds.map((each) => ({ value: each, label: coins[each].name }))}
            onChange={(next) => {
              setKind(next)
              setProblems({})
            }}
          />
        </div>
        <Field label={o.to} error={problems.to}>
          <TextInput
            className="font-mono text-sm"
            autoComplete="off"
            spellCheck={false}
            value={to}
            onChange={(event) => {
              setTo(event.target.value)
              setProblems({})
            }}
          />
        </Field>
        <Field
          label={o.amount}
          hint={`${o.available(say(most))} ${o.fee(say(BigInt(fee.amount), 'coin'))}`}
          error={problems.amount}
        >
          <div className="flex gap-2">
            <TextInput
              className="font-mono tabular-nums"
              inputMode="decimal"
              autoComplete="off"
              value={amount}
              onChange={(event) => {
                setAmount(event.target.value)
                setProblems({})
              }}
            />
            <Button onClick={() => setAmount(formatAmount(most, one.decimals))} className="whitespace-nowrap">
              {o.all}
            </Button>
          </div>
        </Field>
        {refusal && (
          <Notice tone="bad" live>
            {refusal}
          </Notice>
        )}
        <Button look="primary" type="submit" busy={busy}>
          {o.send}
        </Button>
      </form>
      <BuiltInPrompt />
    </>
  )
}

async function balancesOf(settings: ChainSettings, address: string): Promise<Record<Kind, bigint>> {
  const port = portOf(settings)
  const [{ balance }, coin] = await Promise.all([
    port.query<{ balance: string }>(settings.token.address, { balance: { address } }),
    port.balance(address, settings.denom),
  ])
  return { token: BigInt(balance), coin }
}

function addressProblem(to: string, own: string, prefix: string): { to?: string } {
  try {
    // Contract addresses are longer than the limit of BIP-173.
    if (fromBech32(to, 1023).prefix !== prefix) return { to: t.own.wrongAddress }
    return to === own ? { to: t.own.ownAddress } : {}
  } catch {
    return { to: t.own.wrongAddress }
  }
}
