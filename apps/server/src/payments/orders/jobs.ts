import { job } from '../../platform/jobs/job.ts'

/** Advances due orders at once, without waiting for the task. */
export const ordersToAdvance = job<Record<string, never>>('advanceOrder')
