import { job } from '../../platform/jobs/job.ts'

/** Makes a workload what it is to be. */
export const workloadToSettle = job<{ id: string }>('settleWorkload')
