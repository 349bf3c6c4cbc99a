import type { CoreV1Api, CoreV1ApiReadNamespacedPodLogRequest } from '@kubernetes/client-node'
import { asFailure, codeOf } from './api.ts'

/** An empty log has no content type, which the client reports as an error without a status. */
const isEmpty = (error: unknown): boolean => error instanceof Error && error.message.includes('No Content-Type defined')

/** The output of a pod; empty if it does not run yet, or had no such run. @throws ClusterError */
export const readPodLog = (core: CoreV1Api, request: CoreV1ApiReadNamespacedPodLogRequest): Promise<string> =>
  core.readNamespacedPodLog(request).catch((error: unknown) => {
    if (isEmpty(error) || codeOf(error) === 400 || codeOf(error) === 404) return ''
    throw asFailure(error)
  })
