import type { LifecycleRuleOfBucket as Rule } from '@tidenet/contract'
import { DAY } from '../../platform/ago.ts'

/** What rules say of an object or one of its versions. Times are Unix ms. */
export interface Aged {
  key: string
  size: number
  tags: readonly { key: string; value: string }[]
}

/** As in S3, days end at midnight (UTC). */
const endOf = (time: number, days: number): number => Math.ceil((time + days * DAY) / DAY) * DAY

function fits({ filter: { prefix = '', tags, sizeAbove, sizeBelow } }: Rule, object: Aged): boolean {
  return (
    object.key.startsWith(prefix) &&
    (sizeAbove === undefined || object.size > sizeAbove) &&
    (sizeBelow === undefined || object.size < sizeBelow) &&
    tags.every((tag) => object.tags.some(({ key, value }) => key === tag.key && value === tag.value))
  )
}

/** When a current object expires first, and by which rule. */
export function expirationOf(
  rules: readonly Rule[],
  object: Aged & { modified: number },
): { at: number; rule: Rule } | undefined {
  let first: { at: number; rule: Rule } | undefined
  for (const rule of rules) {
    const { expiration } = rule
    if (!expiration || 'deleteMarkers' in expiration || !fits(rule, object)) continue
    const at = 'days' in expiration ? endOf(object.modified, expiration.days) : expiration.date
    if (!first || at < first.at) first = { at, rule }
  }
  return first
}

/** Whether a current object has expired. */
export const isExpired = (rules: readonly Rule[], object: Aged & { modified: number }, at: number): boolean =>
  (expirationOf(rules, object)?.at ?? Number.POSITIVE_INFINITY) <= at

/** Whether a version that was replaced or deleted has expired. @param newer how many such versions of the key are newer */
export const isVersionExpired = (
  rules: readonly Rule[],
  version: Aged & { since: number; newer: number },
  at: number,
): boolean =>
  rules.some((rule) => {
    const { noncurrentExpiration: ends } = rule
    return ends && fits(rule, version) && endOf(version.since, ends.days) <= at && version.newer >= (ends.keep ?? 0)
  })

/** Whether a delete marker goes that has no versions behind it. It has no size and no tags. */
export const isMarkerExpired = (rules: readonly Rule[], key: string): boolean =>
  rules.some(
    (rule) =>
      rule.expiration &&
      'deleteMarkers' in rule.expiration &&
      rule.expiration.deleteMarkers &&
      rule.filter.tags.length === 0 &&
      rule.filter.sizeAbove === undefined &&
      rule.filter.sizeBelow === undefined &&
      key.startsWith(rule.filter.prefix ?? ''),
  )

/** With what all keys begin that rules can mean. */
export function commonPrefix(rules: readonly Rule[]): string {
  const [first = '', ...others] = rules.map(({ filter }) => filter.prefix ?? '')
  let length = first.length
  for (const other of others) while (!other.startsWith(first.slice(0, length))) length -= 1
  // Half of a character begins nothing.
  return /[\ud800-\udbff]$/.test(first.slice(0, length)) ? first.slice(0, length - 1) : first.slice(0, length)
}
