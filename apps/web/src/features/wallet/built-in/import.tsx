import { type FormEvent, useRef, useState } from 'react'
import { formatList } from '../../../lib/phrases.ts'
import { Button } from '../../../ui/button.tsx'
import { classes } from '../../../ui/classes.ts'
import { inputClass } from '../../../ui/field.tsx'
import { Notice } from '../../../ui/states.tsx'
import { toast } from '../../../ui/toast.ts'
import { configuredChain } from '../find.ts'
import { walletMessage } from '../messages.ts'
import { t } from '../texts.ts'
import { Buttons } from './create.tsx'
import { phraseProblem, splitWords, WORD_COUNT, type WordProblem } from './mnemonic.ts'
import { PasswordFields, type PasswordProblems, passwordProblems } from './password-fields.tsx'
import { storeMnemonic } from './signer.ts'

const none: ReadonlyMap<number, WordProblem> = new Map()

/** Restores a wallet from its recovery phrase. */
export function ImportWallet({ onBack, onStored }: { onBack: () => void; onStored: () => void }) {
  const form = useRef<HTMLFormElement>(null)
  const [words, setWords] = useState<readonly string[]>(Array.from({ length: WORD_COUNT }, () => ''))
  const [wrong, setWrong] = useState(none)
  const [problem, setProblem] = useState<string>()
  const [password, setPassword] = useState({ password: '', repeat: '' })
  const [passwordWrong, setPasswordWrong] = useState<PasswordProblems>({})
  const [busy, setBusy] = useState(false)
  const o = t.own

  const fill = (from: number, text: string) => {
    const pasted = splitWords(text)
    const next = [...words]
    if (pasted.length > WORD_COUNT) setProblem(o.tooMany(pasted.length))
    else setProblem(undefined)
    // A complete phrase fills all fields, wherever it was pasted.
    const start = pasted.length >= WORD_COUNT ? 0 : from
    pasted.slice(0, WORD_COUNT - start).forEach((word, index) => {
      next[start + index] = word
    })
    setWords(next)
    setWrong(none)
    const last = Math.min(start + pasted.length, WORD_COUNT - 1)
    form.current?.querySelectorAll<HTMLInputElement>('[data-word]')[last]?.focus()
  }
  const type = (index: number, text: string) => {
    if (/\s/.test(text.trim())) return fill(index, text)
    setWords(words.map((word, at) => (at === index ? text.trim().toLowerCase() : word)))
    setWrong(new Map([...wrong].filter(([at]) => at !== index)))
    setProblem(undefined)
    // A space moves to the next field.
    if (/\S\s$/.test(text)) form.current?.querySelectorAll<HTMLInputElement>('[data-word]')[index + 1]?.focus()
  }
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    const found = phraseProblem(words)
    setWrong(found?.kind === 'words' ? found.words : none)
    setProblem(found && (found.kind === 'checksum' ? o.wrongSum : o.wrongWords(found.words.size)))
    const weak = passwordProblems(password)
    setPasswordWrong(weak)
    if (found?.kind === 'words') {
      const [first = 0] = found.words.keys()
      form.current?.querySelectorAll<HTMLInputElement>('[data-word]')[first]?.focus()
    }
    if (found || Object.keys(weak).length > 0) return
    setBusy(true)
    try {
      await storeMnemonic(words, password.password, await configuredChain())
      toast.success(o.kept)
      onStored()
    } catch (error) {
      setProblem(walletMessage(error))
      setBusy(false)
    }
  }
  return (
    <form ref={form} method="post" className="grid gap-4" onSubmit={(event) => void submit(event)} noValidate>
      <p className="text-sm text-muted">{o.importText}</p>
      <ol className="grid grid-cols-2 gap-x-3 gap-y-2 sm:grid-cols-3">
        {words.map((word, index) => {
          const bad = wrong.get(index)
          return (
            // biome-ignore lint/suspicious/noArrayIndexKey: words are identified by position
            <li key={index} className="min-w-0">
              <div className="relative">
                <span
                  aria-hidden
                  className="pointer-events-none absolute inset-y-0 left-0 flex w-8 items-center justify-end pr-1.5 font-mono text-xs text-muted tabular-nums"
                >
                  {index + 1}
                </span>
                <input
                  data-word
                  aria-label={o.word(index + 1)}
                  aria-invalid={bad ? true : undefined}
                  aria-describedby={bad ? `word-${index}` : undefined}
                  autoComplete="off"
                  autoCapitalize="none"
                  autoCorrect="off"
                  spellCheck={false}
                  translate="no"
                  value={word}
                  onChange={(event) => type(index, event.target.value)}
                  onPaste={(event) => {
                    const text = event.clipboardData.getData('text')
                    if (splitWords(text).length < 2) return
                    event.preventDefault()
                    fill(index, text)
                  }}
                  className={classes(inputClass, 'pl-9 font-mono text-sm')}
                />
              </div>
              {bad && (
                <p id={`word-${index}`} className="mt-0.5 text-xs text-danger">
                  {bad.kind === 'missing' ? o.missingWord : o.unknownWord(formatList(bad.near, 'disjunction'))}
                </p>
              )}
            </li>
          )
        })}
      </ol>
      {problem && (
        <Notice tone="bad" live>
          {problem}
        </Notice>
      )}
      <PasswordFields
        value={password}
        problems={passwordWrong}
        onChange={(value) => {
          setPassword(value)
          setPasswordWrong({})
        }}
      />
      <Buttons onBack={onBack} back={t.dialog.back}>
        <Button look="primary" type="submit" busy={busy}>
          {o.importAction}
        </Button>
      </Buttons>
    </form>
  )
}
