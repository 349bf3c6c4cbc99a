import { Fragment, useState } from 'react'
import { areaName } from '../../lib/areas.ts'
import { paged, query, useQuery } from '../../lib/queries.ts'
import { classes } from '../../ui/classes.ts'
import { Card, LoadFailed, Loading } from '../../ui/states.tsx'
import { PageButtons, SelectField } from './controls.tsx'
import { NodeDetails } from './node-details.tsx'
import { NodeRow } from './node-row.tsx'
import { t } from './texts.ts'
import type { Status } from './types.ts'

const SIZE = 20
const REFRESH_MS = 15_000
const statuses = ['online', 'offline', 'abnormal'] as const satisfies Status[]
type Sort = keyof typeof t.sorts

/** All nodes, with filters and sorting; a row expands to show details. */
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
      <div className="mb-4 grid grid-cols-2 gap-x-4 gap-y-3 sm:flex sm:flex-wrap sm:items-end">
        <SelectField
          label={t.area}
          value={area}
          onChange={choose(setArea)}
          options={[['', t.allAreas], ...areas.map((each) => [each, areaName(each)] as const)]}
        />
        <SelectField
          label={t.type}
          value={type}
          onChange={choose(setType)}
          options={[['', t.allTypes], ...t.types.map((name, index) => [String(index + 1), name] as const)]}
        />
        <SelectField
          label={t.status}
          value={status}
          onChange={choose(setStatus)}
          options={[['', t.allStates], ...statuses.map((each) => [each, t.states[each]] as const)]}
        />
        <SelectField
          label={t.sort}
          value={sort}
          onChange={choose((value) => setSort(value as Sort))}
          options={Object.entries(t.sorts)}
        />
        {list.data && (
          <p role="status" className="col-span-2 text-sm text-muted tabular-nums sm:ml-auto sm:py-2">
            {t.found(list.data.total)}
          </p>
        )}
      </div>
      <Card className="overflow-hidden">
        {list.isPending ? (
          <Loading />
        ) : list.isError ? (
          <LoadFailed title={t.failedLoad} error={list.error} onRetry={() => void list.refetch()} />
        ) : list.data.list.length === 0 ? (
          <p className="px-5 py-12 text-center text-muted">{t.noNodes}</p>
        ) : (
          <table className={classes('w-full text-left text-sm', list.isPlaceholderData && 'opacity-60')}>
            <thead>
              <tr className="border-b border-line text-muted">
                <th scope="col" className="py-3 pr-4 pl-5 font-medium">
                  {t.node}
                </th>
                <th scope="col" className="px-4 py-3 font-medium max-md:hidden">
                  {t.area}
                </th>
                <th scope="col" className="px-4 py-3 font-medium max-sm:hidden">
                  {t.uptime}
                  <span aria-hidden className="mt-0.5 flex gap-4 text-xs font-normal">
                    {t.uptimeSpan.map((span) => (
                      <span key={span} className="w-16">
                        {span}
                      </span>
                    ))}
                  </span>
                </th>
                <th scope="col" className="px-4 py-3 font-medium max-lg:hidden">
                  {t.storage}
                </th>
                <th scope="col" className="px-4 py-3 text-right font-medium max-md:hidden">
                  {t.copies}
                </th>
                <th scope="col" className="px-4 py-3 font-medium max-lg:hidden">
                  {t.audits}
                </th>
                <th scope="col" className="w-14 py-3 pr-3">
                  <span className="sr-only">{t.more}</span>
                </th>
              </tr>
            </thead>
            <tbody>
              {list.data.list.map((node) => (
                <Fragment key={node.node_id}>
                  <NodeRow
                    node={node}
                    open={open === node.node_id}
                    onToggle={() => setOpen(open === node.node_id ? '' : node.node_id)}
                  />
                  {open === node.node_id && (
                    <tr className="border-b border-line last:border-b-0">
                      <td colSpan={7} className="bg-sunken/50 px-5 py-6">
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
      {pages > 1 && <PageButtons page={page} pages={pages} onPage={setPage} />}
    </>
  )
}
