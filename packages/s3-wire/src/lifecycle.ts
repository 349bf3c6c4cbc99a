import { S3Error } from './errors.ts'
import { readTag, type Tag } from './tags.ts'
import { writeXml, type XmlElement, type XmlNode } from './xml.ts'
import { type Fields, fieldsOf, malformed, readRoot } from './xml-fields.ts'

const RULES_MAX = 1000
const DAY_MS = 24 * 3600 * 1000

export interface LifecycleRule {
  id?: string | undefined
  isEnabled: boolean
  /** All must hold; sizes in bytes, exclusive. */
  filter: {
    prefix?: string | undefined
    tags: Tag[]
    sizeAbove?: number | undefined
    sizeBelow?: number | undefined
  }
  /** What happens to current versions. `date` is Unix milliseconds, midnight in UTC. */
  expiration?: { days: number } | { date: number } | { deleteMarkers: boolean } | undefined
  /** Versions that were replaced so many days ago, but the newest `keep` of them stay. */
  noncurrentExpiration?: { days: number; keep?: number | undefined } | undefined
  abortMultipartAfterDays?: number | undefined
}

/**
 * The body of PutBucketLifecycleConfiguration.
 * @throws S3Error MalformedXML, InvalidArgument, InvalidRequest, NotImplemented for transitions to other storage classes
 */
export function readLifecycle(body: Uint8Array): LifecycleRule[] {
  const elements = readRoot(body, 'LifecycleConfiguration', ['Rule']).all('Rule')
  if (elements.length === 0 || elements.length > RULES_MAX) throw malformed()
  const rules = elements.map(readRule)
  const ids = rules.flatMap(({ id }) => id ?? [])
  if (new Set(ids).size < ids.length) throw new S3Error('InvalidArgument', 'Rule ID must be unique.')
  return rules
}

const ACTIONS = ['Expiration', 'NoncurrentVersionExpiration', 'AbortIncompleteMultipartUpload']
const TRANSITIONS = ['Transition', 'NoncurrentVersionTransition']

function readRule(element: XmlElement): LifecycleRule {
  const rule = fieldsOf(element, ['ID', 'Status', 'Filter', 'Prefix', ...ACTIONS, ...TRANSITIONS])
  if (TRANSITIONS.some((name) => rule.all(name).length > 0))
    throw new S3Error('NotImplemented', 'There are no other storage classes to move objects to.')
  const status = rule.word('Status')
  if (status !== 'Enabled' && status !== 'Disabled') throw malformed()
  const id = rule.text('ID')
  if (id !== undefined && id.length > 255)
    throw new S3Error('InvalidArgument', 'ID length should not exceed allowed limit of 255')
  const filter = readFilter(rule)
  const expiration = readExpiration(rule.one('Expiration'))
  const noncurrent = rule.one('NoncurrentVersionExpiration')
  const abort = rule.one('AbortIncompleteMultipartUpload')
  if (!expiration && !noncurrent && !abort)
    throw new S3Error('InvalidRequest', 'At least one action needs to be specified in a rule')
  const hasSize = filter.sizeAbove !== undefined || filter.sizeBelow !== undefined
  if (abort && (filter.tags.length > 0 || hasSize))
    throw new S3Error('InvalidRequest', 'AbortIncompleteMultipartUpload cannot be specified with tags or sizes.')
  return {
    ...(id !== undefined && { id }),
    isEnabled: status === 'Enabled',
    filter,
    ...(expiration && { expiration }),
    ...(noncurrent && { noncurrentExpiration: readNoncurrent(noncurrent) }),
    ...(abort && {
      abortMultipartAfterDays: requireDays(fieldsOf(abort, ['DaysAfterInitiation']), 'DaysAfterInitiation'),
    }),
  }
}

const CONDITIONS = ['Prefix', 'Tag', 'ObjectSizeGreaterThan', 'ObjectSizeLessThan']

function readFilter(rule: Fields): LifecycleRule['filter'] {
  const element = rule.one('Filter')
  const prefix = rule.text('Prefix')
  if ((element === undefined) === (prefix === undefined)) throw malformed()
  if (!element) return { prefix: prefix!, tags: [] }
  const and = fieldsOf(element, ['And', ...CONDITIONS]).one('And')
  // Several conditions need <And>, one needs none.
  if (element.children.length > 1) throw malformed()
  const fields = fieldsOf(and ?? element, CONDITIONS)
  const found = {
    prefix: fields.text('Prefix'),
    sizeAbove: fields.integer('ObjectSizeGreaterThan'),
    sizeBelow: fields.integer('ObjectSizeLessThan'),
  }
  const known = Object.fromEntries(Object.entries(found).filter(([, value]) => value !== undefined))
  return { ...known, tags: fields.all('Tag').map(readTag) }
}

function readExpiration(element: XmlElement | undefined): LifecycleRule['expiration'] {
  if (!element) return undefined
  const names = ['Days', 'Date', 'ExpiredObjectDeleteMarker']
  const fields = fieldsOf(element, names)
  if (element.children.length !== 1) throw malformed()
  const marker = fields.word('ExpiredObjectDeleteMarker')
  if (marker !== undefined) {
    if (marker !== 'true' && marker !== 'false') throw malformed()
    return { deleteMarkers: marker === 'true' }
  }
  const text = fields.word('Date')
  if (text === undefined) return { days: requireDays(fields, 'Days') }
  const date = /^\d{4}-\d\d-\d\d(?:T[\d:.]+(?:Z|[+-]\d\d:\d\d))?$/.test(text) ? Date.parse(text) : Number.NaN
  if (Number.isNaN(date)) throw malformed()
  if (date % DAY_MS !== 0) throw new S3Error('InvalidArgument', "'Date' must be at midnight GMT")
  return { date }
}

function readNoncurrent(element: XmlElement): { days: number; keep?: number } {
  const fields = fieldsOf(element, ['NoncurrentDays', 'NewerNoncurrentVersions'])
  const keep = fields.integer('NewerNoncurrentVersions')
  if (keep !== undefined && (keep < 1 || keep > 100))
    throw new S3Error('InvalidArgument', "'NewerNoncurrentVersions' must be between 1 and 100")
  return { days: requireDays(fields, 'NoncurrentDays'), ...(keep !== undefined && { keep }) }
}

function requireDays(fields: Fields, name: string): number {
  const days = fields.integer(name)
  if (days === undefined) throw malformed()
  if (days < 1 || days > 2 ** 31 - 1) throw new S3Error('InvalidArgument', `'${name}' must be a positive integer`)
  return days
}

export const lifecycleXml = (rules: readonly LifecycleRule[]): string =>
  writeXml(['LifecycleConfiguration', rules.map((rule) => ['Rule', ruleNodes(rule)])])

function ruleNodes({
  id,
  isEnabled,
  filter,
  expiration,
  noncurrentExpiration,
  abortMultipartAfterDays,
}: LifecycleRule): XmlNode[] {
  const conditions: XmlNode[] = [
    ['Prefix', filter.prefix],
    ...filter.tags.map(
      ({ key, value }): XmlNode => [
        'Tag',
        [
          ['Key', key],
          ['Value', value],
        ],
      ],
    ),
    ['ObjectSizeGreaterThan', filter.sizeAbove],
    ['ObjectSizeLessThan', filter.sizeBelow],
  ].filter((condition): condition is XmlNode => condition[1] !== undefined)
  return [
    ['ID', id],
    ['Filter', conditions.length > 1 ? [['And', conditions]] : conditions],
    ['Status', isEnabled ? 'Enabled' : 'Disabled'],
    ['Expiration', expiration && expirationNodes(expiration)],
    [
      'NoncurrentVersionExpiration',
      noncurrentExpiration && [
        ['NoncurrentDays', noncurrentExpiration.days],
        ['NewerNoncurrentVersions', noncurrentExpiration.keep],
      ],
    ],
    [
      'AbortIncompleteMultipartUpload',
      abortMultipartAfterDays === undefined ? undefined : [['DaysAfterInitiation', abortMultipartAfterDays]],
    ],
  ]
}

const expirationNodes = (expiration: NonNullable<LifecycleRule['expiration']>): XmlNode[] => [
  ['Days', 'days' in expiration ? expiration.days : undefined],
  ['Date', 'date' in expiration ? new Date(expiration.date).toISOString() : undefined],
  ['ExpiredObjectDeleteMarker', 'deleteMarkers' in expiration ? expiration.deleteMarkers : undefined],
]
