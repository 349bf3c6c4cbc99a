import { isErrorKey } from './errors.ts'
import type { Lang } from './lang.ts'

/** Messages in both languages for invalid fields whose schema has no message of its own. */

type Hint = Record<Lang, string>

const hint = (en: string, cn: string): Hint => ({ en, cn })

/** Messages for regular expressions, so that callers do not see the expression. */
const formats = {
  day: hint('Enter a date such as 2026-01-31.', '请填写日期，例如 2026-01-31。'),
  hex32: hint('It must have 32 hexadecimal digits.', '须为 32 位十六进制字符。'),
  hex64: hint('It must have 64 lower-case hexadecimal digits.', '须为 64 位小写十六进制字符。'),
  scopeDate: hint('Enter a date such as 20260131.', '请填写日期，例如 20260131。'),
  scopeRegion: hint('Enter a region such as us-east-1.', '请填写区域，例如 us-east-1。'),
  publicKey: hint('It must be the public key as 43 base64url characters.', '须为 43 个字符的公钥（base64url 编码）。'),
  base64url: hint('It must have base64url characters only.', '只能包含 base64url 字符。'),
  ageRecipient: hint('It must be an age recipient such as age1….', '须为 age 公钥，例如 age1…。'),
  ageCredential: hint('It must begin with AGE-PLUGIN-FIDO2PRF-1.', '须以 AGE-PLUGIN-FIDO2PRF-1 开头。'),
  areaId: hint(
    'It must have four parts, such as Europe-Germany-Hesse-Frankfurt.',
    '须由四部分组成，例如 Europe-Germany-Hesse-Frankfurt。',
  ),
} as const

export type InputFormat = keyof typeof formats

const MARK = 'expects '

/** The schema message for one of the formats above. */
export const expects = (format: InputFormat): string => MARK + format

const types: Record<string, Hint> = {
  string: hint('Enter text.', '请填写文本。'),
  number: hint('Enter a number.', '请填写数字。'),
  nan: hint('Enter a number.', '请填写数字。'),
  int: hint('Enter a whole number.', '请填写整数。'),
  bigint: hint('Enter a whole number.', '请填写整数。'),
  boolean: hint('Enter true or false.', '请填写 true 或 false。'),
  date: hint('Enter a date and time.', '请填写日期和时间。'),
  array: hint('Send a list.', '须为列表。'),
  tuple: hint('Send a list.', '须为列表。'),
  set: hint('Send a list.', '须为列表。'),
  object: hint('Send an object.', '须为包含字段的对象。'),
  record: hint('Send an object.', '须为包含字段的对象。'),
  map: hint('Send an object.', '须为包含字段的对象。'),
  file: hint('Send a file.', '请上传文件。'),
  null: hint('Leave it empty.', '须为空。'),
  undefined: hint('Leave it out.', '不应填写。'),
}

const textFormats: Record<string, Hint> = {
  email: hint('Enter an e-mail address.', '请填写邮箱地址。'),
  url: hint('Enter an address such as https://example.com.', '请填写网址，例如 https://example.com。'),
  datetime: hint(
    'Enter a date and time such as 2026-01-31T08:00:00Z.',
    '请填写日期和时间，例如 2026-01-31T08:00:00Z。',
  ),
  date: formats.day,
  time: hint('Enter a time such as 08:00:00.', '请填写时间，例如 08:00:00。'),
  duration: hint('Enter a duration.', '请填写时长。'),
  ipv4: hint('Enter an IP address.', '请填写 IP 地址。'),
  ipv6: hint('Enter an IP address.', '请填写 IP 地址。'),
}

const invalid = hint('The value is not valid.', '内容无效。')
const wrongFormat = hint('The format is not valid.', '格式不正确。')
const missing = hint('It is required.', '此项必填。')

/** The fields of a schema issue that this file reads. */
export interface InputIssue {
  code?: string | undefined
  input?: unknown
  expected?: string | undefined
  values?: readonly unknown[] | undefined
  options?: readonly unknown[] | undefined
  origin?: string | undefined
  minimum?: number | bigint | undefined
  maximum?: number | bigint | undefined
  inclusive?: boolean | undefined
  exact?: boolean | undefined
  format?: string | undefined
  divisor?: number | bigint | undefined
  keys?: readonly string[] | undefined
  prefix?: string | undefined
  suffix?: string | undefined
  includes?: string | undefined
  errors?: readonly (readonly { code?: string | undefined; message: string }[])[] | undefined
}

export const missingHint = (lang: Lang): string => missing[lang]

/** PostgreSQL cannot store NUL in text. */
export const controlHint = (lang: Lang): string =>
  hint('It must not contain control characters.', '不能包含控制字符。')[lang]

export const bodyHint = (lang: Lang): string => hint('The body must be a JSON object.', '请求体须为 JSON 对象。')[lang]

/** Replaces a message made by `expects` with its text; keeps any other message. */
export function formatHint(message: string, lang: Lang): string {
  const format = message.startsWith(MARK) ? message.slice(MARK.length) : ''
  return Object.hasOwn(formats, format) ? formats[format as InputFormat][lang] : message
}

/** The message for an issue without one: a text, or the error key of a union's option. */
export function inputHint(issue: InputIssue, lang: Lang): string {
  if (
    issue.input === undefined &&
    (issue.code === 'invalid_type' || issue.code === 'invalid_value' || issue.code === 'invalid_union')
  )
    return missing[lang]
  switch (issue.code) {
    case 'invalid_type':
      return (types[issue.expected ?? ''] ?? invalid)[lang]
    case 'invalid_value':
      return oneOf(issue.values ?? [])[lang]
    case 'too_big':
    case 'too_small':
      return size(issue)[lang]
    case 'invalid_format':
      return textFormat(issue)[lang]
    case 'not_multiple_of':
      return hint(`It must be a multiple of ${issue.divisor}.`, `须为 ${issue.divisor} 的倍数。`)[lang]
    case 'unrecognized_keys':
      return hint(`Unknown fields: ${issue.keys?.join(', ')}.`, `未知字段：${issue.keys?.join('、')}。`)[lang]
    case 'invalid_union':
      return issue.options?.length ? oneOf(issue.options)[lang] : ofUnion(issue, lang)
    default:
      return invalid[lang]
  }
}

function oneOf(values: readonly unknown[]): Hint {
  const [only, ...others] = values
  if (others.length > 0) return hint(`Choose one of: ${values.join(', ')}.`, `可选值：${values.join('、')}。`)
  if (only === '' || only === null || only === undefined) return types.null as Hint
  return hint(`It must be ${only}.`, `须为 ${only}。`)
}

function size({ code, origin, minimum, maximum, inclusive, exact }: InputIssue): Hint {
  const big = code === 'too_big'
  const limit = big ? maximum : minimum
  const units: Record<string, [one: string, many: string, cn: string]> = {
    string: ['character', 'characters', '个字符'],
    file: ['byte', 'bytes', '字节'],
    array: ['entry', 'entries', '项'],
    set: ['entry', 'entries', '项'],
    map: ['entry', 'entries', '项'],
  }
  const unit = units[origin ?? '']
  if (unit) {
    const [one, many, cn] = unit
    if (!big && !exact && Number(limit) === 1)
      return origin === 'string'
        ? hint('It must not be empty.', '不能为空。')
        : hint('Choose at least one.', '请至少选择一项。')
    const counted = `${limit} ${Number(limit) === 1 ? one : many}`
    if (exact) return hint(`It must have exactly ${counted}.`, `须为 ${limit} ${cn}。`)
    return big
      ? hint(`It must have at most ${counted}.`, `最多 ${limit} ${cn}。`)
      : hint(`It must have at least ${counted}.`, `至少 ${limit} ${cn}。`)
  }
  if (origin === 'date')
    return big ? hint('The date is too late.', '日期过晚。') : hint('The date is too early.', '日期过早。')
  if (inclusive === false)
    return big
      ? hint(`It must be less than ${limit}.`, `须小于 ${limit}。`)
      : hint(`It must be more than ${limit}.`, `须大于 ${limit}。`)
  return big
    ? hint(`It must be at most ${limit}.`, `不能大于 ${limit}。`)
    : hint(`It must be at least ${limit}.`, `不能小于 ${limit}。`)
}

function textFormat({ format = '', prefix, suffix, includes }: InputIssue): Hint {
  if (format === 'starts_with') return hint(`It must begin with “${prefix}”.`, `须以“${prefix}”开头。`)
  if (format === 'ends_with') return hint(`It must end with “${suffix}”.`, `须以“${suffix}”结尾。`)
  if (format === 'includes') return hint(`It must contain “${includes}”.`, `须包含“${includes}”。`)
  return Object.hasOwn(textFormats, format) ? (textFormats[format] as Hint) : wrongFormat
}

/** Reports the best matching option: correct type, but another rule violated. */
function ofUnion({ errors = [] }: InputIssue, lang: Lang): string {
  const found = errors
    .map(([first]) => first)
    .filter((first) => first !== undefined)
    .filter(({ code, message }) => namesError(message) || (code !== 'invalid_type' && code !== 'invalid_value'))
  const [first] = found.sort((a, b) => Number(namesError(b.message)) - Number(namesError(a.message)))
  return first ? first.message : invalid[lang]
}

const namesError = (message: string): boolean => isErrorKey(message.split(' ', 1)[0] ?? '')
