import { ApiError } from '../../lib/api.ts'

const NOT_FOUND = 1000

/** Whether the server knows nothing of what was asked for. */
export const isMissing = (error: unknown): boolean => error instanceof ApiError && error.err === NOT_FOUND
