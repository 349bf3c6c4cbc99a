import { Lock } from 'lucide-react'
import { type FormEvent, type ReactNode, useCallback, useState } from 'react'
import { formatSize } from '../../lib/format.ts'
import { Button } from '../../ui/button.tsx'
import { Field, PasswordInput } from '../../ui/field.tsx'
import { Empty } from '../../ui/states.tsx'
import { FileIcon, kindOf } from './file-icon.tsx'
import { previewKind } from './kinds.ts'
import type { Source } from './source.ts'
import { t } from './texts.ts'
import { type Origin, Viewer } from './viewer.tsx'

/** A file of unknown kind up to this size can be shown as text. */
const AS_TEXT_MAX = 4 * 1024 * 1024

interface FileBodyProps {
  source: Source
  name: string
  size: number
  encrypted: boolean
  /** Opened other files before; tried first. */
  passphrase?: string | undefined
  onPassphrase: (passphrase: string) => void
  onOrigin: (origin: Origin | undefined) => void
  /** A way to download the file, where the page has none. */
  download?: ReactNode
}

/** The content of a file; asks for its passphrase, or says that it has no preview. */
export function FileBody(props: FileBodyProps) {
  const { source, name, size, encrypted, passphrase, onPassphrase, onOrigin, download } = props
  const [rejected, setRejected] = useState<string>()
  const [forced, setForced] = useState(false)
  const again = useCallback(() => setRejected(passphrase), [passphrase])
  const kind = previewKind(name)
  if (kind === 'none' && !forced)
    return (
      <Empty icon={<FileIcon name={name} folder={false} className="size-6" />} title={t.none}>
        <p>{t.browse.sizeAndKind(kindOf(name, false), formatSize(size))}</p>
        <p>{t.noneText}</p>
        <div className="mt-4 flex flex-wrap justify-center gap-2">
          {size <= AS_TEXT_MAX && <Button onClick={() => setForced(true)}>{t.asText}</Button>}
          {download}
        </div>
      </Empty>
    )
  if (encrypted && (passphrase === undefined || passphrase === rejected))
    return <Unlock wrong={rejected !== undefined} onUnlock={onPassphrase} />
  return (
    <Viewer
      source={source}
      name={name}
      size={size}
      kind={kind}
      passphrase={encrypted ? passphrase : undefined}
      onOrigin={onOrigin}
      onWrongKey={again}
    />
  )
}

function Unlock({ wrong, onUnlock }: { wrong: boolean; onUnlock: (passphrase: string) => void }) {
  const [text, setText] = useState('')
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (text !== '') onUnlock(text)
  }
  return (
    <form className="mx-auto flex max-w-md flex-col gap-4 p-8" onSubmit={submit}>
      <Lock aria-hidden className="size-7 text-accent" />
      <div>
        <h2 className="text-lg font-semibold">{t.encrypted}</h2>
        <p className="text-muted">{t.encryptedText}</p>
      </div>
      <Field label={t.passphrase} error={wrong ? t.wrongPassphrase : undefined}>
        <PasswordInput autoComplete="off" value={text} onChange={(event) => setText(event.target.value)} />
      </Field>
      <Button look="primary" type="submit" disabled={text === ''} className="self-start">
        {t.decrypt}
      </Button>
    </form>
  )
}
