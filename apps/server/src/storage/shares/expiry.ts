import type { Context } from '../context.ts'

export const hasExpired = ({ clock }: Pick<Context, 'clock'>, { expires_at }: { expires_at: Date | null }): boolean =>
  expires_at !== null && expires_at.getTime() <= clock.now()
