import type { Result } from '@tidenet/storage'
import { ApiError } from '../../lib/api.ts'

/** The data of the SDK's result. @throws ApiError with its message */
export function dataOf<T>(result: Result<T>): T {
  if (result.code === 0) return result.data as T
  const { err } = result.data as { err?: number }
  throw new ApiError('refused', result.msg, err, result.data)
}
