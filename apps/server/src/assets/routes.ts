import type { ServerServing } from '../app.ts'
import type { Context } from '../context.ts'

export function serveAssets(_serving: ServerServing, _context: Context): void {}
