/** WebSocket of a terminal. The client offers two subprotocols: the protocol, and `TERMINAL_BEARER` followed by the token. */
export const TERMINAL_PATH = '/api/v1/console/terminal'
export const TERMINAL_PROTOCOL = 'tidenet.terminal.v1'
export const TERMINAL_BEARER = 'tidenet.bearer.'
/**
 * The first byte of each binary frame. `bytes`: input or output of the program. `size`, to the server: columns and rows, two bytes each,
 * big-endian. `exit`, from the server, last: the exit code, four bytes, big-endian.
 */
export const TERMINAL_FRAMES = { bytes: 0, size: 1, exit: 2 } as const
/** Close codes of a terminal's WebSocket, besides 1000 (the program ended). */
export const TERMINAL_CLOSES = {
  /** The console session has ended. */
  session: 4401,
  unknown: 4404,
  /** The workload is not running. */
  stopped: 4409,
  /** The workload has reached its process limit. */
  processes: 4413,
  tooMany: 4429,
  failed: 4500,
} as const
