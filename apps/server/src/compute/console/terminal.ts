import { randomBytes } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import {
  AppError,
  TERMINAL_CLOSES,
  TERMINAL_FRAMES,
  TERMINAL_PATH,
  TERMINAL_PROTOCOL,
  TERMINALS_MAX,
} from '@tidenet/contract'
import { type WebSocket, WebSocketServer } from 'ws'
import type { ServerServing } from '../../platform/http/serving.ts'
import { refuseUpgrade, serveUpgrade } from '../../platform/http/upgrades.ts'
import { ClusterError, type Execution, MARK } from '../clusters/driver.ts'
import {
  clientAddresses,
  closeCodeFor,
  closeSocket,
  exitFrame,
  isOwnOrigin,
  latest,
  sendOutput,
  signalPrograms,
  sizeOf,
  type TerminalSize,
  tokenOf,
  untilRead,
  watchSocket,
  writeInput,
} from '../connections/sockets.ts'
import type { Context } from '../context.ts'
import { createCounter } from '../counter.ts'
import { requireTarget } from '../workspaces/workloads.ts'
import { consoleCaller } from './console-sessions.ts'
import { type TerminalSessions, terminalSessions } from './terminal-sessions.ts'

const FRAME_MAX_BYTES = 64 * 1024
const CLOSE_TIMEOUT_MS = 1000
const STOP_TIMEOUT_MS = 3000

/** Starts bash or sh. All programs of a terminal inherit a variable with its mark, so that they are found at its end. */
const shell = (mark: string): string[] => [
  '/bin/sh',
  '-c',
  `${MARK}=$1; export ${MARK}; cd "$HOME" 2>/dev/null; if command -v bash >/dev/null 2>&1; then exec bash -l; else exec sh -l; fi`,
  'terminal',
  mark,
]

/**
 * Terminals of workloads by websocket: `TERMINAL_PATH?workload=…&columns=…&rows=…`, with two subprotocols: `TERMINAL_PROTOCOL`, and
 * `TERMINAL_BEARER` followed by the console session's token, which keeps the token out of addresses. Frames are binary, see
 * `TERMINAL_FRAMES`. A terminal ends with its session.
 */
export function serveTerminals({ app }: ServerServing, context: Context): TerminalSessions {
  const sessions = terminalSessions(context)
  const sockets = new WebSocketServer({
    noServer: true,
    maxPayload: FRAME_MAX_BYTES,
    perMessageDeflate: false,
    handleProtocols: (offered) => (offered.has(TERMINAL_PROTOCOL) ? TERMINAL_PROTOCOL : false),
  })
  const ipOf = clientAddresses(context)
  const counter = createCounter(TERMINALS_MAX)
  const running = new Set<Promise<void>>()
  serveUpgrade(app, TERMINAL_PATH, (request, socket, head) => {
    const token = tokenOf(request, TERMINAL_PROTOCOL)
    if (token === undefined || !isOwnOrigin(request, context)) return refuseUpgrade(socket, 401)
    sockets.handleUpgrade(request, socket as never, head, (browser) => {
      const url = new URL(request.url ?? '', 'http://portal')
      const terminal = serveTerminal(context, browser, url, { token, ip: ipOf(request) }, { counter, sessions })
        .catch((error) => {
          context.log.error({ err: error }, 'a terminal failed')
          closeSocket(browser, TERMINAL_CLOSES.failed)
        })
        .finally(() => running.delete(terminal))
      running.add(terminal)
    })
  })
  // Not onClose: the HTTP server waits for its connections before that.
  app.addHook('preClose', async () => {
    sockets.close()
    for (const browser of sockets.clients) browser.terminate()
    // The programs of the terminals end too, unless the cluster does not answer.
    await Promise.race([Promise.all(running), wait(STOP_TIMEOUT_MS, undefined, { ref: false })])
  })
  return sessions
}

async function serveTerminal(
  context: Context,
  browser: WebSocket,
  url: URL,
  { token, ip }: { token: string; ip: string },
  { counter, sessions }: { counter: ReturnType<typeof createCounter>; sessions: TerminalSessions },
): Promise<void> {
  // Input waits until the program has started.
  browser.pause()
  browser.on('error', () => browser.terminate())
  const caller = await consoleCaller(context, token, ip)
  if (!caller) return closeSocket(browser, TERMINAL_CLOSES.session)
  const release = counter.take(String(caller.userId))
  if (!release) return closeSocket(browser, TERMINAL_CLOSES.tooMany)
  browser.once('close', release)
  // Registered before the program starts, so that a session that ends meanwhile closes the terminal.
  browser.once(
    'close',
    sessions.add({ ...caller, ip }, () => {
      closeSocket(browser, TERMINAL_CLOSES.session)
      // For clients that do not answer the close frame.
      setTimeout(() => browser.terminate(), CLOSE_TIMEOUT_MS).unref()
    }),
  )

  const mark = randomBytes(9).toString('hex')
  try {
    const { driver, ref } = await requireTarget(context, caller, url.searchParams.get('workload') ?? '')
    const run = await driver.exec(ref, {
      command: shell(mark),
      tty: true,
      columns: parseSize(url.searchParams.get('columns'), 80),
      rows: parseSize(url.searchParams.get('rows'), 24),
    })
    watchSocket(browser)
    await connectTerminal(browser, run)
    // Programs that the user started would keep running after the page is closed.
    await signalPrograms(driver, ref, mark, 'HUP')
  } catch (error) {
    closeSocket(browser, closeCodeFor(error))
    if (!(error instanceof AppError) && !(error instanceof ClusterError)) throw error
  }
}

const parseSize = (text: string | null, fallback: number): number => {
  const value = Math.floor(Number(text))
  return value >= 1 && value <= 1000 ? value : fallback
}

/** Connects a browser and a program until either ends. */
function connectTerminal(browser: WebSocket, run: Execution): Promise<void> {
  const { stream } = run
  return new Promise((resolve) => {
    const done = () => {
      stream.destroy()
      resolve()
    }
    if (browser.readyState !== browser.OPEN) return done()
    sendOutput(stream, browser, TERMINAL_FRAMES.bytes)
    // Each is a request to the engine.
    const resize = latest(({ columns, rows }: TerminalSize) => run.resize(columns, rows))
    browser.on('message', (data: Buffer, isBinary) => {
      // Input after the close frame is ignored.
      if (!isBinary || data.length === 0 || browser.readyState !== browser.OPEN) return
      const size = sizeOf(data)
      if (size) resize(size)
      else if (data[0] === TERMINAL_FRAMES.bytes) writeInput(stream, browser, data.subarray(1))
    })
    browser.once('close', done)
    stream.once('error', () => closeSocket(browser, TERMINAL_CLOSES.failed))
    Promise.all([run.exit, untilRead(stream)])
      .then(([code]) => {
        browser.send(exitFrame(code))
        closeSocket(browser, 1000)
      })
      .catch(() => closeSocket(browser, TERMINAL_CLOSES.failed))
    browser.resume()
  })
}
