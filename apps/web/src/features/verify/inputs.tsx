import { FILE_BYTES_MAX } from '@tidenet/receipts'
import { FileCheck } from 'lucide-react'
import { type DragEvent, type FormEvent, useRef, useState } from 'react'
import { Button } from '../../ui/button.tsx'
import { classes } from '../../ui/classes.ts'
import { Field, inputClass, TextInput } from '../../ui/field.tsx'
import { isKey } from './network-key.ts'
import { t } from './texts.ts'

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
  const [isOver, setOver] = useState(false)
  const input = useRef<HTMLInputElement>(null)
  const take = async (files: Iterable<File>) => {
    const read = await Promise.all([...files].map(readInput))
    if (read.length > 0) onInputs(read)
  }
  const drops = {
    onDragOver: (event: DragEvent) => {
      event.preventDefault()
      setOver(true)
    },
    onDragLeave: () => setOver(false),
    onDrop: (event: DragEvent) => {
      event.preventDefault()
      setOver(false)
      void take(event.dataTransfer.files)
    },
  }
  return (
    <div
      className={classes(
        'flex flex-col items-center gap-2 rounded-xl border-2 border-dashed px-4 py-8 text-center transition-colors',
        isOver ? 'border-accent bg-accent-soft' : 'border-control/60',
      )}
      {...drops}
    >
      <FileCheck aria-hidden className="size-7 text-accent" />
      <p className="font-medium">{isOver ? t.dropNow : t.drop}</p>
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

export function KeyField({
  value,
  isMissing,
  onChange,
}: {
  value: string
  isMissing: boolean
  onChange: (key: string) => void
}) {
  const error = value !== '' && !isKey(value) ? t.keyBad : isMissing ? t.keyUnknown : undefined
  return (
    <Field label={t.key} hint={t.keyHint} error={error}>
      <TextInput
        className="font-mono text-[0.8125rem]"
        spellCheck={false}
        autoComplete="off"
        value={value}
        onChange={(event) => onChange(event.target.value.trim())}
      />
    </Field>
  )
}
