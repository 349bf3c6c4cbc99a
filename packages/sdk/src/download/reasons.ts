import { isContentError } from '@tidenet/content'
import { isUnreachable } from '../platform/platform.ts'
import type { Failure, ToFailure } from '../result.ts'
import type { FailureReason, NodePool } from './node-pool.ts'

/** A response of a node that is not what was requested. */
export class BadAnswer extends Error {
  readonly reason: FailureReason
  readonly status: number

  constructor(reason: FailureReason, message: string, status: number) {
    super(message)
    this.reason = reason
    this.status = status
  }
}

/** Why a node failed, for the transfer report. */
export interface NodeFailure {
  error: string
  status: number
  reason: FailureReason
}

export function nodeFailure(toFailure: ToFailure, error: unknown): NodeFailure {
  if (error instanceof BadAnswer) return { error: error.message, status: error.status, reason: error.reason }
  if (isContentError(error)) return { error: wrongBytes(toFailure), status: 200, reason: 'wrong' }
  if (isUnreachable(error) && error.reason === 'stalled')
    return { error: toFailure('timedOut').msg, status: 0, reason: 'stalled' }
  return { error: toFailure('fetchError', { phrase: 'nodeNetwork' }).msg, status: 0, reason: 'network' }
}

export const wrongBytes = (toFailure: ToFailure): string => toFailure('downloadFileError', { phrase: 'wrongBytes' }).msg

/** The failure of the download when no node is left: all timed out, all sent wrong bytes, all are down, or the attempts are used up. */
export function noNodeLeft({ reasons, nodes }: NodePool, toFailure: ToFailure): Failure {
  if (reasons.length > 0 && reasons.every((reason) => reason === 'stalled')) return toFailure('timedOut')
  if (reasons.length > 0 && reasons.every((reason) => reason === 'wrong')) return toFailure('downloadFileError')
  const alive = nodes.some((node) => node.state === 'alive')
  return alive ? toFailure('downloadError', { phrase: 'downloadMaximum' }) : toFailure('downloadError')
}
