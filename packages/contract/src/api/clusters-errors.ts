/** Errors of every change of a workload. */
export const ofWorkload = ['workloadUnknown', 'workspaceNotReady'] as const
