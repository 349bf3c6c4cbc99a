import { classes } from '../../ui/classes.ts'
import type { ConnectionState } from './terminal-connection.ts'
import { t } from './texts.ts'

/** Connection state as a word with a dot; other states are shown above the terminal. */
export function TerminalState({ state }: { state: ConnectionState }) {
  const isOpen = state.status === 'open'
  if (!isOpen && state.status !== 'connecting') return null
  return (
    <span role="status" className="inline-flex items-center gap-2 text-sm text-muted">
      <span aria-hidden className={classes('size-2 rounded-full', isOpen ? 'bg-good' : 'animate-pulse bg-signal')} />
      {isOpen ? t.terminal.open : t.terminal.connecting}
    </span>
  )
}
