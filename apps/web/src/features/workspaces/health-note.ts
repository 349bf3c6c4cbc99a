import { t } from './texts.ts'

const CODES: Readonly<Record<string, keyof typeof t.supervise.problems>> = {
  ECONNREFUSED: 'refused',
  ECONNRESET: 'reset',
  EHOSTUNREACH: 'unreachable',
  ENETUNREACH: 'unreachable',
  ETIMEDOUT: 'unreachable',
}

/** What a health check found, in the reader's language as far as it is known. @param note of the server, in English */
export function healthNote(note: string): string {
  const { problems } = t.supervise
  const [, status] = /^HTTP status (\d+)$/.exec(note) ?? []
  if (status !== undefined) return problems.status(status)
  const [, seconds] = /^no answer within ([\d.]+) s$/.exec(note) ?? []
  if (seconds !== undefined) return problems.late(seconds)
  const code = CODES[note]
  return code && code !== 'status' && code !== 'late' ? problems[code] : note
}
