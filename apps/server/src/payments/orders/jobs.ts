import { job } from '../../platform/jobs/job.ts'

export const orderToAdvance = job<{ id: string }>('advanceOrder')
