import { Lock } from 'lucide-react'
import { type FormEvent, lazy, type ReactNode, Suspense, useCallback, useState } from 'react'
import { formatSize } from '../../lib/format.ts'
import { useSession } from '../../lib/session-store.ts'
import { Button } from '../../ui/button.tsx'
import { Field, PasswordInput } from '../../ui/field.tsx'
import { Empty, Loading } from '../../ui/states.tsx'
import { useVault } from '../vault/store.ts'
import { type Sealed, useSealedBy } from '../vault/use-sealed-by.ts'
import { FileIcon, kindOf } from './file-icon.tsx'
import { previewKind } from './kinds.ts'
import { accessOf, type Source } from './source.ts'
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

const UnlockHere = lazy(async () => ({ default: (await import('../vault/unlock-here.tsx')).UnlockHere }))

/** What the SDK needs to read the beginning of a file. */
const sealedOf = (source: Source): Sealed => ({
  cid: source.cid,
  ...(source.kind === 'temp' && { temporary: true }),
  options: {
    ...(source.path && { path: source.path }),
    ...accessOf(source),
  },
})

/** The content of a file; asks for its passphrase, or says that it has no preview. */
export function FileBody(props: FileBodyProps) {
  const { source, name, size, encrypted, passphrase, onPassphrase, onOrigin, download } = props
  const [rejected, setRejected] = useState<string>()
  const [forced, setForced] = useState(false)
  const sealedBy = useSealedBy(encrypted ? sealedOf(source) : undefined)
  const mine = useSession(
    ({ address }) => source.kind === 'own' || (address !== '' && source.kind === 'open' && source.owner === address),
  )
  const identity = useVault(({ key }) => key?.identity)
  const secret = sealedBy === 'key' ? (mine ? identity : undefined) : passphrase
  const again = useCallback(() => setRejected(secret), [secret])
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
  if (encrypted && sealedBy === undefined) return <Loading />
  if (encrypted && (secret === undefined || secret === rejected)) {
    if (sealedBy !== 'key') return <Unlock wrong={rejected !== undefined} onUnlock={onPassphrase} />
    return (
      <div className="mx-auto flex max-w-md flex-col gap-4 p-8">
        <Lock aria-hidden className="size-7 text-accent" />
        <h2 className="text-lg font-semibold">{t.encrypted}</h2>
        <Suspense fallback={<Loading />}>
          <UnlockHere mine={mine} />
        </Suspense>
        {download}
      </div>
    )
  }
  return (
    <Viewer
      source={source}
      name={name}
      size={size}
      kind={kind}
      passphrase={encrypted ? secret : undefined}
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
