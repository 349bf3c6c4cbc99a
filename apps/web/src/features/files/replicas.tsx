import type { Output, RouteOf } from '@tidenet/contract'
import type { Challenge } from '@tidenet/storage'
import { lazy, Suspense, useState } from 'react'
import { countryOf } from '../../lib/areas.ts'
import { formatDateTime } from '../../lib/format.ts'
import { shorten } from '../../lib/phrases.ts'
import { storage } from '../../lib/storage.ts'
import { t as shell } from '../../lib/texts.ts'
import { Button } from '../../ui/button.tsx'
import { classes } from '../../ui/classes.ts'
import { NodeMark } from '../../ui/node-mark.tsx'
import { CheckResult, type CheckState, isCorrupt } from './replica-check.tsx'
import { t } from './texts.ts'

const WorldMap = lazy(async () => ({ default: (await import('../../ui/world-map.tsx')).WorldMap }))

type Replica = Output<RouteOf<'assets.replicas'>>['list'][number]

const kindOf = (type: number): 1 | 2 | 3 => (type === 1 ? 1 : type === 3 ? 3 : 2)

interface ReplicasProps {
  cid: string
  list: readonly Replica[]
  /** A check failed: the network may change this replica soon. */
  onFailed: () => void
}

/**
 * The replicas of a file, with their last audit and a button to check each. A checked replica stays, with its result, when a later list
 * does not contain it.
 */
export function Replicas({ cid, list, onFailed }: ReplicasProps) {
  const [checks, setChecks] = useState<ReadonlyMap<string, CheckState>>(new Map())
  const [selected, setSelected] = useState<string>()
  /** Every replica listed so far as it was last listed, in the order of their first appearance. */
  const [seen, setSeen] = useState<{ list: readonly Replica[]; all: ReadonlyMap<string, Replica> }>(() => ({
    list,
    all: new Map(list.map((replica) => [replica.node_id, replica])),
  }))
  if (seen.list !== list) {
    const all = new Map(seen.all)
    for (const replica of list) all.set(replica.node_id, replica)
    setSeen({ list, all })
  }
  const listed = new Set(list.map(({ node_id }) => node_id))
  const rows = [...seen.all.values()].filter(({ node_id }) => listed.has(node_id) || checks.has(node_id))
  if (rows.length === 0) return <p className="text-muted">{t.details.noNodes}</p>

  const setCheck = (id: string, state: CheckState) => setChecks((before) => new Map(before).set(id, state))
  const check = async (nodeId: string) => {
    setCheck(nodeId, 'running')
    try {
      const sdk = await storage()
      const result = await sdk.challengeReplica({ cid, nodeId })
      const state = result.code === 0 ? (result.data as Challenge) : { refusal: result.msg }
      setCheck(nodeId, state)
      if ('refusal' in state || !state.verified) onFailed()
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
          points={rows
            .filter(
              ({ node_id, state }) => (listed.has(node_id) && state === 'stored') || isCorrupt(checks.get(node_id)),
            )
            .map((replica) => ({
              id: replica.node_id,
              lat: replica.value[0],
              lng: replica.value[1],
              kind: kindOf(replica.nodeType),
              status: replica.status,
              title: replica.name,
              detail: countryOf(replica.area_id),
              ...(isCorrupt(checks.get(replica.node_id)) && { alarm: t.details.corrupt }),
            }))}
          className="overflow-hidden rounded-xl border border-line"
        />
      </Suspense>
      <p className="mt-3 mb-2 text-sm text-muted">{t.details.challengeIntro}</p>
      <ul id="replicas" className="divide-y divide-line rounded-xl border border-line text-sm">
        {rows.map((replica) => (
          <li
            key={replica.node_id}
            id={`replica-${replica.node_id}`}
            className={classes('px-3.5 py-3', selected === replica.node_id && 'bg-accent-soft')}
          >
            <div className="flex items-start gap-3">
              <NodeMark
                kind={kindOf(replica.nodeType)}
                status={replica.status}
                alarm={isCorrupt(checks.get(replica.node_id))}
                className="mt-1"
              />
              <div className="min-w-0 flex-1">
                <p className="flex flex-wrap items-baseline gap-x-2">
                  <span className="font-medium">{replica.name}</span>
                  <span className="text-muted">{countryOf(replica.area_id)}</span>
                </p>
                <p className="font-mono text-xs text-muted" title={replica.node_id}>
                  {shorten(replica.node_id, 10, 6)}
                </p>
                <p className="mt-1 text-muted">
                  <StateText state={listed.has(replica.node_id) ? replica.state : 'removed'} />
                  {' · '}
                  {t.details.nodeState[replica.status]}
                </p>
                <p className="text-muted">{t.details.audit(auditText(replica))}</p>
              </div>
              {(replica.checkable || replica.state === 'stored') && (
                <Button
                  className="min-h-8 px-2.5 py-1"
                  aria-label={t.details.challengeOne(replica.name)}
                  disabled={
                    !replica.reachable || !listed.has(replica.node_id) || checks.get(replica.node_id) === 'running'
                  }
                  title={replica.reachable ? undefined : t.details.unreachable}
                  onClick={() => void check(replica.node_id)}
                >
                  {t.details.challenge}
                </Button>
              )}
            </div>
            <div role="status">
              <CheckResult
                state={checks.get(replica.node_id)}
                counted={listed.has(replica.node_id) && replica.state !== 'lost'}
              />
            </div>
          </li>
        ))}
      </ul>
    </>
  )
}

function StateText({ state }: { state: keyof typeof t.details.state }) {
  const bad = state === 'lost' || state === 'removed'
  const colour = state === 'stored' ? 'text-good' : bad ? 'text-danger' : 'text-signal'
  return <span className={colour}>{t.details.state[state]}</span>
}

const auditText = ({ audit }: Replica): string =>
  !audit
    ? t.details.auditNone
    : audit.passed
      ? t.details.auditPassed(formatDateTime(audit.at))
      : t.details.auditFailed(formatDateTime(audit.at))
