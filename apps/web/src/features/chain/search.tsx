import { useNavigate } from '@tanstack/react-router'
import { Search as SearchIcon } from 'lucide-react'
import { type FormEvent, useId, useState } from 'react'
import { Button } from '../../ui/button.tsx'
import { readSought } from './find.ts'
import { t } from './texts.ts'
import { useChainSettings } from './use-settings.ts'

/** Leads to a transaction, a block or an address. */
export function ChainSearch() {
  const id = useId()
  const navigate = useNavigate()
  const settings = useChainSettings()
  const [text, setText] = useState('')
  const [wrong, setWrong] = useState(false)
  const prefix = settings.data?.prefix ?? 'tide'
  const find = (event: FormEvent) => {
    event.preventDefault()
    const sought = readSought(text, prefix)
    setWrong(sought === undefined)
    if (!sought) return
    setText('')
    if (sought.kind === 'transaction') void navigate({ to: '/chain/tx/$hash', params: { hash: sought.hash } })
    else if (sought.kind === 'block') void navigate({ to: '/chain/block/$height', params: { height: sought.height } })
    else void navigate({ to: '/chain/address/$address', params: { address: sought.address } })
  }
  return (
    // biome-ignore lint/a11y/useSemanticElements: a search that is no form would not be sent by the Enter key
    <form role="search" aria-label={t.search} onSubmit={find} className="w-full">
      <div className="flex gap-2">
        <label htmlFor={id} className="sr-only">
          {t.search}
        </label>
        <input
          id={id}
          value={text}
          onChange={(event) => {
            setText(event.target.value)
            setWrong(false)
          }}
          placeholder={t.searchHint}
          autoComplete="off"
          spellCheck={false}
          maxLength={200}
          aria-invalid={wrong || undefined}
          aria-describedby={wrong ? `${id}-wrong` : undefined}
          className="min-h-10 w-full min-w-0 rounded-lg border border-control bg-surface px-3 py-2 aria-invalid:border-danger"
        />
        <Button type="submit" icon={<SearchIcon aria-hidden className="size-4" />} className="min-h-10 shrink-0">
          {t.find}
        </Button>
      </div>
      {wrong && (
        <p id={`${id}-wrong`} role="alert" className="mt-1.5 text-sm text-danger">
          {t.notReadable(prefix)}
        </p>
      )}
    </form>
  )
}
