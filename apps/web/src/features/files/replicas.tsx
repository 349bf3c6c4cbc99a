import type { Output, RouteOf } from '@tidenet/contract'
import type { Challenge } from '@tidenet/storage'
import { CircleCheck, CircleX, LoaderCircle } from 'lucide-react'
import { lazy, Suspense, useState } from 'react'
import { countryOf } from '../../lib/areas.ts'
import { formatDateTime, formatNumber, formatPercent, formatSize } from '../../lib/format.ts'
import { shorten } from '../../lib/phrases.ts'
import { t as shell } from '../../lib/texts.ts'
import { Button } from '../../ui/button.tsx'
import { classes } from '../../ui/classes.ts'
import { NodeMark } from '../../ui/node-mark.tsx'
import { storage } from '../transfers/storage.ts'
import { t } from './texts.ts'

const WorldMap = lazy(async () => ({ default: (await import('../../ui/world-map.tsx')).WorldMap }))

type Replica = Output<RouteOf<'assets.replicas'>>['list'][number]

/** State of a replica check: running, refused, or its result. */
type CheckState = 'running' | { refusal: string } | Challenge

const kindOf = (type: number): 1 | 2 | 3 => (type === 1 ? 1 : type === 3 ? 3 : 2)

/** The replicas of a file, with their last audit and a button to check each. */
export function Replicas({ cid, list }: { cid: string; list: readonly Replica[] }) {
  const [checks, setChecks] = useState<ReadonlyMap<string, CheckState>>(new Map())
  const [selected, setSelected] = useState<string>()
  if (list.length === 0) return <p className="text-muted">{t.details.noNodes}</p>

  const setCheck = (id: string, state: CheckState) => setChecks((before) => new Map(before).set(id, state))
  const check = async (nodeId: string) => {
    setCheck(nodeId, 'running')
    try {
      const sdk = await storage()
      const result = await sdk.challengeReplica({ cid, nodeId })
      setCheck(nodeId, result.code === 0 ? (result.data as Challenge) : { refusal: result.msg })
    } catch {
      setCheck(nodeId, { refusal: shell.errors.chunkTitle })
    }
  }
  return (
    <>
      <Suspense fallback={<div className="aspect-2/1 rounded-xl bg-sunken" />}>
        <WorldMap
          label={t.details.mapLabel}
          listedIn="replicas"
          selected={selected}
          onSelect={(id) => {
            setSelected(id)
            document.getElementById(`replica-${id}`)?.scrollIntoView({ block: 'nearest' })
          }}
          points={list
            .filter(({ state }) => state === 'stored')
            .map((replica) => ({
              id: replica.node_id,
              lat: replica.value[0],
              lng: replica.value[1],
              kind: kindOf(replica.nodeType),
              status: replica.status,
              title: replica.name,
              detail: countryOf(replica.area_id),
            }))}
          className="overflow-hidden rounded-xl border border-line"
        />
      </Suspense>
      <p className="mt-3 mb-2 text-sm text-muted">{t.details.challengeIntro}</p>
      <ul id="replicas" className="divide-y divide-line rounded-xl border border-line text-sm">
        {list.map((replica) => (
          <li
            key={replica.node_id}
            id={`replica-${replica.node_id}`}
            className={classes('px-3.5 py-3', selected === replica.node_id && 'bg-accent-soft')}
          >
            <div className="flex items-start gap-3">
              <NodeMark kind={kindOf(replica.nodeType)} status={replica.status} className="mt-1" />
              <div className="min-w-0 flex-1">
                <p className="flex flex-wrap items-baseline gap-x-2">
                  <span className="font-medium">{replica.name}</span>
                  <span className="text-muted">{countryOf(replica.area_id)}</span>
                </p>
                <p className="font-mono text-xs text-muted" title={replica.node_id}>
                  {shorten(replica.node_id, 10, 6)}
                </p>
                <p className="mt-1 text-muted">
                  <span
                    className={
                      replica.state === 'stored'
                        ? 'text-good'
                        : replica.state === 'lost'
                          ? 'text-danger'
                          : 'text-signal'
                    }
                  >
                    {t.details.state[replica.state]}
                  </span>
                  {', '}
                  {t.details.nodeState[replica.status]}
                </p>
                <p className="text-muted">
                  {t.details.audit}: {auditText(replica)}
                </p>
              </div>
              {replica.state === 'stored' && (
                <Button
                  className="min-h-8 px-2.5 py-1"
                  aria-label={t.details.challengeOne(replica.name)}
                  disabled={!replica.reachable || checks.get(replica.node_id) === 'running'}
                  title={replica.reachable ? undefined : t.details.unreachable}
                  onClick={() => void check(replica.node_id)}
                >
                  {t.details.challenge}
                </Button>
              )}
            </div>
            <div role="status">
              <CheckResult state={checks.get(replica.node_id)} />
            </div>
          </li>
        ))}
      </ul>
    </>
  )
}

const auditText = ({ audit }: Replica): string =>
  !audit
    ? t.details.auditNone
    : audit.passed
      ? t.details.auditPassed(formatDateTime(audit.at))
      : t.details.auditFailed(formatDateTime(audit.at))

function CheckResult({ state }: { state: CheckState | undefined }) {
  if (!state) return null
  if (state === 'running')
    return (
      <p className="mt-2 flex items-center gap-2 text-muted">
        <LoaderCircle aria-hidden className="size-4 animate-spin" />
        {t.details.challenging}
      </p>
    )
  const failure =
    'refusal' in state
      ? state.refusal
      : state.verified
        ? undefined
        : {
            missing: t.details.failedMissing,
            wrong: t.details.failedWrong,
            unreachable: t.details.failedUnreachable,
            '': t.details.failedWrong,
          }[state.error]
  if (failure)
    return (
      <p className="mt-2 flex items-center gap-2 text-danger">
        <CircleX aria-hidden className="size-4 shrink-0" />
        {failure}
      </p>
    )
  if ('refusal' in state) return null
  return (
    <div className="mt-2 rounded-lg bg-good-soft px-3 py-2">
      <p className="flex items-center gap-2 font-medium text-good">
        <CircleCheck aria-hidden className="size-4 shrink-0" />
        {t.details.proved(`${formatNumber(state.ms)} ms`)}
      </p>
      <p className="mt-0.5 text-muted">
        {t.details.provedBlock(formatPercent(state.position, 1, 1), formatSize(state.size))}
      </p>
      <p className="mt-0.5 font-mono text-xs break-all text-muted">{state.block}</p>
    </div>
  )
}
