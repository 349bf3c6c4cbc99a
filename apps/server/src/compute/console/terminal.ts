import { randomBytes } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
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
import { reachable } from '../workspaces/workloads.ts'
import { consoleCaller } from './console-sessions.ts'
import { type TerminalSessions, terminalSessions } from './terminal-sessions.ts'

/** What a browser has not taken yet before the program is made to wait, and when it may go on. Bytes. */
const TOO_MUCH = 1024 * 1024
const ENOUGH = 128 * 1024
const LOOK_AGAIN = 20
const FRAME_MAX = 64 * 1024
/** How often it is looked whether the browser is still there. */
const ANSWERED_EVERY = 30_000
const AGREED_WITHIN = 1000

/** The image's best shell. What is started by a terminal carries its mark, by which all of it is told when the terminal is left. */
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
 * Terminals of workloads by websocket: `TERMINAL_PATH?workload=…&columns=…&rows=…`, offered with two protocols, `TERMINAL_PROTOCOL` and
 * `TERMINAL_BEARER` with the token of the console's session behind it, which so appears in no address. Frames are binary, see
 * `TERMINAL_FRAMES`. A terminal ends with the session it was opened by.
 */
export function serveTerminals({ app }: ServerServing, context: Context): TerminalSessions {
  const sessions = terminalSessions(context)
  const sockets = new WebSocketServer({
    noServer: true,
    maxPayload: FRAME_MAX,
    perMessageDeflate: false,
    handleProtocols: (offered) => (offered.has(TERMINAL_PROTOCOL) ? TERMINAL_PROTOCOL : false),
  })
  const open = new Map<number, number>()
  serveUpgrade(app, TERMINAL_PATH, (request, socket, head) => {
    const token = tokenOf(request)
    if (token === undefined || !isOwnOrigin(request, context)) return refuseUpgrade(socket, 401)
    sockets.handleUpgrade(request, socket as never, head, (browser) => {
      serveTerminal(context, browser, new URL(request.url ?? '', 'http://portal'), token, { open, sessions }).catch(
        (error) => {
          context.log.error({ err: error }, 'a terminal failed')
          end(browser, TERMINAL_CLOSES.failed)
        },
      )
    })
  })
  app.addHook('onClose', async () => {
    for (const browser of sockets.clients) browser.terminate()
    sockets.close()
  })
  return sessions
}

function tokenOf({ headers }: IncomingMessage): string | undefined {
  const offered = (headers['sec-websocket-protocol'] ?? '').split(',').map((text) => text.trim())
  const bearer = offered.find((text) => text.startsWith(TERMINAL_BEARER))
  return offered.includes(TERMINAL_PROTOCOL) ? bearer?.slice(TERMINAL_BEARER.length) : undefined
}

/** A browser says which page asks; programs say nothing. */
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
  // What is typed before the program is there waits.
  browser.pause()
  browser.on('error', () => browser.terminate())
  const caller = await consoleCaller(context, token)
  if (!caller) return end(browser, TERMINAL_CLOSES.session)
  const present = open.get(caller.userId) ?? 0
  if (present >= TERMINALS_MAX) return end(browser, TERMINAL_CLOSES.tooMany)
  open.set(caller.userId, present + 1)
  browser.once('close', () => open.set(caller.userId, (open.get(caller.userId) ?? 1) - 1))
  // From here on: a session that ends while the program is being started opens none.
  browser.once(
    'close',
    sessions.add(caller, () => {
      end(browser, TERMINAL_CLOSES.session)
      // One that does not agree to the end is cut off.
      setTimeout(() => browser.terminate(), AGREED_WITHIN).unref()
    }),
  )

  const mark = randomBytes(9).toString('hex')
  try {
    const { driver, ref } = await reachable(context, caller, url.searchParams.get('workload') ?? '')
    const run = await driver.exec(ref, {
      command: shell(mark),
      tty: true,
      columns: within(url.searchParams.get('columns'), 80),
      rows: within(url.searchParams.get('rows'), 24),
    })
    watchBrowser(browser)
    await join(browser, run)
    // Whoever has left a page has not ended the program that it showed.
    await leave(driver, ref, mark)
  } catch (error) {
    end(browser, closeFor(error))
    if (!(error instanceof AppError) && !(error instanceof ClusterError)) throw error
  }
}

/** One that is held back would not hear the other side agree, and linger. */
function end(browser: WebSocket, code: number): void {
  browser.resume()
  browser.close(code)
}

const within = (text: string | null, otherwise: number): number => {
  const value = Math.floor(Number(text))
  return value >= 1 && value <= 1000 ? value : otherwise
}

function closeFor(error: unknown): number {
  if (error instanceof AppError) return TERMINAL_CLOSES.unknown
  if (!(error instanceof ClusterError)) return TERMINAL_CLOSES.failed
  if (error.failure === 'unknown') return TERMINAL_CLOSES.unknown
  if (error.failure === 'stopped') return TERMINAL_CLOSES.stopped
  return error.failure === 'processes' ? TERMINAL_CLOSES.processes : TERMINAL_CLOSES.failed
}

/** Joins a browser and a program until either is gone. */
function join(browser: WebSocket, run: Execution): Promise<void> {
  const { stream } = run
  return new Promise((resolve) => {
    const done = () => {
      stream.destroy()
      resolve()
    }
    if (browser.readyState !== browser.OPEN) return done()
    pass(stream, browser)
    browser.on('message', (data: Buffer, isBinary) => {
      // What is still sent after the end was told goes nowhere.
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
    stream.once('error', () => end(browser, TERMINAL_CLOSES.failed))
    run.exit
      .then((code) => {
        const frame = Buffer.alloc(5)
        frame.writeUInt8(TERMINAL_FRAMES.exit)
        frame.writeInt32BE(code, 1)
        browser.send(frame)
        end(browser, 1000)
      })
      .catch(() => end(browser, TERMINAL_CLOSES.failed))
    browser.resume()
  })
}

/** Shows what a program writes, no faster than the browser takes it. */
function pass(stream: Duplex, browser: WebSocket): void {
  const mark = Buffer.from([TERMINAL_FRAMES.bytes])
  stream.on('data', (chunk: Buffer) => {
    browser.send(Buffer.concat([mark, chunk]))
    if (browser.bufferedAmount < TOO_MUCH) return
    stream.pause()
    const timer = setInterval(() => {
      if (browser.readyState === browser.OPEN && browser.bufferedAmount > ENOUGH) return
      clearInterval(timer)
      stream.resume()
    }, LOOK_AGAIN)
  })
}

/** Ends a terminal whose browser has gone without a word. */
function watchBrowser(browser: WebSocket): void {
  let answered = true
  browser.on('pong', () => {
    answered = true
  })
  const timer = setInterval(() => {
    if (!answered) return browser.terminate()
    answered = false
    browser.ping()
  }, ANSWERED_EVERY)
  timer.unref()
  browser.once('close', () => clearInterval(timer))
}

async function leave(driver: ClusterDriver, ref: WorkloadRef, mark: string): Promise<void> {
  const run = await driver.exec(ref, { command: hangUp(mark), tty: false }).catch(() => undefined)
  run?.stream.resume()
  await run?.exit.catch(() => {})
}
