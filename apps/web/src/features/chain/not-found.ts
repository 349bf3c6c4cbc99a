import { ApiError } from '../../lib/api.ts'

const NOT_FOUND = 1000

/** Whether the requested block or transaction does not exist. */
export const isMissing = (error: unknown): boolean => error instanceof ApiError && error.err === NOT_FOUND
