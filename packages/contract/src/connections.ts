/**
 * WebSocket of a connection to a program, for clients other than browsers. The client offers two subprotocols: the protocol, and
 * `TERMINAL_BEARER` followed by a ticket of `clusters.exec` or `clusters.forward`. All frames are binary.
 */
export const CONNECT_PATH = '/api/v1/console/connect'
export const CONNECT_PROTOCOL = 'tidenet.connect.v1'
/**
 * The first byte of each frame of a command; the first three as in `TERMINAL_FRAMES`. `bytes`: stdin, and stdout or the terminal's output.
 * `errors`, from the server: stderr. `end`, to the server: the end of stdin. `signal`, to the server: one byte, of `EXEC_SIGNALS`.
 * Frames of a forwarded port have no such byte: they are the bytes of one TCP connection, and an empty frame is the end of a direction.
 */
export const EXEC_FRAMES = { bytes: 0, size: 1, exit: 2, errors: 3, end: 4, signal: 5 } as const
/** By number. */
export const EXEC_SIGNALS = { 1: 'HUP', 2: 'INT', 15: 'TERM' } as const
/** Bytes of a frame at most. */
export const CONNECT_FRAME_MAX = 256 * 1024
/** Close codes besides those of `TERMINAL_CLOSES`; 1000: the command or the connection ended. */
export const CONNECT_CLOSES = {
  /** Nothing listens on the port, or the connection broke. */
  refused: 4502,
} as const
/** Open connections at most, commands and forwarded ones together. */
export const CONNECTIONS_MAX = { account: 128, workspace: 64 } as const
