import type { HealthCheck, RestartPolicy } from '@tidenet/contract'
import type { Yaml } from './read-yaml.ts'

/** Single values of a Compose file. Each function returns undefined if the value is not of the supported form. */

/** Splits a command line like a shell, which Compose does without running one. */
export function splitWords(line: string): string[] | undefined {
  const words: string[] = []
  let word: string | undefined
  let quote = ''
  for (let at = 0; at < line.length; at++) {
    const sign = line[at] as string
    if (sign === '\\' && quote !== "'") {
      const next = line[at + 1]
      if (next === undefined) return undefined
      word = (word ?? '') + (quote === '' || next === '"' || next === '\\' ? next : `\\${next}`)
      at += 1
    } else if (quote !== '' ? sign === quote : sign === "'" || sign === '"') {
      quote = quote === '' ? sign : ''
      word ??= ''
    } else if (quote === '' && /\s/.test(sign)) {
      if (word !== undefined) words.push(word)
      word = undefined
    } else word = (word ?? '') + sign
  }
  if (quote !== '') return undefined
  return word === undefined ? words : [...words, word]
}

const isScalar = (value: Yaml | undefined): value is string | number =>
  typeof value === 'string' || typeof value === 'number'

/** A command line or a list of arguments. */
export function wordsOf(value: Yaml): string[] | undefined {
  const words = Array.isArray(value)
    ? value.every(isScalar)
      ? value.map(String)
      : undefined
    : isScalar(value)
      ? splitWords(String(value))
      : undefined
  return words && words.length <= 50 && words.every((word) => word.length <= 2000 && !word.includes('\0'))
    ? words
    : undefined
}

/** `0.5` or `'0.5'`, in cores. */
export function coresOf(value: Yaml): number | undefined {
  const cores = isScalar(value) && /^\d*\.?\d+$/.test(String(value)) ? Number(value) : Number.NaN
  return cores > 0 && cores <= 32 ? Math.max(0.1, Math.round(cores * 10) / 10) : undefined
}

const UNITS: Readonly<Record<string, number>> = { b: 1, k: 1024, m: 1024 ** 2, g: 1024 ** 3 }

/** `512M`, `1.5gb`, `1073741824`, in bytes. */
export function bytesOf(value: Yaml): number | undefined {
  const [, number = '', unit = 'b'] =
    (isScalar(value) && /^(\d+(?:\.\d+)?)\s*([bkmg])?i?b?$/i.exec(String(value).toLowerCase())) || []
  if (number === '') return undefined
  const bytes = Math.ceil(Number(number) * (UNITS[unit] as number))
  return bytes > 0 && bytes <= 4000 * 1024 ** 3 ? bytes : undefined
}

/** `30s`, `1m30s`, `500ms`, in seconds. */
export function secondsOf(value: Yaml): number | undefined {
  if (typeof value !== 'string' || !/^(\d+(\.\d+)?(us|ms|s|m|h))+$/.test(value)) return undefined
  const units: Record<string, number> = { us: 1e-6, ms: 1e-3, s: 1, m: 60, h: 3600 }
  let sum = 0
  for (const [, number = '', , unit = ''] of value.matchAll(/(\d+(\.\d+)?)(us|ms|s|m|h)/g))
    sum += Number(number) * (units[unit] as number)
  return sum
}

/** The port inside of the container: `80`, `8080:80`, `127.0.0.1:8080:80/tcp`, or `{ target: 80 }`. */
export function portOf(value: Yaml): { port: number; isMapped: boolean } | undefined {
  if (value !== null && typeof value === 'object' && !Array.isArray(value)) {
    const { target, published, protocol = 'tcp', mode = 'ingress', name: _, ...more } = value
    const port = portNumber(target)
    const isUsual = protocol === 'tcp' && (mode === 'ingress' || mode === 'host') && Object.keys(more).length === 0
    return port !== undefined && isUsual ? { port, isMapped: published !== undefined } : undefined
  }
  if (!isScalar(value)) return undefined
  const parts = String(value)
    .replace(/\/tcp$/, '')
    .split(':')
  const port = portNumber(parts.at(-1))
  if (port === undefined || parts.length > 3) return undefined
  const isKnown = parts.slice(0, -1).every((part) => /^[\d.]*$/.test(part))
  return isKnown ? { port, isMapped: parts.length > 1 } : undefined
}

function portNumber(value: Yaml | undefined): number | undefined {
  const port = isScalar(value) && /^\d{1,5}$/.test(String(value)) ? Number(value) : 0
  return port >= 1 && port <= 65_535 ? port : undefined
}

export interface Volume {
  /** Empty: it has no name. */
  name: string
  path: string
}

/** `name:/path`, `/path`, or `{ type: volume, source, target }`; `bind`: a folder of the machine, which nobody can have. */
export function volumeOf(value: Yaml): Volume | 'bind' | undefined {
  if (value !== null && typeof value === 'object' && !Array.isArray(value)) {
    const { type, source = '', target, read_only = false, ...more } = value
    if (type === 'bind') return 'bind'
    const isUsual = type === 'volume' && read_only === false && Object.keys(more).length === 0
    return isUsual && typeof source === 'string' && typeof target === 'string' ? named(source, target) : undefined
  }
  if (typeof value !== 'string') return undefined
  const [first = '', second, mode, ...more] = value.split(':')
  if (more.length > 0 || (mode !== undefined && mode !== 'rw')) return undefined
  if (second === undefined) return named('', first)
  return /^[./~\\]/.test(first) || second.startsWith('\\') ? 'bind' : named(first, second)
}

const named = (name: string, path: string): Volume | undefined =>
  isDiskPath(path) && (name === '' || /^[\w][\w.-]{0,99}$/.test(name)) ? { name, path: tidy(path) } : undefined

const tidy = (path: string): string => path.replace(/\/+$/, '')

/** Folders that a container needs as they are. */
const RESERVED = /^\/(proc|sys|dev|run)(\/|$)|^\/(etc|bin|sbin|lib|lib64|usr)$/

/** Whether a folder of a program can be on its disk. */
export function isDiskPath(path: string): boolean {
  const plain = tidy(path)
  return (
    path.length <= 200 &&
    /^(\/[\w.@+-]+)+$/.test(plain) &&
    !plain.split('/').some((part) => part === '.' || part === '..') &&
    !RESERVED.test(plain)
  )
}

export function restartOf(value: Yaml): RestartPolicy | undefined {
  // YAML 1.2 reads it as a text.
  if (value === 'no') return 'never'
  if (value === 'always' || value === 'unless-stopped') return 'always'
  return value === 'on-failure' ? 'on-failure' : undefined
}

/** `1000`, `1000:1000` or a name. */
export const userOf = (value: Yaml): string | undefined =>
  isScalar(value) && /^[a-z\d_][\w-]{0,31}(:[a-z\d_][\w-]{0,31})?$/i.test(String(value)) ? String(value) : undefined

/**
 * The port and path that a test of curl, wget or nc asks, inside of the container. Other tests would have to run inside, but the server
 * asks from outside.
 */
export function healthOf(test: Yaml): Pick<HealthCheck, 'kind' | 'port' | 'path'> | undefined {
  const words = Array.isArray(test)
    ? test[0] === 'CMD'
      ? wordsOf(test.slice(1))
      : test[0] === 'CMD-SHELL' && test.length === 2
        ? wordsOf(String(test[1]))
        : undefined
    : wordsOf(test)
  if (!words) return undefined
  // `… || exit 1` says what happens anyway.
  const end = words.indexOf('||')
  const rest = end < 0 ? [] : words.slice(end + 1).join(' ')
  if (end >= 0 && !/^(exit 1|false)$/.test(String(rest))) return undefined
  const [program = '', ...args] = end < 0 ? words : words.slice(0, end)
  if (/^(\/usr\/bin\/|\/bin\/)?(curl|wget)$/.test(program)) {
    const urls = args.filter((word) => !word.startsWith('-') && word !== '/dev/null' && !/^\d+$/.test(word))
    const [, port = '80', path = '/'] =
      (urls.length === 1 &&
        /^(?:http:\/\/)?(?:localhost|127\.0\.0\.1|0\.0\.0\.0|\[::1\])(?::(\d{1,5}))?(\/[\x21-\x7e]{0,499})?$/.exec(
          urls[0] ?? '',
        )) ||
      []
    const number = portNumber(port)
    const isAsked = urls.length === 1 && /^(http:\/\/)?(localhost|127\.|0\.0\.0\.0|\[::1\])/.test(urls[0] ?? '')
    return isAsked && number !== undefined ? { kind: 'http', port: number, path } : undefined
  }
  if (program === 'nc' && args.length === 3 && /^-\w*z\w*$/.test(args[0] ?? '')) {
    const port = portNumber(args[2])
    return port !== undefined && /^(localhost|127\.0\.0\.1)$/.test(args[1] ?? '')
      ? { kind: 'tcp', port, path: '/' }
      : undefined
  }
  return undefined
}
