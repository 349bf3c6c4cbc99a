import { FILE_BYTES_MAX } from '@tidenet/receipts'
import { FileCheck } from 'lucide-react'
import { type FormEvent, useRef, useState } from 'react'
import { Button } from '../../ui/button.tsx'
import { classes } from '../../ui/classes.ts'
import { Field, inputClass, TextInput } from '../../ui/field.tsx'
import { useDrop } from '../../ui/use-drop.ts'
import { t } from './texts.ts'
import type { Expected } from './use-expected.ts'

export interface Input {
  /** Of the choice, so that results of equal names are told apart. */
  id: number
  name: string
  content: Uint8Array
}

let inputs = 0
const newInput = (name: string, content: Uint8Array): Input => ({ id: ++inputs, name, content })

/** Enough of a file to see that it is too large. A folder has no content. */
async function readInput(file: File): Promise<Input> {
  const beginning = file.slice(0, FILE_BYTES_MAX + 1)
  return newInput(file.name, new Uint8Array(await beginning.arrayBuffer().catch(() => new ArrayBuffer())))
}

/** Where receipt files are dropped or chosen. */
export function DropZone({ onInputs }: { onInputs: (inputs: Input[]) => void }) {
  const input = useRef<HTMLInputElement>(null)
  const take = async (files: Iterable<File>) => {
    const read = await Promise.all([...files].map(readInput))
    if (read.length > 0) onInputs(read)
  }
  const { over, handlers: drops } = useDrop(({ files }) => void take(files))
  return (
    <div
      className={classes(
        'flex flex-col items-center gap-2 rounded-xl border-2 border-dashed px-4 py-8 text-center transition-colors',
        over ? 'border-accent bg-accent-soft' : 'border-control/60',
      )}
      {...drops}
    >
      <FileCheck aria-hidden className="size-7 text-accent" />
      <p className="font-medium">{over ? t.dropNow : t.drop}</p>
      <p className="text-sm text-muted">{t.or}</p>
      <Button look="primary" onClick={() => input.current?.click()}>
        {t.choose}
      </Button>
      <input
        ref={input}
        type="file"
        hidden
        multiple
        aria-label={t.choose}
        onChange={({ currentTarget }) => {
          void take(currentTarget.files ?? [])
          currentTarget.value = ''
        }}
      />
    </div>
  )
}

/** A field for the content of a file. */
export function PasteForm({ onInputs }: { onInputs: (inputs: Input[]) => void }) {
  const [text, setText] = useState('')
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (text.trim()) onInputs([newInput(t.pasted, new TextEncoder().encode(text))])
  }
  return (
    <form onSubmit={submit} className="flex flex-col items-start gap-3">
      <div className="w-full">
        <Field label={t.paste} hint={t.pasteHint}>
          <TextInput
            render={<textarea rows={4} spellCheck={false} />}
            className={classes(inputClass, 'resize-y font-mono text-[0.8125rem]')}
            value={text}
            onChange={(event) => setText(event.target.value)}
          />
        </Field>
      </div>
      <Button type="submit" disabled={!text.trim()}>
        {t.verifyPasted}
      </Button>
    </form>
  )
}

const codeClass = 'font-mono text-[0.8125rem]'

function CodeField({
  label,
  hint,
  error,
  value,
  onChange,
}: {
  label: string
  hint: string
  error: string | undefined
  value: string
  onChange: (text: string) => void
}) {
  return (
    <Field label={label} hint={hint} error={error}>
      <TextInput
        className={codeClass}
        spellCheck={false}
        autoComplete="off"
        value={value}
        onChange={(event) => onChange(event.target.value)}
      />
    </Field>
  )
}

/** By what the network is recognized. */
export function ExpectedFields({ expected }: { expected: Expected }) {
  const { keys, operators, isMissing } = expected
  const keyError = keys.isBad ? t.keyBad : isMissing && keys.text === '' ? t.keyUnknown : undefined
  return (
    <>
      <CodeField label={t.key} hint={t.keyHint} error={keyError} value={keys.text} onChange={keys.set} />
      <CodeField
        label={t.operator}
        hint={t.operatorHint}
        error={operators.isBad ? t.operatorBad : undefined}
        value={operators.text}
        onChange={operators.set}
      />
    </>
  )
}

/** A chain where anchors are looked up; asked only after the button was pressed. */
export function ChainForm({ onChain }: { onChain: (url: string) => void }) {
  const [text, setText] = useState('')
  const [isBad, setBad] = useState(false)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    const url = text.trim()
    const isUrl = URL.canParse(url) && /^https?:$/.test(new URL(url).protocol)
    setBad(url !== '' && !isUrl)
    if (url === '' || isUrl) onChain(url)
  }
  return (
    <form onSubmit={submit} noValidate className="flex flex-col items-start gap-3">
      <div className="w-full">
        <CodeField
          label={t.chain}
          hint={t.chainHint}
          error={isBad ? t.chainBad : undefined}
          value={text}
          onChange={setText}
        />
      </div>
      <Button type="submit">{t.askChain}</Button>
    </form>
  )
}
