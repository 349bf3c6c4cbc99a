import { areaName } from '@tidenet/contract/areas'
import { ChevronDown } from 'lucide-react'
import { Fragment, useId, useState } from 'react'
import { formatNumber, formatPercent, formatSize } from '../../lib/format.ts'
import { paged, query, useQuery } from '../../lib/queries.ts'
import { lang } from '../../lib/texts.ts'
import { Button } from '../../ui/button.tsx'
import { classes } from '../../ui/classes.ts'
import { NodeMark } from '../../ui/node-mark.tsx'
import { Card, LoadFailed, Loading } from '../../ui/states.tsx'
import { NodeDetails } from './node-details.tsx'
import { t } from './texts.ts'
import type { ExplorerNode, Status } from './types.ts'

const SIZE = 20
const REFRESH_MS = 15_000
const statuses = ['online', 'offline', 'abnormal'] as const satisfies Status[]
type Sort = keyof typeof t.sorts

/** All nodes, chosen and ordered; a row opens to show more of one. */
export function NodesSection({ areas }: { areas: readonly string[] }) {
  const [area, setArea] = useState('')
  const [type, setType] = useState('')
  const [status, setStatus] = useState('')
  const [sort, setSort] = useState<Sort>('online')
  const [page, setPage] = useState(1)
  const [open, setOpen] = useState('')
  const list = useQuery({
    ...query('explorer.nodes', {
      page,
      size: SIZE,
      sort,
      ...(area && { area }),
      ...(type && { type: Number(type) }),
      ...(status && { status: status as Status }),
    }),
    ...paged,
    refetchInterval: REFRESH_MS,
  })
  const pages = Math.ceil((list.data?.total ?? 0) / SIZE)
  const choose = (set: (value: string) => void) => (value: string) => {
    set(value)
    setPage(1)
  }
  return (
    <>
      <div className="mb-4 flex flex-wrap gap-x-5 gap-y-3">
        <Choice
          label={t.area}
          value={area}
          onChange={choose(setArea)}
          options={[['', t.allAreas], ...areas.map((each) => [each, areaName(each, lang)] as const)]}
        />
        <Choice
          label={t.type}
          value={type}
          onChange={choose(setType)}
          options={[['', t.allTypes], ...t.types.map((name, index) => [String(index + 1), name] as const)]}
        />
        <Choice
          label={t.status}
          value={status}
          onChange={choose(setStatus)}
          options={[['', t.allStates], ...statuses.map((each) => [each, t.states[each]] as const)]}
        />
        <Choice
          label={t.sort}
          value={sort}
          onChange={choose((value) => setSort(value as Sort))}
          options={Object.entries(t.sorts)}
        />
      </div>
      <Card className="overflow-x-auto">
        {list.isPending ? (
          <Loading />
        ) : list.isError ? (
          <LoadFailed title={t.failedLoad} error={list.error} onRetry={() => void list.refetch()} />
        ) : list.data.list.length === 0 ? (
          <p className="px-5 py-10 text-center text-muted">{t.noNodes}</p>
        ) : (
          <table className="w-full min-w-176 text-left text-sm">
            <thead>
              <tr className="border-b border-line text-muted">
                {[t.node, t.area, t.uptime, t.room, t.copies, t.audits].map((title) => (
                  <th key={title} scope="col" className="px-4 py-3 font-medium first:pl-5">
                    {title}
                  </th>
                ))}
                <td />
              </tr>
            </thead>
            <tbody>
              {list.data.list.map((node) => (
                <Fragment key={node.node_id}>
                  <Row
                    node={node}
                    open={open === node.node_id}
                    onToggle={() => setOpen(open === node.node_id ? '' : node.node_id)}
                  />
                  {open === node.node_id && (
                    <tr>
                      <td colSpan={7} className="border-b border-line bg-sunken/50 px-5 py-5">
                        <NodeDetails id={node.node_id} />
                      </td>
                    </tr>
                  )}
                </Fragment>
              ))}
            </tbody>
          </table>
        )}
      </Card>
      {pages > 1 && <Turn page={page} pages={pages} onPage={setPage} />}
    </>
  )
}

/** A native choice: light, and known to every hand. */
function Choice({
  label,
  value,
  options,
  onChange,
}: {
  label: string
  value: string
  options: readonly (readonly [string, string])[]
  onChange: (value: string) => void
}) {
  const id = useId()
  return (
    <span className="flex items-center gap-2">
      <label htmlFor={id} className="text-sm text-muted">
        {label}
      </label>
      <select
        id={id}
        value={value}
        onChange={(event) => onChange(event.target.value)}
        className="min-h-9 rounded-lg border border-control/60 bg-surface px-2 text-sm"
      >
        {options.map(([key, name]) => (
          <option key={key} value={key}>
            {name}
          </option>
        ))}
      </select>
    </span>
  )
}

function Row({ node, open, onToggle }: { node: ExplorerNode; open: boolean; onToggle: () => void }) {
  const name = node.name || node.node_id
  return (
    <tr className="border-b border-line last:border-b-0 hover:bg-sunken/40">
      <td className="px-4 py-3 pl-5">
        <span className="flex items-center gap-2.5">
          <NodeMark kind={node.type as 1 | 2 | 3} status={node.status} />
          <span>
            <span className="block font-mono" translate="no">
              {name.length > 22 ? `${name.slice(0, 14)}…${name.slice(-5)}` : name}
            </span>
            <span className="block text-muted">
              {t.types[node.type - 1]} · {t.states[node.status]}
            </span>
          </span>
        </span>
      </td>
      <td className="px-4 py-3">{areaName(node.area, lang)}</td>
      <td className="px-4 py-3">
        <ul className="flex gap-4">
          {[node.uptime_24h, node.uptime_7d, node.uptime_30d].map((share, index) => (
            <li key={t.uptimeSpan[index]}>
              <span className="block font-mono tabular-nums">{formatPercent(share, 1, share === 1 ? 0 : 2)}</span>
              <span className="block text-xs text-muted">{t.uptimeSpan[index]}</span>
            </li>
          ))}
        </ul>
      </td>
      <td className="px-4 py-3 font-mono whitespace-nowrap tabular-nums">
        {t.roomOf(formatSize(node.used), formatSize(node.capacity))}
      </td>
      <td className="px-4 py-3 font-mono tabular-nums">{formatNumber(node.replicas)}</td>
      <td className={classes('px-4 py-3 tabular-nums', node.audits_failed_7d > 0 && 'text-warn')}>
        {t.auditsOf(formatNumber(node.audits_passed_7d), formatNumber(node.audits_failed_7d))}
      </td>
      <td className="py-3 pr-3 text-right">
        <button
          type="button"
          aria-expanded={open}
          aria-label={t.details(name)}
          onClick={onToggle}
          className="inline-flex size-9 items-center justify-center rounded-lg text-muted hover:bg-sunken hover:text-text"
        >
          <ChevronDown aria-hidden className={classes('size-4 transition-transform', open && 'rotate-180')} />
        </button>
      </td>
    </tr>
  )
}

export function Turn({ page, pages, onPage }: { page: number; pages: number; onPage: (page: number) => void }) {
  return (
    <div className="mt-3 flex items-center justify-end gap-3">
      <span className="text-sm text-muted tabular-nums">
        {formatNumber(page)} / {formatNumber(pages)}
      </span>
      <Button disabled={page === 1} onClick={() => onPage(page - 1)}>
        {t.newer}
      </Button>
      <Button disabled={page >= pages} onClick={() => onPage(page + 1)}>
        {t.older}
      </Button>
    </div>
  )
}
