import { t } from './name-texts.ts'

/** An error message for an invalid name; `undefined` if it is valid. */
export function nameProblem(name: string, max: number): string | undefined {
  const trimmed = name.trim()
  if (trimmed === '') return t.nameMissing
  if ([...trimmed].length > max) return t.nameTooLong(max)
  return /[/\\]/.test(trimmed) ? t.nameForbidden : undefined
}
