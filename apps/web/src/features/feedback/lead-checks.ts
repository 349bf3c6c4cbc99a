/** What the server takes; what it would refuse is said before anything is sent. */
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

const EMAIL = /^[^\s@<>()[\],;:"\\]+@[^\s@.<>()[\],;:"\\]+(\.[^\s@.<>()[\],;:"\\]+)+$/

const ofName = (name: string): LeadProblem | undefined =>
  name.length > NAME_MAX ? 'nameLong' : /\p{Cc}/u.test(name) ? 'nameForm' : undefined

const checks: Record<LeadField, (value: string) => LeadProblem | undefined> = {
  name: (name) => (name === '' ? 'name' : ofName(name)),
  email: (email) =>
    email === '' ? 'emailMissing' : email.length > EMAIL_MAX || !EMAIL.test(email) ? 'emailInvalid' : undefined,
  organisation: ofName,
  text: (text) => (text === '' ? 'text' : text.length > TEXT_MAX ? 'textLong' : undefined),
}

/** What is wrong with a message to the operators, by field in the order of the form. Blanks around a value do not count. */
export function leadProblems(lead: Lead): Partial<Record<LeadField, LeadProblem>> {
  const found: Partial<Record<LeadField, LeadProblem>> = {}
  for (const field of ['name', 'email', 'organisation', 'text'] as const) {
    const problem = checks[field](lead[field].trim())
    if (problem) found[field] = problem
  }
  return found
}
