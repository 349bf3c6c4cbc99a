import { type FormEvent, type ReactNode, useState } from 'react'
import { focusOnMount } from '../../../lib/focus.ts'
import { Button } from '../../../ui/button.tsx'
import { classes } from '../../../ui/classes.ts'
import { Notice } from '../../../ui/states.tsx'
import { toast } from '../../../ui/toast.ts'
import { configuredChain } from '../find.ts'
import { walletMessage } from '../messages.ts'
import { t } from '../texts.ts'
import { backupQuestions, newMnemonic, type WordQuestion } from './mnemonic.ts'
import { PasswordFields, type PasswordProblems, passwordProblems } from './password-fields.tsx'
import { storeMnemonic } from './signer.ts'
import { WordGrid } from './word-grid.tsx'

interface CreateWalletProps {
  onBack: () => void
  onStored: () => void
}

/** Creates a wallet: password, recovery phrase, and a check of three words before it is stored. */
export function CreateWallet({ onBack, onStored }: CreateWalletProps) {
  const [step, setStep] = useState<'password' | 'words' | 'check'>('password')
  const [password, setPassword] = useState({ password: '', repeat: '' })
  const [problems, setProblems] = useState<PasswordProblems>({})
  const [words] = useState(newMnemonic)
  const [questions, setQuestions] = useState<WordQuestion[]>([])
  const o = t.own
  if (step === 'password') {
    const next = (event: FormEvent) => {
      event.preventDefault()
      const found = passwordProblems(password)
      setProblems(found)
      if (Object.keys(found).length === 0) setStep('words')
    }
    return (
      <form method="post" className="grid gap-4" onSubmit={next} noValidate>
        <p className="text-muted">{o.createText}</p>
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
            {o.toWords}
          </Button>
        </Buttons>
      </form>
    )
  }
  if (step === 'words')
    return (
      <div className="grid gap-4">
        <h3 ref={focusOnMount} tabIndex={-1} className="font-semibold outline-none">
          {o.wordsTitle}
        </h3>
        <p className="text-sm text-muted">{o.wordsText}</p>
        <WordGrid words={words} />
        <Buttons onBack={onBack} back={t.dialog.cancel}>
          <Button
            look="primary"
            onClick={() => {
              setQuestions(backupQuestions(words))
              setStep('check')
            }}
          >
            {o.wordsDone}
          </Button>
        </Buttons>
      </div>
    )
  return (
    <Check
      words={words}
      questions={questions}
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
  questions: readonly WordQuestion[]
  onBack: () => void
  onRight: () => Promise<void>
}

/** Asks for three words of the phrase. */
function Check({ words, questions, onBack, onRight }: CheckProps) {
  const [picked, setPicked] = useState<Record<number, string>>({})
  const [busy, setBusy] = useState(false)
  const [problem, setProblem] = useState<string>()
  const o = t.own
  const right = questions.every(({ index }) => picked[index] === words[index])
  const finish = async () => {
    setBusy(true)
    try {
      await onRight()
    } catch (error) {
      setProblem(walletMessage(error))
      setBusy(false)
    }
  }
  return (
    <div className="grid gap-5">
      <div>
        <h3 ref={focusOnMount} tabIndex={-1} className="font-semibold outline-none">
          {o.checkTitle}
        </h3>
        <p className="text-sm text-muted">{o.checkText}</p>
      </div>
      {questions.map(({ index, choices }) => {
        const wrong = picked[index] !== undefined && picked[index] !== words[index]
        return (
          <fieldset key={index} aria-describedby={wrong ? `wrong-${index}` : undefined}>
            <legend className="mb-2 text-sm font-medium">{o.question(index + 1)}</legend>
            <div className="grid grid-cols-2 gap-2 sm:grid-cols-3" translate="no">
              {choices.map((word) => (
                <button
                  key={word}
                  type="button"
                  aria-pressed={picked[index] === word}
                  onClick={() => setPicked({ ...picked, [index]: word })}
                  className={classes(
                    'min-h-9 rounded-lg border px-2 font-mono text-sm',
                    picked[index] !== word
                      ? 'border-control/60 hover:bg-sunken'
                      : wrong
                        ? 'border-danger bg-danger-soft text-danger'
                        : 'border-accent bg-accent-soft text-accent',
                  )}
                >
                  {word}
                </button>
              ))}
            </div>
            <p id={`wrong-${index}`} role="status" className="mt-1 text-sm text-danger">
              {wrong ? o.wrong : ''}
            </p>
          </fieldset>
        )
      })}
      {problem && (
        <Notice tone="bad" live>
          {problem}
        </Notice>
      )}
      <Buttons onBack={onBack} back={o.backToWords}>
        <Button look="primary" busy={busy} disabled={!right} onClick={() => void finish()}>
          {o.finish}
        </Button>
      </Buttons>
    </div>
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
