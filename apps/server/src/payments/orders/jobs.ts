import { job } from '../../platform/jobs/job.ts'

/** Takes the next step of an order. */
export const orderToAdvance = job<{ id: string }>('advanceOrder')
