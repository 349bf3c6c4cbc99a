import { isContentError } from '@tidenet/content'
import { isUnreachable } from '../platform/platform.ts'
import type { Failure, Say } from '../result.ts'
import type { FailureReason, NodePool } from './node-pool.ts'

/** What a node answered instead of what was asked for. */
export class BadAnswer extends Error {
  readonly reason: FailureReason
  readonly status: number

  constructor(reason: FailureReason, message: string, status: number) {
    super(message)
    this.reason = reason
    this.status = status
  }
}

/** Why a node failed, in words for the report. */
export interface NodeFailure {
  error: string
  status: number
  reason: FailureReason
}

export function nodeFailure(say: Say, error: unknown): NodeFailure {
  if (error instanceof BadAnswer) return { error: error.message, status: error.status, reason: error.reason }
  if (isContentError(error)) return { error: wrongBytes(say), status: 200, reason: 'wrong' }
  if (isUnreachable(error) && error.reason === 'stalled')
    return { error: say('timedOut').msg, status: 0, reason: 'stalled' }
  return { error: say('fetchError', { phrase: 'nodeNetwork' }).msg, status: 0, reason: 'network' }
}

export const wrongBytes = (say: Say): string => say('downloadFileError', { phrase: 'wrongBytes' }).msg

/** Why nothing more can be got of any node: all were too slow, all were wrong, all are gone, or each was asked often enough. */
export function lost({ reasons, nodes }: NodePool, say: Say): Failure {
  if (reasons.length > 0 && reasons.every((reason) => reason === 'stalled')) return say('timedOut')
  if (reasons.length > 0 && reasons.every((reason) => reason === 'wrong')) return say('downloadFileError')
  const alive = nodes.some((node) => node.state === 'alive')
  return alive ? say('downloadError', { phrase: 'downloadMaximum' }) : say('downloadError')
}
