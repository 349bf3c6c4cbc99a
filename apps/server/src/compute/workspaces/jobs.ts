import { job } from '../../platform/jobs/job.ts'

/** Brings the cluster to the desired state of a workload. */
export const reconcileWorkloadJob = job<{ id: string }>('settleWorkload')
