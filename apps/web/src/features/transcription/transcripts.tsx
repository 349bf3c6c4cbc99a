import { Link } from '@tanstack/react-router'
import type { SpeechTask } from '@tidenet/contract'
import { Ellipsis, FileText } from 'lucide-react'
import { lazy, Suspense, useEffect, useState } from 'react'
import { formatDateTime } from '../../lib/format.ts'
import { formatDuration } from '../../lib/phrases.ts'
import { usePreferences } from '../../lib/preferences.ts'
import { paged, useQuery } from '../../lib/queries.ts'
import { iconButtonClass } from '../../ui/button.tsx'
import { Menu, MenuItem } from '../../ui/menu.tsx'
import { Pager } from '../../ui/pager.tsx'
import { SearchInput } from '../../ui/search-input.tsx'
import { Card, Empty, LoadFailed, Loading } from '../../ui/states.tsx'
import { Found } from './found.tsx'
import { speechQuery } from './speech-api.ts'
import { hasEnded } from './tasks.ts'
import { t } from './texts.ts'

const RenameDialog = lazy(async () => ({ default: (await import('./task-dialogs.tsx')).RenameDialog }))
const RemoveDialog = lazy(async () => ({ default: (await import('./task-dialogs.tsx')).RemoveDialog }))

const TYPING_MS = 300

/** The account's transcripts, and a search over what was said in all of them. */
export function Transcripts() {
  const [typed, setTyped] = useState('')
  const [wanted, setWanted] = useState('')
  useEffect(() => {
    const timer = setTimeout(() => setWanted(typed.trim()), TYPING_MS)
    return () => clearTimeout(timer)
  }, [typed])
  return (
    <div className="grid gap-4">
      <search className="max-w-md">
        <SearchInput
          label={t.list.search}
          placeholder={t.list.searchHint}
          maxLength={100}
          value={typed}
          onChange={(event) => setTyped(event.target.value)}
        />
      </search>
      {wanted === '' ? <List /> : <Found wanted={wanted} />}
    </div>
  )
}

type Asked = { what: 'rename' | 'remove'; task: SpeechTask }

function List() {
  const [page, setPage] = useState(1)
  const size = usePreferences((preferences) => preferences.rows)
  const { data, error, refetch } = useQuery({ ...speechQuery('speech.list', { page, size }), ...paged })
  const [asked, setAsked] = useState<Asked>()
  const close = () => setAsked(undefined)
  if (!data)
    return error ? <LoadFailed title={t.list.failed} error={error} onRetry={() => void refetch()} /> : <Loading />
  if (data.total === 0)
    return (
      <Card>
        <Empty icon={<FileText aria-hidden className="size-5" />} title={t.list.empty}>
          {t.list.emptyText}
        </Empty>
      </Card>
    )
  const l = t.list
  return (
    <>
      <Card className="overflow-hidden">
        <table className="w-full text-left text-sm max-md:block">
          <thead className="max-md:sr-only">
            <tr className="border-b border-line text-muted">
              {[l.name, l.state, l.language, l.duration, l.date].map((name) => (
                <th key={name} scope="col" className="px-4 py-3 font-medium">
                  {name}
                </th>
              ))}
              <th scope="col">
                <span className="sr-only">{l.actions('')}</span>
              </th>
            </tr>
          </thead>
          <tbody className="max-md:block">
            {data.list.map((task) => (
              <Row key={task.id} task={task} onAsk={(what) => setAsked({ what, task })} />
            ))}
          </tbody>
        </table>
      </Card>
      {data.total > Math.min(size, 10) && <Pager page={page} total={data.total} onPage={setPage} />}
      <Suspense>
        {asked?.what === 'rename' && <RenameDialog task={asked.task} onClose={close} />}
        {asked?.what === 'remove' && <RemoveDialog task={asked.task} onClose={close} />}
      </Suspense>
    </>
  )
}

/** A table row on wide screens; on phones, the name above the facts and the menu beside them. */
function Row({ task, onAsk }: { task: SpeechTask; onAsk: (what: Asked['what']) => void }) {
  const { id, name, language, state, seconds, created_at } = task
  const cell = 'md:px-4 md:py-2.5 text-muted'
  return (
    <tr className="border-b border-line last:border-b-0 max-md:relative max-md:flex max-md:flex-wrap max-md:gap-x-3 max-md:p-4 max-md:pr-14">
      <th scope="row" className="font-medium wrap-anywhere max-md:basis-full md:px-4 md:py-2.5">
        {state === 'complete' ? (
          <Link
            to="/whisper"
            search={{ task: id }}
            className="inline-flex min-h-7 items-center text-accent underline hover:text-accent-strong"
          >
            {name}
          </Link>
        ) : (
          name
        )}
      </th>
      <td className={cell}>{t.states[state]}</td>
      <td className={cell}>{t.language.names[language]}</td>
      <td className={`${cell} tabular-nums`}>{seconds === null ? '–' : formatDuration(seconds * 1000)}</td>
      <td className={`${cell} tabular-nums`}>{formatDateTime(created_at)}</td>
      <td className="text-right max-md:absolute max-md:top-2.5 max-md:right-3 md:px-2">
        <Menu
          label={t.list.actions(name)}
          triggerClass={iconButtonClass()}
          trigger={<Ellipsis aria-hidden className="size-5" />}
        >
          <MenuItem onSelect={() => onAsk('rename')}>{t.rename}</MenuItem>
          {hasEnded(task) && (
            <MenuItem danger onSelect={() => onAsk('remove')}>
              {t.remove}
            </MenuItem>
          )}
        </Menu>
      </td>
    </tr>
  )
}
