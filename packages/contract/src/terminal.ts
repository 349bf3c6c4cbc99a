/** Of a terminal's websocket: the protocol, and what the token follows in the second one that is offered. */
export const TERMINAL_PATH = '/api/v1/console/terminal'
export const TERMINAL_PROTOCOL = 'tidenet.terminal.v1'
export const TERMINAL_BEARER = 'tidenet.bearer.'
/**
 * The first byte of each binary frame. To the server: what was typed; or columns and rows, two bytes each, big-endian. From the server:
 * what is shown; or the exit code, four bytes, big-endian, before the end.
 */
export const TERMINAL_FRAMES = { bytes: 0, size: 1, exit: 2 } as const
/** Why a terminal's websocket is closed, beside 1000, the program's end. */
export const TERMINAL_CLOSES = {
  /** The console's session has ended. */
  session: 4401,
  unknown: 4404,
  /** It does not run. */
  stopped: 4409,
  /** No more programs may be started in it. */
  processes: 4413,
  tooMany: 4429,
  failed: 4500,
} as const
