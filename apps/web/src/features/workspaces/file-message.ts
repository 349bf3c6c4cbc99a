import { ApiError, messageOf } from '../../lib/api.ts'
import { FileError } from './program-files.ts'
import { t } from './texts.ts'

/** Why something with a file of a program failed, for people. */
export function fileMessage(error: unknown): string {
  if (!(error instanceof FileError)) return messageOf(error)
  const text = t.browser.problems[error.problem]
  return error.problem === 'failed' && error.message ? `${text} ${error.message}` : text
}

/** The same as an error that pages show with its message. */
export const fileRefusal = (error: unknown): ApiError =>
  error instanceof ApiError ? error : new ApiError('refused', fileMessage(error))
