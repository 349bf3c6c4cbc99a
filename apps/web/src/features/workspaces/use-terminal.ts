import { type RefObject, useEffect, useRef, useState } from 'react'
import { expire, useConsole } from './session.ts'
import { type ConnectionState, connectTerminal, type TerminalConnection } from './terminal-connection.ts'
import { openScreen, type Screen } from './terminal-screen.ts'
import { useTerminalSettings } from './terminal-settings.ts'
import { t } from './texts.ts'

interface TerminalOptions {
  /** The program's id. */
  workload: string
  /** The element that the screen is drawn in. */
  host: RefObject<HTMLElement | null>
  /** Gets the focus when the terminal is left by keyboard. */
  focusOnLeave: RefObject<HTMLElement | null>
}

interface Terminal {
  state: ConnectionState
  size: { columns: number; rows: number } | undefined
  /** Reconnects, or opens a new shell. */
  reconnect: () => void
  type: (text: string) => void
  /** The text that is selected. */
  selected: () => string
}

/** A terminal connected to a program while the page is open. */
export function useTerminal({ workload, host, focusOnLeave }: TerminalOptions): Terminal {
  const { fontSize, reader } = useTerminalSettings()
  const screen = useRef<Screen>(undefined)
  const connection = useRef<TerminalConnection>(undefined)
  const [state, setState] = useState<ConnectionState>({ status: 'connecting' })
  const [size, setSize] = useState<Terminal['size']>()

  useEffect(() => {
    if (!host.current) return
    const { fontSize, reader } = useTerminalSettings.getState()
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
      onLeave: () => focusOnLeave.current?.focus(),
    })
    let isFirst = true
    const joined = connectTerminal({
      workload,
      token: () => useConsole.getState().token,
      size: opened.size,
      onBytes: (bytes) => opened.terminal.write(bytes),
      onState: (next) => {
        setState(next)
        if (next.status === 'open') {
          if (!isFirst) opened.writeNotice(t.terminal.fresh)
          isFirst = false
          // The size may have changed while connecting.
          joined.resize(opened.size().columns, opened.size().rows)
        }
        if (next.status === 'closed' && next.why === 'session') expire()
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
  }, [workload, host, focusOnLeave])
  useEffect(() => screen.current?.set({ fontSize, screenReaderMode: reader }), [fontSize, reader])

  const focus = () => screen.current?.terminal.focus()
  return {
    state,
    size,
    reconnect() {
      connection.current?.reconnect()
      focus()
    },
    type(text) {
      connection.current?.type(text)
      focus()
    },
    selected: () => screen.current?.terminal.getSelection() ?? '',
  }
}
