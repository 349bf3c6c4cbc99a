/** Counters stop at the largest integer that JSON numbers carry exactly. */
export const COUNTER_MAX = Number.MAX_SAFE_INTEGER
