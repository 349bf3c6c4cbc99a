import { useNavigate, useSearch } from '@tanstack/react-router'
import { type FormEvent, useState } from 'react'
import { usePageTitle } from '../../lib/page-title.ts'
import { query, useQuery } from '../../lib/queries.ts'
import type { ShareSearch } from '../../searches.ts'
import { Button } from '../../ui/button.tsx'
import { Field, TextInput } from '../../ui/field.tsx'
import { Page } from '../../ui/page.tsx'
import { Card, LoadFailed, Loading } from '../../ui/states.tsx'
import { parsePastedLink } from './pasted-link.ts'
import { ShareGate } from './share-gate.tsx'
import { ShareUnavailable, unavailableStateOf } from './share-unavailable.tsx'
import { folderNumber } from './shared-assets.ts'
import { SharedFileOf } from './shared-file-of.tsx'
import { SharedFolder } from './shared-folder.tsx'
import { t } from './texts.ts'

/** Opens a share by link id, by owner and content, or by a pasted link. */
export function SharePage() {
  usePageTitle()
  const { id, ...search } = useSearch({ from: '/site/share' })
  return (
    <Page>
      {id || (search.cid && !search.address) ? (
        <ByLink id={id} cid={search.cid === undefined ? undefined : String(search.cid)} />
      ) : search.cid ? (
        <Shared search={search} />
      ) : (
        <PasteForm />
      )}
    </Page>
  )
}

function ByLink({ id, cid }: { id: string | undefined; cid: string | undefined }) {
  const target = useQuery({
    ...query('shares.target', id ? { id } : { cid }),
    staleTime: 5 * 60_000,
  })
  if (target.isPending) return <Loading label={t.resolver.finding} />
  if (target.isError) {
    const closed = unavailableStateOf(target.error)
    if (closed) return <ShareUnavailable state={closed} />
    return <LoadFailed title={t.states.failed} error={target.error} onRetry={() => void target.refetch()} />
  }
  const { cid: targetCid, user_id, area_ids } = target.data
  return <Shared search={{ cid: targetCid, address: user_id, area_id: area_ids.join(',') || undefined }} />
}

/** A number names a folder, anything else a file. */
function Shared({ search }: { search: ShareSearch }) {
  const folder = folderNumber(search.cid)
  if (!folder) return <SharedFileOf search={search} />
  return (
    <ShareGate cid={folder} owner={search.address}>
      {(access) => <SharedFolder access={access} />}
    </ShareGate>
  )
}

function PasteForm() {
  const navigate = useNavigate()
  const [text, setText] = useState('')
  const [wrong, setWrong] = useState(false)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    const pasted = parsePastedLink(text, location.origin)
    setWrong(!pasted)
    if (pasted && 'token' in pasted) void navigate({ to: '/s/$token', params: pasted })
    else if (pasted)
      void navigate({ to: '/share', search: 'id' in pasted ? { id: pasted.id } : { id: undefined, ...pasted.search } })
  }
  return (
    <Card className="mx-auto max-w-xl p-6 sm:p-8">
      <h1 className="text-xl font-semibold">{t.resolver.title}</h1>
      <p className="mt-1 mb-5 text-muted">{t.resolver.text}</p>
      <form className="flex flex-col gap-4" onSubmit={submit} noValidate>
        <Field label={t.resolver.label} error={wrong ? t.resolver.notALink : undefined}>
          <TextInput
            value={text}
            autoComplete="off"
            spellCheck={false}
            className="font-mono text-sm"
            onChange={(event) => {
              setText(event.target.value)
              setWrong(false)
            }}
          />
        </Field>
        <Button look="primary" type="submit" disabled={text.trim() === ''} className="self-start">
          {t.resolver.open}
        </Button>
      </form>
    </Card>
  )
}
