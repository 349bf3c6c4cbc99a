import { useNavigate } from '@tanstack/react-router'
import { Search as SearchIcon } from 'lucide-react'
import { type FormEvent, useId, useState } from 'react'
import { Button } from '../../ui/button.tsx'
import { parseQuery } from './parse-query.ts'
import { t } from './texts.ts'
import { useChainSettings } from './use-settings.ts'

/** Searches for a transaction, a block or an address. */
export function ChainSearch() {
  const id = useId()
  const navigate = useNavigate()
  const settings = useChainSettings()
  const [text, setText] = useState('')
  const [invalid, setInvalid] = useState(false)
  const prefix = settings.data?.prefix ?? 'tide'
  const find = (event: FormEvent) => {
    event.preventDefault()
    const query = parseQuery(text, prefix)
    setInvalid(query === undefined)
    if (!query) return
    setText('')
    if (query.kind === 'transaction') void navigate({ to: '/chain/tx/$hash', params: { hash: query.hash } })
    else if (query.kind === 'block') void navigate({ to: '/chain/block/$height', params: { height: query.height } })
    else void navigate({ to: '/chain/address/$address', params: { address: query.address } })
  }
  return (
    // biome-ignore lint/a11y/useSemanticElements: a form is needed to submit with Enter
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
            setInvalid(false)
          }}
          placeholder={t.searchHint}
          autoComplete="off"
          spellCheck={false}
          maxLength={200}
          aria-invalid={invalid || undefined}
          aria-describedby={invalid ? `${id}-error` : undefined}
          className="min-h-10 w-full min-w-0 rounded-lg border border-control bg-surface px-3 py-2 aria-invalid:border-danger"
        />
        <Button type="submit" icon={<SearchIcon aria-hidden className="size-4" />} className="min-h-10 shrink-0">
          {t.find}
        </Button>
      </div>
      {invalid && (
        <p id={`${id}-error`} role="alert" className="mt-1.5 text-sm text-danger">
          {t.notReadable(prefix)}
        </p>
      )}
    </form>
  )
}
