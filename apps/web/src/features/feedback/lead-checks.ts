import { hasEmailForm } from '../../lib/email.ts'

/** The server's limits, so that the form can report problems before sending. */
export const NAME_MAX = 100
export const TEXT_MAX = 4000
const EMAIL_MAX = 254

export interface Lead {
  name: string
  email: string
  organisation: string
  text: string
}

export type LeadField = keyof Lead
export type LeadProblem = 'name' | 'nameLong' | 'nameForm' | 'emailMissing' | 'emailInvalid' | 'text' | 'textLong'

export const isEmail = (text: string): boolean => text.length <= EMAIL_MAX && hasEmailForm(text)

const checkName = (name: string): LeadProblem | undefined =>
  name.length > NAME_MAX ? 'nameLong' : /\p{Cc}/u.test(name) ? 'nameForm' : undefined

const checks: Record<LeadField, (value: string) => LeadProblem | undefined> = {
  name: (name) => (name === '' ? 'name' : checkName(name)),
  email: (email) => (email === '' ? 'emailMissing' : isEmail(email) ? undefined : 'emailInvalid'),
  organisation: checkName,
  text: (text) => (text === '' ? 'text' : text.length > TEXT_MAX ? 'textLong' : undefined),
}

/** Problems of a contact request, by field in the order of the form. Values are trimmed. */
export function leadProblems(lead: Lead): Partial<Record<LeadField, LeadProblem>> {
  const found: Partial<Record<LeadField, LeadProblem>> = {}
  for (const field of ['name', 'email', 'organisation', 'text'] as const) {
    const problem = checks[field](lead[field].trim())
    if (problem) found[field] = problem
  }
  return found
}
