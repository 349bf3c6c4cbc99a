import type { ServerServing } from '../app.ts'
import type { Context } from '../context.ts'

export function serveTraces(_serving: ServerServing, _context: Context): void {}
