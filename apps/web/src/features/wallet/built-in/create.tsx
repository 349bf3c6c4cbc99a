import { type FormEvent, type ReactNode, useState } from 'react'
import { focusOnMount } from '../../../lib/focus.ts'
import { Button } from '../../../ui/button.tsx'
import { Field, TextInput } from '../../../ui/field.tsx'
import { Notice } from '../../../ui/states.tsx'
import { toast } from '../../../ui/toast.ts'
import { configuredChain } from '../find.ts'
import { walletMessage } from '../messages.ts'
import { t } from '../texts.ts'
import { backupPositions, newMnemonic, splitWords } from './mnemonic.ts'
import { PasswordFields, type PasswordProblems, passwordProblems } from './password-fields.tsx'
import { storeMnemonic } from './signer.ts'
import { WordGrid } from './word-grid.tsx'

interface CreateWalletProps {
  onBack: () => void
  onStored: () => void
}

/** Creates a wallet: recovery phrase and password, then a check of three words before it is stored. */
export function CreateWallet({ onBack, onStored }: CreateWalletProps) {
  const [step, setStep] = useState<'words' | 'check'>('words')
  const [password, setPassword] = useState({ password: '', repeat: '' })
  const [problems, setProblems] = useState<PasswordProblems>({})
  const [words] = useState(newMnemonic)
  const [positions, setPositions] = useState<readonly number[]>([])
  const o = t.own
  if (step === 'words') {
    const next = (event: FormEvent) => {
      event.preventDefault()
      const found = passwordProblems(password)
      setProblems(found)
      if (Object.keys(found).length > 0) return
      setPositions(backupPositions(words))
      setStep('check')
    }
    return (
      <form method="post" className="grid gap-4" onSubmit={next} noValidate>
        <p className="text-sm text-muted">{o.createText}</p>
        <div>
          <h3 ref={focusOnMount} tabIndex={-1} className="font-semibold outline-none">
            {o.wordsTitle}
          </h3>
          <p className="mt-1 mb-3 text-sm text-muted">{o.wordsText}</p>
          <WordGrid words={words} />
        </div>
        <PasswordFields
          value={password}
          problems={problems}
          onChange={(value) => {
            setPassword(value)
            setProblems({})
          }}
        />
        <Buttons onBack={onBack} back={t.dialog.back}>
          <Button look="primary" type="submit">
            {o.wordsDone}
          </Button>
        </Buttons>
      </form>
    )
  }
  return (
    <Check
      words={words}
      positions={positions}
      onBack={() => setStep('words')}
      onRight={async () => {
        await storeMnemonic(words, password.password, await configuredChain())
        toast.success(o.kept)
        onStored()
      }}
    />
  )
}

interface CheckProps {
  words: readonly string[]
  positions: readonly number[]
  onBack: () => void
  onRight: () => Promise<void>
}

/** Asks for three words of the phrase. */
function Check({ words, positions, onBack, onRight }: CheckProps) {
  const [typed, setTyped] = useState<Record<number, string>>({})
  const [checked, setChecked] = useState(false)
  const [busy, setBusy] = useState(false)
  const [problem, setProblem] = useState<string>()
  const o = t.own
  const isRight = (index: number) => splitWords(typed[index] ?? '').join(' ') === words[index]
  const finish = async (event: FormEvent) => {
    event.preventDefault()
    setChecked(true)
    if (!positions.every(isRight)) return
    setBusy(true)
    try {
      await onRight()
    } catch (error) {
      setProblem(walletMessage(error))
      setBusy(false)
    }
  }
  return (
    <form method="post" className="grid gap-5" onSubmit={(event) => void finish(event)} noValidate>
      <div>
        <h3 ref={focusOnMount} tabIndex={-1} className="font-semibold outline-none">
          {o.checkTitle}
        </h3>
        <p className="text-sm text-muted">{o.checkText}</p>
      </div>
      {positions.map((index) => (
        <Field key={index} label={o.word(index + 1)} error={checked && !isRight(index) ? o.wrong : undefined}>
          <TextInput
            autoComplete="off"
            autoCapitalize="off"
            autoCorrect="off"
            spellCheck={false}
            translate="no"
            className="font-mono"
            value={typed[index] ?? ''}
            onChange={(event) => {
              setChecked(false)
              setTyped({ ...typed, [index]: event.target.value })
            }}
          />
        </Field>
      ))}
      {problem && (
        <Notice tone="bad" live>
          {problem}
        </Notice>
      )}
      <Buttons onBack={onBack} back={o.backToWords}>
        <Button look="primary" type="submit" busy={busy}>
          {o.finish}
        </Button>
      </Buttons>
    </form>
  )
}

/** Back button on the left, others on the right. */
export function Buttons({ onBack, back, children }: { onBack: () => void; back: string; children: ReactNode }) {
  return (
    <div className="flex flex-wrap justify-between gap-2">
      <Button look="ghost" className="-ml-2" onClick={onBack}>
        {back}
      </Button>
      {children}
    </div>
  )
}
