import type { ServerServing } from '../app.ts'
import type { Context } from '../context.ts'

export function serveNetwork(_serving: ServerServing, _context: Context): void {}
