import { S3Error } from './errors.ts'

/** The refusal of a call. */
export function refusalOf(call: () => unknown): S3Error {
  try {
    call()
  } catch (error) {
    if (error instanceof S3Error) return error
    throw error
  }
  throw new Error('It was not refused.')
}

export const codeOf = (call: () => unknown) => refusalOf(call).code
