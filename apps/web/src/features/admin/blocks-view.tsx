import type { BlockObjection, ContentBlock } from '@tidenet/contract'
import { Ban } from 'lucide-react'
import { useState } from 'react'
import { api } from '../../lib/api.ts'
import { formatDateTime } from '../../lib/format.ts'
import { paged, query, useQuery } from '../../lib/queries.ts'
import { Button } from '../../ui/button.tsx'
import { Panel } from '../../ui/dialog.tsx'
import { Badge, Card, Empty } from '../../ui/states.tsx'
import { t as abuse } from '../abuse/texts.ts'
import { t } from './abuse-texts.ts'
import { BlockDialog, LiftDialog, refreshBlocks } from './block-dialog.tsx'
import { type Column, Facts, Filters, List, SelectFilter, TextFilter } from './list.tsx'
import { ReasonDialog } from './reason-dialog.tsx'
import { useAdminSearch, useSetSearch } from './search.ts'

const columns = (): Column<ContentBlock>[] => [
  {
    title: t.content,
    cell: ({ cid, category, reason }) => (
      <>
        <span className="flex flex-wrap items-center gap-x-2 gap-y-1">
          {category ? abuse.categories[category] : <Badge>{t.lifted}</Badge>}
        </span>
        <span className="block font-mono text-xs text-muted wrap-anywhere" translate="no">
          {cid}
        </span>
        <span className="block text-xs text-muted wrap-anywhere">
          <bdi>{reason}</bdi>
        </span>
      </>
    ),
  },
  { title: t.who, className: 'max-md:hidden wrap-anywhere', cell: ({ by }) => by },
  {
    title: t.when,
    className: 'tabular-nums whitespace-nowrap max-sm:hidden',
    cell: ({ at }) => formatDateTime(at),
  },
]

/** Contents that are blocked, the history of blocks, and objections. */
export function BlocksView() {
  const search = useAdminSearch()
  const set = useSetSearch()
  const [adding, setAdding] = useState(false)
  const [lifting, setLifting] = useState<string>()
  const state = useQuery({
    ...query('admin.blocks', {
      ...(search.state !== 'all' && { current: true }),
      ...(search.q && { cid: search.q }),
      ...(search.after && { after: search.after }),
    }),
    ...paged,
  })
  const open = state.data?.list.find(({ id }) => String(id) === search.open)
  return (
    <>
      <Objections />
      <div className="flex flex-wrap items-end justify-between gap-x-3">
        <Filters names={['state', 'q']}>
          <SelectFilter name="state" label={t.filter} none={t.current} options={[['all', t.history]]} />
          <TextFilter name="q" label={t.oneCid} />
        </Filters>
        <Button look="primary" className="mb-4" onClick={() => setAdding(true)}>
          {t.add}
        </Button>
      </div>
      <List
        state={state}
        columns={columns()}
        keyOf={({ id }) => String(id)}
        nameOf={({ cid }) => t.details(cid)}
        onOpen={({ id }) => set({ open: String(id) })}
        {...(!search.q && {
          empty: (
            <Empty icon={<Ban aria-hidden className="size-6" />} title={t.noBlocks}>
              {t.noBlocksText}
            </Empty>
          ),
        })}
      />
      {open && (
        <Panel open onClose={() => set({ open: undefined }, true)} title={t.content}>
          <BlockHistory cid={open.cid} onLift={() => setLifting(open.cid)} />
        </Panel>
      )}
      {adding && <BlockDialog onClose={() => setAdding(false)} />}
      {lifting !== undefined && <LiftDialog cid={lifting} onClose={() => setLifting(undefined)} />}
    </>
  )
}

/** Who blocked a content and lifted its blocks, when and why. */
function BlockHistory({ cid, onLift }: { cid: string; onLift: () => void }) {
  const { data } = useQuery(query('admin.blocks', { cid }))
  return (
    <div className="flex flex-col gap-5">
      <p className="font-mono text-xs wrap-anywhere" translate="no">
        {cid}
      </p>
      {data?.list[0]?.blocked && (
        <div>
          <Button onClick={onLift}>{t.lift}</Button>
        </div>
      )}
      {data?.list.map(({ id, category, by, at, reason }) => (
        <div key={id} className="rounded-xl bg-sunken px-4 py-3">
          <p className="mb-2 font-medium">{category ? abuse.categories[category] : t.lifted}</p>
          <Facts
            facts={[
              [t.who, by],
              [t.when, formatDateTime(at)],
              [t.why, <bdi key="why">{reason}</bdi>],
            ]}
          />
        </div>
      ))}
    </div>
  )
}

/** Objections that wait for an answer; nothing if there are none. */
function Objections() {
  const { data } = useQuery(query('admin.objections', { answered: false }))
  if (!data || data.list.length === 0) return null
  return (
    <section aria-labelledby="objections" className="mb-8">
      <h2 id="objections" className="mb-3 text-lg font-semibold">
        {t.objections}
      </h2>
      <Card>
        <ul className="divide-y divide-line">
          {data.list.map((objection) => (
            <Objection key={objection.id} objection={objection} />
          ))}
        </ul>
      </Card>
    </section>
  )
}

function Objection({ objection: { id, cid, name, category, uid, text, at } }: { objection: BlockObjection }) {
  const [dialog, setDialog] = useState<'lift' | 'answer'>()
  return (
    <li className="flex flex-col gap-3 px-5 py-4">
      <p className="whitespace-pre-wrap wrap-anywhere">
        <bdi>{text}</bdi>
      </p>
      <Facts
        facts={[
          [t.file, <bdi key="name">{name}</bdi>],
          [t.cid, cid],
          [t.category, abuse.categories[category]],
          [t.from, uid],
          [t.when, formatDateTime(at)],
        ]}
      />
      <div className="flex flex-wrap gap-2">
        <Button onClick={() => setDialog('lift')}>{t.lift}</Button>
        <Button onClick={() => setDialog('answer')}>{t.answer}</Button>
      </div>
      {dialog === 'lift' && <LiftDialog cid={cid} onClose={() => setDialog(undefined)} />}
      {dialog === 'answer' && (
        <ReasonDialog
          title={t.answer}
          text={t.answerText}
          confirm={t.answer}
          act={async (answer) => {
            await api('admin.objectionAnswer', { id, answer })
            refreshBlocks()
            return t.answeredToast
          }}
          onClose={() => setDialog(undefined)}
        />
      )}
    </li>
  )
}
