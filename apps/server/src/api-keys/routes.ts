import type { ServerServing } from '../app.ts'
import type { Context } from '../context.ts'

export function serveApiKeys(_serving: ServerServing, _context: Context): void {}
