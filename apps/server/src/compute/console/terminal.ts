import { randomBytes } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import { setTimeout as wait } from 'node:timers/promises'
import {
  AppError,
  TERMINAL_BEARER,
  TERMINAL_CLOSES,
  TERMINAL_FRAMES,
  TERMINAL_PATH,
  TERMINAL_PROTOCOL,
  TERMINALS_MAX,
} from '@tidenet/contract'
import { type WebSocket, WebSocketServer } from 'ws'
import type { ServerServing } from '../../platform/http/serving.ts'
import { refuseUpgrade, serveUpgrade } from '../../platform/http/upgrades.ts'
import { type ClusterDriver, ClusterError, type Execution, type WorkloadRef } from '../clusters/driver.ts'
import type { Context } from '../context.ts'
import { requireTarget } from '../workspaces/workloads.ts'
import { consoleCaller } from './console-sessions.ts'
import { type TerminalSessions, terminalSessions } from './terminal-sessions.ts'

/** Backpressure: reading from the program pauses above the first limit of unsent bytes and resumes below the second. */
const PAUSE_ABOVE_BYTES = 1024 * 1024
const RESUME_BELOW_BYTES = 128 * 1024
const POLL_INTERVAL_MS = 20
const FRAME_MAX_BYTES = 64 * 1024
const PING_INTERVAL_MS = 30_000
const CLOSE_TIMEOUT_MS = 1000
const STOP_TIMEOUT_MS = 3000

/** Starts bash or sh. All programs of a terminal inherit a variable with its mark, so that `hangUp` finds them. */
const shell = (mark: string): string[] => [
  '/bin/sh',
  '-c',
  'TIDENET_TERMINAL=$1; export TIDENET_TERMINAL; cd "$HOME" 2>/dev/null; if command -v bash >/dev/null 2>&1; then exec bash -l; else exec sh -l; fi',
  'terminal',
  mark,
]
const HANG_UP =
  'for p in /proc/[0-9]*; do if grep -q "TIDENET_TERMINAL=$1" "$p/environ" 2>/dev/null; then kill -HUP "$(basename "$p")" 2>/dev/null; fi; done'
const hangUp = (mark: string): string[] => ['/bin/sh', '-c', HANG_UP, 'terminal', mark]

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
  const open = new Map<number, number>()
  const running = new Set<Promise<void>>()
  serveUpgrade(app, TERMINAL_PATH, (request, socket, head) => {
    const token = tokenOf(request)
    if (token === undefined || !isOwnOrigin(request, context)) return refuseUpgrade(socket, 401)
    sockets.handleUpgrade(request, socket as never, head, (browser) => {
      const url = new URL(request.url ?? '', 'http://portal')
      const terminal = serveTerminal(context, browser, url, token, { open, sessions })
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

function tokenOf({ headers }: IncomingMessage): string | undefined {
  const offered = (headers['sec-websocket-protocol'] ?? '').split(',').map((text) => text.trim())
  const bearer = offered.find((text) => text.startsWith(TERMINAL_BEARER))
  return offered.includes(TERMINAL_PROTOCOL) ? bearer?.slice(TERMINAL_BEARER.length) : undefined
}

/** Browsers send the page's origin, other programs do not. */
function isOwnOrigin({ headers }: IncomingMessage, { portalUrl }: Pick<Context, 'portalUrl'>): boolean {
  if (!headers.origin) return true
  return headers.origin === new URL(portalUrl()).origin || hostOf(headers.origin) === headers.host
}

const hostOf = (origin: string): string | undefined => (URL.canParse(origin) ? new URL(origin).host : undefined)

async function serveTerminal(
  context: Context,
  browser: WebSocket,
  url: URL,
  token: string,
  { open, sessions }: { open: Map<number, number>; sessions: TerminalSessions },
): Promise<void> {
  // Input waits until the program has started.
  browser.pause()
  browser.on('error', () => browser.terminate())
  const caller = await consoleCaller(context, token)
  if (!caller) return closeSocket(browser, TERMINAL_CLOSES.session)
  const present = open.get(caller.userId) ?? 0
  if (present >= TERMINALS_MAX) return closeSocket(browser, TERMINAL_CLOSES.tooMany)
  open.set(caller.userId, present + 1)
  browser.once('close', () => open.set(caller.userId, (open.get(caller.userId) ?? 1) - 1))
  // Registered before the program starts, so that a session that ends meanwhile closes the terminal.
  browser.once(
    'close',
    sessions.add(caller, () => {
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
    watchBrowser(browser)
    await connectTerminal(browser, run)
    // Programs that the user started would keep running after the page is closed.
    await endPrograms(driver, ref, mark)
  } catch (error) {
    closeSocket(browser, closeCodeFor(error))
    if (!(error instanceof AppError) && !(error instanceof ClusterError)) throw error
  }
}

/** Resumes the socket first: a paused one would not receive the close frame of the other side. */
function closeSocket(browser: WebSocket, code: number): void {
  browser.resume()
  browser.close(code)
}

const parseSize = (text: string | null, fallback: number): number => {
  const value = Math.floor(Number(text))
  return value >= 1 && value <= 1000 ? value : fallback
}

function closeCodeFor(error: unknown): number {
  if (error instanceof AppError) return TERMINAL_CLOSES.unknown
  if (!(error instanceof ClusterError)) return TERMINAL_CLOSES.failed
  if (error.failure === 'unknown') return TERMINAL_CLOSES.unknown
  if (error.failure === 'stopped') return TERMINAL_CLOSES.stopped
  return error.failure === 'processes' ? TERMINAL_CLOSES.processes : TERMINAL_CLOSES.failed
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
    forwardOutput(stream, browser)
    browser.on('message', (data: Buffer, isBinary) => {
      // Input after the close frame is ignored.
      if (!isBinary || data.length === 0 || browser.readyState !== browser.OPEN) return
      if (data[0] === TERMINAL_FRAMES.size && data.length === 5) {
        const [columns, rows] = [data.readUInt16BE(1), data.readUInt16BE(3)]
        if (columns > 0 && rows > 0) run.resize(columns, rows).catch(() => {})
      } else if (data[0] === TERMINAL_FRAMES.bytes && !stream.write(data.subarray(1))) {
        browser.pause()
        stream.once('drain', () => browser.resume())
      }
    })
    browser.once('close', done)
    stream.once('error', () => closeSocket(browser, TERMINAL_CLOSES.failed))
    run.exit
      .then((code) => {
        const frame = Buffer.alloc(5)
        frame.writeUInt8(TERMINAL_FRAMES.exit)
        frame.writeInt32BE(code, 1)
        browser.send(frame)
        closeSocket(browser, 1000)
      })
      .catch(() => closeSocket(browser, TERMINAL_CLOSES.failed))
    browser.resume()
  })
}

/** Sends a program's output, with backpressure. */
function forwardOutput(stream: Duplex, browser: WebSocket): void {
  const type = Buffer.from([TERMINAL_FRAMES.bytes])
  stream.on('data', (chunk: Buffer) => {
    browser.send(Buffer.concat([type, chunk]))
    if (browser.bufferedAmount < PAUSE_ABOVE_BYTES) return
    stream.pause()
    const timer = setInterval(() => {
      if (browser.readyState === browser.OPEN && browser.bufferedAmount > RESUME_BELOW_BYTES) return
      clearInterval(timer)
      stream.resume()
    }, POLL_INTERVAL_MS)
  })
}

/** Terminates the connection if the browser does not answer a ping until the next one. */
function watchBrowser(browser: WebSocket): void {
  let answered = true
  browser.on('pong', () => {
    answered = true
  })
  const timer = setInterval(() => {
    if (!answered) return browser.terminate()
    answered = false
    browser.ping()
  }, PING_INTERVAL_MS)
  timer.unref()
  browser.once('close', () => clearInterval(timer))
}

/** Sends SIGHUP to all programs of a terminal. */
async function endPrograms(driver: ClusterDriver, ref: WorkloadRef, mark: string): Promise<void> {
  const run = await driver.exec(ref, { command: hangUp(mark), tty: false }).catch(() => undefined)
  run?.stream.resume()
  await run?.exit.catch(() => {})
}
