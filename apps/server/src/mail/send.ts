import type { Context } from '../context.ts'

export async function sendMail(_context: Context, _mail: number): Promise<void> {}
