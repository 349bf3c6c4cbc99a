import type { AdminNode } from '@tidenet/contract'
import { useState } from 'react'
import { api } from '../../lib/api.ts'
import { areaName } from '../../lib/areas.ts'
import { formatDateTime, formatNumber, formatPercent, formatSize } from '../../lib/format.ts'
import { paged, query, refresh, useQuery } from '../../lib/queries.ts'
import { t as shell } from '../../lib/texts.ts'
import { Button } from '../../ui/button.tsx'
import { classes } from '../../ui/classes.ts'
import { CopyField } from '../../ui/copy.tsx'
import { Panel } from '../../ui/dialog.tsx'
import { Badge, Notice } from '../../ui/states.tsx'
import { AreaDialog } from './area-dialog.tsx'
import { type Column, Facts, Filters, List, SelectFilter, TextFilter } from './list.tsx'
import { NoteForm } from './note-form.tsx'
import { ReasonDialog } from './reason-dialog.tsx'
import { booleanOf, choiceOf, useAdminSearch, useSetSearch } from './search.ts'
import { t } from './texts.ts'
import { AuditLogLink } from './user-details.tsx'

const STATES = ['online', 'offline', 'abnormal'] as const
const KINDS = ['edge', 'candidate', 'validator'] as const
const REFRESH_MS = 15_000

function Status({ node }: { node: AdminNode }) {
  return (
    <span className="inline-flex items-center gap-2 whitespace-nowrap">
      <span
        aria-hidden
        className={classes(
          'size-2 rounded-full',
          node.status === 'online' ? 'bg-good' : node.status === 'abnormal' ? 'bg-warn' : 'bg-line',
        )}
      />
      {t.nodes.states[node.status]}
    </span>
  )
}

/** Until when it is valid, what is wrong with it, and what the CA says. */
function Certificate({ of }: { of: AdminNode['certificate'] }) {
  const n = t.nodes
  if (!of) return n.noCertificate
  const { until, problem, since, detail } = of
  return (
    <span className="block wrap-anywhere">
      {until ? n.certificateUntil(formatDateTime(until)) : n.certificateNone}
      {problem !== '' && (
        <span className="block text-warn">
          {n.certificateProblem[problem](detail)}
          {since && ` ${t.overview.since(formatDateTime(since))}`}
        </span>
      )}
      {problem !== 'clock' && detail !== '' && <span className="block text-sm text-muted">{detail}</span>}
    </span>
  )
}

const columns = (): Column<AdminNode>[] => [
  {
    title: t.nodes.node,
    cell: (node) => (
      <>
        <span className="flex flex-wrap items-center gap-x-2 gap-y-1 wrap-anywhere">
          <span translate="no">{node.name}</span>
          {node.out_since && <Badge tone="warn">{t.nodes.out}</Badge>}
          {node.draining_since && <Badge tone="warn">{t.nodes.draining}</Badge>}
          {node.leaving && <Badge>{node.leaving.remaining === 0 ? t.nodes.left : t.nodes.leaving}</Badge>}
          {node.standing === 'new' && <Badge>{t.nodes.standings.new}</Badge>}
          {node.status === 'online' && !node.reachable && <Badge>{t.nodes.unreachable}</Badge>}
        </span>
        <span translate="no" className="block text-xs text-muted wrap-anywhere">
          {node.area_id}
          {node.declared_area && ` · ${t.nodes.declaredAs(node.declared_area)}`}
        </span>
        {node.note && <span className="mt-0.5 block text-xs wrap-anywhere text-muted">{node.note}</span>}
      </>
    ),
  },
  { title: t.nodes.state, cell: (node) => <Status node={node} /> },
  { title: t.nodes.kind, className: 'max-md:hidden', cell: (node) => t.nodes.kinds[node.kind] },
  {
    title: t.nodes.copies,
    className: 'text-right tabular-nums max-md:hidden',
    cell: (node) => formatNumber(node.replicas),
  },
  {
    title: t.nodes.used,
    className: 'tabular-nums max-lg:hidden',
    cell: (node) => t.users.ofLimit(formatSize(node.used), formatSize(node.capacity)),
  },
  {
    title: t.nodes.seen,
    className: 'tabular-nums whitespace-nowrap max-lg:hidden',
    cell: (node) => (node.seen_at ? formatDateTime(node.seen_at) : t.never),
  },
]

/** Nodes by name. */
export function NodesView() {
  const search = useAdminSearch()
  const set = useSetSearch()
  const status = choiceOf(search.status, STATES)
  const kind = choiceOf(search.kind, KINDS)
  const out = booleanOf(search.out)
  const state = useQuery({
    ...query('admin.nodes', {
      ...(search.q && { q: search.q }),
      ...(status && { status }),
      ...(kind && { kind }),
      ...(out !== undefined && { out }),
      ...(search.after && { after: search.after }),
    }),
    ...paged,
    refetchInterval: REFRESH_MS,
  })
  const open = state.data?.list.find((node) => node.node_id === search.open)
  return (
    <>
      <Filters names={['q', 'status', 'kind', 'out']}>
        <TextFilter name="q" label={t.nodes.search} />
        <SelectFilter
          name="status"
          label={t.nodes.state}
          options={STATES.map((each) => [each, t.nodes.states[each]] as const)}
        />
        <SelectFilter
          name="kind"
          label={t.nodes.kind}
          options={KINDS.map((each) => [each, t.nodes.kinds[each]] as const)}
        />
        <SelectFilter
          name="out"
          label={t.nodes.service}
          options={[
            ['false', t.nodes.serves],
            ['true', t.nodes.out],
          ]}
          none={t.any}
        />
      </Filters>
      <List
        state={state}
        columns={columns()}
        keyOf={(node) => node.node_id}
        nameOf={(node) => node.name}
        onOpen={(node) => set({ open: node.node_id })}
      />
      {open && (
        <Panel open onClose={() => set({ open: undefined }, true)} title={open.name}>
          <NodeDetails node={open} />
        </Panel>
      )}
    </>
  )
}

const reload = () => refresh('admin.nodes', 'admin.overview', 'admin.audit')

function NodeDetails({ node }: { node: AdminNode }) {
  const [changing, setChanging] = useState<'service' | 'area'>()
  const n = t.nodes
  const { node_id } = node
  const isOut = node.out_since !== null
  return (
    <div className="flex flex-col gap-5">
      <CopyField text={node_id} label={shell.words.copy} />
      {node.out_since && <Notice tone="warn">{n.outSince(formatDateTime(node.out_since))}</Notice>}
      {node.draining_since && <Notice tone="warn">{n.drainingSince(formatDateTime(node.draining_since))}</Notice>}
      {node.leaving && (
        <Notice>
          {node.leaving.remaining === 0
            ? n.leftSince(formatDateTime(node.leaving.since))
            : n.leavingSince(formatDateTime(node.leaving.since), node.leaving.remaining)}
        </Notice>
      )}
      <Facts
        facts={[
          [n.state, <Status key="state" node={node} />],
          [n.kind, n.kinds[node.kind]],
          [n.area, node.area_id],
          [n.areaSource, n.areaSources[node.region_by]],
          [n.declared, node.declared_area ?? n.asShown],
          [n.located, node.located_country === null ? areaName('Unknown') : areaName(node.located_country)],
          [n.url, node.url],
          [n.ip, node.ip],
          [n.certificate, <Certificate key="certificate" of={node.certificate} />],
          [n.version, node.version],
          [n.copies, formatNumber(node.replicas)],
          [n.used, t.users.ofLimit(formatSize(node.used), formatSize(node.capacity))],
          [n.standing, n.standings[node.standing]],
          [n.quality, formatPercent(node.quality, 1)],
          [n.rate, node.rate > 0 ? n.perSecond(formatSize(node.rate)) : n.notMeasured],
          [n.network, node.network],
          [n.seen, node.seen_at ? formatDateTime(node.seen_at) : t.never],
          [n.registered, formatDateTime(node.registered_at)],
        ]}
      />
      <NoteForm
        note={node.note}
        onSave={async (note) => {
          await api('admin.nodeNote', { node_id, note })
          reload()
        }}
      />
      <div className="flex flex-wrap items-center justify-between gap-3">
        <span className="flex flex-wrap gap-3">
          <Button onClick={() => setChanging('area')}>{n.assignArea}</Button>
          <Button look={isOut ? 'secondary' : 'quietDanger'} onClick={() => setChanging('service')}>
            {isOut ? n.putBack : n.takeOut}
          </Button>
        </span>
        <span className="text-sm">
          <AuditLogLink search={{ subject: `node:${node_id}` }}>{t.trail}</AuditLogLink>
        </span>
      </div>
      {changing === 'area' && <AreaDialog node={node} onDone={reload} onClose={() => setChanging(undefined)} />}
      {changing === 'service' && (
        <ReasonDialog
          title={isOut ? n.putBack : n.takeOut}
          text={isOut ? n.putBackText : n.takeOutText}
          confirm={isOut ? n.putBack : n.takeOut}
          danger={!isOut}
          onClose={() => setChanging(undefined)}
          act={async (reason) => {
            await api(isOut ? 'admin.nodeBack' : 'admin.nodeOut', { node_id, reason })
            reload()
            return undefined
          }}
        />
      )}
    </div>
  )
}
