import { fromBech32 } from '@cosmjs/encoding'
import type { ChainSettings } from '@tidenet/contract'
import { type FormEvent, useEffect, useState } from 'react'
import { refresh } from '../../../lib/queries.ts'
import { Button } from '../../../ui/button.tsx'
import { Field, TextInput } from '../../../ui/field.tsx'
import { Select } from '../../../ui/select.tsx'
import { Loading, Notice } from '../../../ui/states.tsx'
import { toast } from '../../../ui/toast.ts'
import { amountProblem, readAmount, writeAmount } from '../amounts.ts'
import { WalletError } from '../errors.ts'
import { paymentMessage, walletMessage } from '../said.ts'
import { t } from '../texts.ts'
import { confirmed, portOf, prepare, signAndSend, type Wish } from '../transaction.ts'
import { BuiltInPrompt } from './prompt.tsx'
import { builtInWallet } from './signer.ts'

interface SendFormProps {
  settings: ChainSettings
  address: string
}

const kinds = ['token', 'coin'] as const
type Kind = (typeof kinds)[number]

/** Sends coins from the wallet of this browser, never more than it has. */
export function SendForm({ settings, address }: SendFormProps) {
  const [kind, setKind] = useState<Kind>('token')
  const [balances, setBalances] = useState<Record<Kind, bigint>>()
  const [failed, setFailed] = useState<unknown>()
  const [to, setTo] = useState('')
  const [amount, setAmount] = useState('')
  const [problems, setProblems] = useState<{ to?: string; amount?: string }>({})
  const [refusal, setRefusal] = useState<string>()
  const [busy, setBusy] = useState(false)
  const [round, setRound] = useState(0)
  const o = t.own

  // biome-ignore lint/correctness/useExhaustiveDependencies: a new round asks again
  useEffect(() => {
    let here = true
    setFailed(undefined)
    balancesOf(settings, address).then(
      (found) => here && setBalances(found),
      (error: unknown) => here && setFailed(error),
    )
    return () => {
      here = false
    }
  }, [settings, address, round])

  if (failed)
    return (
      <div className="grid justify-items-start gap-3">
        <Notice tone="bad" live>
          {walletMessage(failed)}
        </Notice>
        <Button onClick={() => setRound(round + 1)}>{t.dialog.retry}</Button>
      </div>
    )
  if (!balances) return <Loading />
  const { token, coin, decimals, fee, prefix } = settings
  const coins = { token: { name: token.symbol, decimals: token.decimals }, coin: { name: coin, decimals } }
  const one = coins[kind]
  const say = (units: bigint, of: Kind = kind) => `${writeAmount(units, coins[of].decimals)} ${coins[of].name}`
  const ownFee = kind === 'coin' ? BigInt(fee.amount) : 0n
  const most = balances[kind] > ownFee ? balances[kind] - ownFee : 0n
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    setRefusal(undefined)
    const wrong = amountProblem(amount, { balance: balances[kind], fee: ownFee, decimals: one.decimals })
    const said = wrong === 'digits' ? o.amounts.digits(one.decimals) : wrong && o.amounts[wrong]
    const found = { ...addressProblem(to.trim(), address, prefix), ...(said && { amount: said }) }
    setProblems(found)
    const units = readAmount(amount, one.decimals)
    if (Object.keys(found).length > 0 || typeof units !== 'bigint') return
    setBusy(true)
    try {
      const wish: Wish =
        kind === 'coin'
          ? { to: to.trim(), units }
          : { contract: token.address, message: { transfer: { recipient: to.trim(), amount: String(units) } } }
      const wallet = await builtInWallet({ id: settings.chain_id, prefix })
      if (!wallet) throw new WalletError('walletMissing')
      const prepared = await prepare(settings, address, wish, { ...fee, denom: settings.denom })
      const { hash } = await signAndSend(wallet, settings, prepared)
      await confirmed(settings, hash)
      refresh('faucet.balance')
      toast.success(o.sent)
      setAmount('')
      setRound(round + 1)
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
            <Button onClick={() => setAmount(writeAmount(most, one.decimals))} className="whitespace-nowrap">
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
    // Above the length of BIP-173, for addresses of contracts.
    if (fromBech32(to, 1023).prefix !== prefix) return { to: t.own.wrongAddress }
    return to === own ? { to: t.own.ownAddress } : {}
  } catch {
    return { to: t.own.wrongAddress }
  }
}
