import { Link, useParams } from '@tanstack/react-router'
import type { ConsoleWorkload } from '@tidenet/contract'
import { AArrowDown, AArrowUp, ArrowLeft, Copy, Play, RotateCw } from 'lucide-react'
import { useEffect, useId, useRef, useState } from 'react'
import { createKept } from '../../lib/kept.ts'
import { usePageTitle } from '../../lib/page-title.ts'
import { Button, IconButton } from '../../ui/button.tsx'
import { Checkbox } from '../../ui/choices.tsx'
import { copyText } from '../../ui/copy.tsx'
import { LoadFailed, Loading } from '../../ui/states.tsx'
import { warn } from '../../ui/toast.ts'
import { expire, useConsole } from './session.ts'
import { type ConnectionState, connectTerminal, type TerminalConnection } from './terminal-connection.ts'
import { openScreen, type Screen } from './terminal-screen.ts'
import { TerminalState } from './terminal-state.tsx'
import { t } from './texts.ts'
import { useActions } from './use-actions.ts'
import { findWorkload, useWorkspaces } from './use-workspaces.ts'
import { BackToSpaces } from './workspace-page.tsx'

/** How somebody likes their terminals. */
const useLiking = createKept('tidenet.terminal', { fontSize: 14, reader: false })
const SMALLEST = 10
const LARGEST = 24

/** Keys that keyboards of telephones lack, as a program hears them. */
const KEYS = [
  ['Esc', '\u001b'],
  ['Tab', '\t'],
  ['Ctrl C', '\u0003'],
  ['Ctrl D', '\u0004'],
  ['↑', '\u001b[A'],
  ['↓', '\u001b[B'],
  ['←', '\u001b[D'],
  ['→', '\u001b[C'],
] as const

export function TerminalPage() {
  const { workload: id } = useParams({ from: '/workspaces/console/workloads/$workload/terminal' })
  const spaces = useWorkspaces()
  const found = findWorkload(spaces.data?.list, id)
  usePageTitle(found ? t.terminal.title(found.workload.name) : undefined)
  if (spaces.isPending) return <Loading />
  if (found === undefined)
    return <LoadFailed title={t.spaces.failed} error={spaces.error} onRetry={() => void spaces.refetch()} />
  if (found === null)
    return (
      <>
        <BackToSpaces />
        <h1 className="text-2xl font-semibold">{t.terminal.closed.unknown}</h1>
      </>
    )
  return <TerminalOf key={id} workload={found.workload} />
}

function TerminalOf({ workload }: { workload: ConsoleWorkload }) {
  const { id, name } = workload
  const { fontSize, reader } = useLiking()
  const host = useRef<HTMLDivElement>(null)
  const back = useRef<HTMLAnchorElement>(null)
  const screen = useRef<Screen>(undefined)
  const connection = useRef<TerminalConnection>(undefined)
  const [state, setState] = useState<ConnectionState>({ is: 'connecting' })
  const [size, setSize] = useState<{ columns: number; rows: number }>()
  const actions = useActions(workload)
  const hint = useId()
  const runs = workload.state === 'running' && workload.wanted
  /** Whether the terminal is taken up again as soon as the program runs. */
  const [awaited, setAwaited] = useState(false)
  // A shell that ended because its program did cannot be followed by another one.
  const why = state.is === 'closed' ? state.why : state.is === 'ended' && !runs ? 'stopped' : undefined

  useEffect(() => {
    if (!host.current) return
    const { fontSize, reader } = useLiking.getState()
    const opened = openScreen({
      host: host.current,
      fontSize,
      reader,
      onTyped: (text) => connection.current?.type(text),
      onBinary: (bytes) => connection.current?.type(bytes),
      onSize: (columns, rows) => {
        setSize({ columns, rows })
        connection.current?.resize(columns, rows)
      },
      onLeave: () => back.current?.focus(),
    })
    let isFirst = true
    const joined = connectTerminal({
      workload: id,
      token: () => useConsole.getState().token,
      size: opened.size,
      onBytes: (bytes) => opened.terminal.write(bytes),
      onState: (next) => {
        setState(next)
        if (next.is === 'open') {
          if (!isFirst) opened.say(t.terminal.fresh)
          isFirst = false
          // Whatever was asked for while it was being opened.
          joined.resize(opened.size().columns, opened.size().rows)
        }
        if (next.is === 'closed' && next.why === 'session') expire()
      },
    })
    screen.current = opened
    connection.current = joined
    setSize(opened.size())
    opened.terminal.focus()
    return () => {
      joined.close()
      opened.dispose()
    }
  }, [id])
  useEffect(() => screen.current?.set({ fontSize, screenReaderMode: reader }), [fontSize, reader])

  useEffect(() => {
    if (!awaited || !runs) return
    setAwaited(false)
    connection.current?.again()
    screen.current?.terminal.focus()
  }, [awaited, runs])

  const again = () => {
    connection.current?.again()
    screen.current?.terminal.focus()
  }
  const resizeLetters = (by: number) =>
    useLiking.setState({ fontSize: Math.min(LARGEST, Math.max(SMALLEST, fontSize + by)) })
  const copy = () => {
    const selected = screen.current?.terminal.getSelection() ?? ''
    if (selected === '') warn(t.terminal.nothing)
    else void copyText(selected)
  }
  return (
    <div className="flex min-h-0 flex-1 flex-col">
      <Link
        ref={back}
        to="/console/workloads/$workload"
        params={{ workload: id }}
        className="mb-1 inline-flex min-h-8 items-center gap-1.5 self-start rounded text-sm text-muted hover:text-text"
      >
        <ArrowLeft aria-hidden className="size-4" />
        {t.terminal.back}
      </Link>
      <div className="mb-3 flex flex-wrap items-center gap-x-4 gap-y-2">
        <h1 className="min-w-0 flex-1 basis-60 text-xl font-semibold tracking-tight wrap-anywhere">
          {t.terminal.title(name)}
        </h1>
        <TerminalState state={state} />
        <div className="flex items-center gap-1">
          <IconButton label={t.terminal.smaller} disabled={fontSize <= SMALLEST} onClick={() => resizeLetters(-1)}>
            <AArrowDown aria-hidden className="size-4" />
          </IconButton>
          <IconButton label={t.terminal.larger} disabled={fontSize >= LARGEST} onClick={() => resizeLetters(1)}>
            <AArrowUp aria-hidden className="size-4" />
          </IconButton>
          <IconButton label={t.terminal.copy} onClick={copy}>
            <Copy aria-hidden className="size-4" />
          </IconButton>
        </div>
        <Checkbox checked={reader} onChange={(on) => useLiking.setState({ reader: on })}>
          <span className="text-sm" title={t.terminal.readerHint}>
            {t.terminal.reader}
          </span>
        </Checkbox>
      </div>
      {(state.is === 'ended' || state.is === 'closed' || state.is === 'waiting') && (
        <div className="mb-3 flex flex-wrap items-center gap-3 rounded-lg border border-warn/40 bg-warn-soft px-3.5 py-2.5 text-sm text-warn">
          <p role="status" className="min-w-0 flex-1 basis-60">
            {why
              ? t.terminal.closed[why]
              : state.is === 'ended'
                ? t.terminal.ended(state.code)
                : state.is === 'waiting' && t.terminal.again(Math.max(1, Math.round((state.at - Date.now()) / 1000)))}
          </p>
          {why === 'stopped' && (
            <Button
              icon={<Play aria-hidden className="size-4" />}
              busy={actions.busy === 'start' || awaited}
              onClick={() => void actions.act('start').then(setAwaited)}
            >
              {t.terminal.start}
            </Button>
          )}
          {why !== 'session' && why !== 'unknown' && !awaited && (
            <Button icon={<RotateCw aria-hidden className="size-4" />} onClick={again}>
              {state.is === 'ended' && !why ? t.terminal.newShell : t.terminal.now}
            </Button>
          )}
        </div>
      )}
      <section
        aria-label={t.terminal.title(name)}
        aria-describedby={hint}
        className="flex h-[calc(100dvh-19rem)] min-h-72 flex-col overflow-hidden rounded-xl border border-line bg-surface p-2 focus-within:border-accent"
        translate="no"
      >
        <div ref={host} className="min-h-0 flex-1" />
      </section>
      <fieldset className="mt-2 flex flex-wrap gap-1.5 sm:hidden" aria-label={t.terminal.keys}>
        {KEYS.map(([title, text]) => (
          <Button
            key={title}
            className="min-w-11 px-2 font-mono"
            onClick={() => {
              connection.current?.type(text)
              screen.current?.terminal.focus()
            }}
          >
            {title}
          </Button>
        ))}
      </fieldset>
      <p className="mt-2 flex flex-wrap justify-between gap-x-4 text-xs text-muted">
        <span id={hint}>{t.terminal.leaveHint}</span>
        {size && <span className="font-mono tabular-nums">{t.terminal.size(size.columns, size.rows)}</span>}
      </p>
    </div>
  )
}
