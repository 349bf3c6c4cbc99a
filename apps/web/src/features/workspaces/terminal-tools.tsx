import type { ConsoleWorkload } from '@tidenet/contract'
import { AArrowDown, AArrowUp, Copy, Play, RotateCw } from 'lucide-react'
import { useEffect, useState } from 'react'
import { Button, IconButton } from '../../ui/button.tsx'
import { Checkbox } from '../../ui/choices.tsx'
import type { ConnectionState } from './terminal-connection.ts'
import { FONT_MAX, FONT_MIN, useTerminalSettings } from './terminal-settings.ts'
import { t } from './texts.ts'
import { useActions } from './use-actions.ts'

/** Keys that phone keyboards lack, with their byte sequences. */
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

/** Font size, copying, and output for screen readers. */
export function TerminalTools({ onCopy }: { onCopy: () => void }) {
  const { fontSize, reader } = useTerminalSettings()
  const resizeLetters = (by: number) =>
    useTerminalSettings.setState({ fontSize: Math.min(FONT_MAX, Math.max(FONT_MIN, fontSize + by)) })
  return (
    <>
      <div className="flex items-center gap-1">
        <IconButton label={t.terminal.smaller} disabled={fontSize <= FONT_MIN} onClick={() => resizeLetters(-1)}>
          <AArrowDown aria-hidden className="size-4" />
        </IconButton>
        <IconButton label={t.terminal.larger} disabled={fontSize >= FONT_MAX} onClick={() => resizeLetters(1)}>
          <AArrowUp aria-hidden className="size-4" />
        </IconButton>
        <IconButton label={t.terminal.copy} onClick={onCopy}>
          <Copy aria-hidden className="size-4" />
        </IconButton>
      </div>
      <Checkbox checked={reader} onChange={(on) => useTerminalSettings.setState({ reader: on })}>
        <span className="text-sm" title={t.terminal.readerHint}>
          {t.terminal.reader}
        </span>
      </Checkbox>
    </>
  )
}

interface TerminalNoticeProps {
  workload: ConsoleWorkload
  state: ConnectionState
  /** Reconnects, or opens a new shell. */
  reconnect: () => void
}

/** Says why the terminal is not open, and offers to start the program or to reconnect. */
export function TerminalNotice({ workload, state, reconnect }: TerminalNoticeProps) {
  const actions = useActions(workload)
  const runs = workload.state === 'running' && workload.wanted
  /** Whether to reconnect as soon as the program runs. */
  const [reconnectOnStart, setReconnectOnStart] = useState(false)
  // biome-ignore lint/correctness/useExhaustiveDependencies: `reconnect` is new on every render; only the program's state counts
  useEffect(() => {
    if (!reconnectOnStart || !runs) return
    setReconnectOnStart(false)
    reconnect()
  }, [reconnectOnStart, runs])

  if (state.status !== 'ended' && state.status !== 'closed' && state.status !== 'waiting') return null
  // If the shell ended because the program stopped, no new shell can be opened.
  const why = state.status === 'closed' ? state.why : state.status === 'ended' && !runs ? 'stopped' : undefined
  return (
    <div className="mb-3 flex flex-wrap items-center gap-3 rounded-lg border border-warn/40 bg-warn-soft px-3.5 py-2.5 text-sm text-warn">
      <p role="status" className="min-w-0 flex-1 basis-60">
        {why
          ? t.terminal.closed[why]
          : state.status === 'ended'
            ? t.terminal.ended(state.code)
            : state.status === 'waiting' && t.terminal.again(Math.max(1, Math.round((state.at - Date.now()) / 1000)))}
      </p>
      {why === 'stopped' && (
        <Button
          icon={<Play aria-hidden className="size-4" />}
          busy={actions.busy === 'start' || reconnectOnStart}
          onClick={() => void actions.act('start').then(setReconnectOnStart)}
        >
          {t.terminal.start}
        </Button>
      )}
      {why !== 'session' && why !== 'unknown' && !reconnectOnStart && (
        <Button icon={<RotateCw aria-hidden className="size-4" />} onClick={reconnect}>
          {state.status === 'ended' && !why ? t.terminal.newShell : t.terminal.now}
        </Button>
      )}
    </div>
  )
}

export function TerminalKeys({ onKey }: { onKey: (text: string) => void }) {
  return (
    <fieldset className="mt-2 flex flex-wrap gap-1.5 sm:hidden" aria-label={t.terminal.keys}>
      {KEYS.map(([title, text]) => (
        <Button key={title} className="min-w-11 px-2 font-mono" onClick={() => onKey(text)}>
          {title}
        </Button>
      ))}
    </fieldset>
  )
}
