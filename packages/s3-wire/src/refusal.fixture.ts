import { S3Error } from './errors.ts'

function findRefusal(call: () => unknown): S3Error | undefined {
  try {
    call()
  } catch (error) {
    if (error instanceof S3Error) return error
    throw error
  }
  return undefined
}

/** The refusal of a call that must be refused. */
export function refusalOf(call: () => unknown): S3Error {
  const refusal = findRefusal(call)
  if (!refusal) throw new Error('It was not refused.')
  return refusal
}

/** The code of a refusal, or `accepted`. */
export const codeOf = (call: () => unknown) => findRefusal(call)?.code ?? 'accepted'
