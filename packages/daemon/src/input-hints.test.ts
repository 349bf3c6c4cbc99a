import { contract, errors, errorText, inputHint, type Lang, PERMISSIONS, type Route } from '@tidenet/contract'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { inputRefusal } from './serve.ts'

/** Values of every JSON and query type, for fields of another type. */
const values: unknown[] = [
  undefined,
  null,
  '',
  ' ',
  'xx',
  '漢字',
  'a/b',
  '-1',
  '1.5',
  '1e999',
  '2026-13-45',
  'x@y',
  'x'.repeat(3000),
  'xx,'.repeat(300),
  -1,
  0,
  1.5,
  7,
  99,
  1e30,
  Number.MAX_SAFE_INTEGER,
  true,
  false,
  [],
  ['xx'],
  [null, 1, {}],
  Array.from({ length: 2000 }, (_, index) => String(index)),
  {},
  { xx: 1 },
  { type: 'xx', id: 1 },
]

const operations = Object.entries(contract).flatMap(([duty, routes]) =>
  Object.entries(routes as Record<string, Route>).map(([name, route]) => [`${duty}.${name}`, route] as const),
)

interface Shape {
  properties?: Record<string, Shape>
  enum?: unknown[]
  const?: unknown
}

const shapeOf = (route: Route): Shape =>
  z.toJSONSchema(route.input, { io: 'input', unrepresentable: 'any' }) as unknown as Shape

/** Inputs with one value in one field, or in a nested field. */
function* inputs({ properties = {} }: Shape, wrap: (inner: object) => object = (inner) => inner): Generator<object> {
  for (const [field, shape] of Object.entries(properties)) {
    for (const value of values) yield wrap({ [field]: value })
    yield* inputs(shape, (inner) => wrap({ [field]: inner }))
  }
}

/** All messages about an input, not only the first. */
function told(route: Route, given: object, lang: Lang): { text: string; path: string }[] {
  const parsed = route.input.safeParse(given, { error: (issue) => inputHint(issue as never, lang) })
  return (parsed.error?.issues ?? []).map((issue) => {
    const { key, facts } = inputRefusal(issue, given, lang)
    return { text: errorText(key, lang, facts), path: issue.path.join('.') }
  })
}

/** Names that are not translated: abbreviations, media types, examples. */
const NAMES =
  /\b(?:TIDENET_[A-Z_]+|API|https?(?= )|IPFS|S3|CID|IP|VIP|JSON|GB|MB|MiB|base64url|true|false|https:\/\/example\.com|Webhook|Europe-Germany-Hesse-Frankfurt|nginx|shop\.example\.org|ghcr\.io\/owner\/name:1\.0|Content-Type|application\/json|multipart\/form-data|PCDN|DNS|TLS|MP3|TCP|WAV|WebP|JPEG|KiB|UID|TNT4?|AGE-PLUGIN-FIDO2PRF-1|age|2001:db8|Compose|OCI|tar|GiB|(?:docker|podman) save|us-east-1|Access Key ID|Secret Access Key|(?:Jwt)?Authorization(?:: Bearer)?)\b|\/data(?:\/[a-z]+)?|oci-layout|index\.json|blobs\/sha256|https:\/\/|2026-01-31T08:00:00Z/g
/** Names of schemas and regular expression syntax. */
const JARGON =
  /ZodError|\bNaN\b|undefined|null\b|instanceof|expected|received|Invalid (?:input|string|option)|\[object|\/\^|\\[dpsw]|\[\w-\w|\{\d+(?:,\d*)?\}|\$\/|\bexpects\b/

/** Choices follow a colon, as wire values. */
const choices = (text: string, en: string, cn: string) => text.replace(new RegExp(`(?:${en}|${cn}).*$`, 's'), '')

describe('messages for invalid input', () => {
  it.each(operations)('%s: in the caller’s language, without schema terms', (_, route) => {
    for (const given of inputs(shapeOf(route))) {
      for (const { text, path } of told(route, given, 'cn')) {
        const plain = choices(text.replace(`：${path}。`, '：'), 'Choose one of', '可选值|须为 (?=[A-Za-z])').replace(
          NAMES,
          '',
        )
        expect(plain).not.toMatch(/[A-Za-z]{2}/)
        expect(text).toMatch(/\p{Script=Han}/u)
        // A field may have any name.
        expect(text.replace(path, '')).not.toMatch(JARGON)
      }
      for (const { text, path } of told(route, given, 'en')) {
        expect(text.replace(path, '')).not.toMatch(/\p{Script=Han}/u)
        expect(text.replace(path, '')).not.toMatch(JARGON)
        expect(text).toMatch(/[.!?]$/)
      }
    }
  })

  it('exist for every kind of schema issue', () => {
    const input = z.object({
      whole: z.number().int(),
      more: z.number().gt(3),
      less: z.number().lt(3),
      step: z.number().multipleOf(10),
      exact: z.string().length(4),
      short: z.string().min(4),
      few: z.array(z.string()).min(2),
      exactly: z.array(z.string()).length(2),
      one: z.literal('one'),
      day: z.iso.date(),
      hour: z.iso.time(),
      span: z.iso.duration(),
      mail: z.email(),
      id: z.uuid(),
      begins: z.string().startsWith('十'),
      ends: z.string().endsWith('十'),
      holds: z.string().includes('十'),
      number4: z.ipv4(),
      time: z.date(),
      early: z.date().min(new Date(1e12)),
      late: z.date().max(new Date(1)),
      several: z.set(z.string()),
      pairs: z.map(z.string(), z.string()),
      kinds: z.discriminatedUnion('type', [z.object({ type: z.literal('one') }), z.object({ type: z.literal('two') })]),
      either: z.union([z.number(), z.boolean()]),
      keys: z.record(z.enum(['one']), z.string()),
      closed: z.strictObject({}),
      nothing: z.null(),
      own: z.string().refine(() => false),
      list: z.tuple([z.string()]),
      big: z.bigint(),
    })
    const wrong = {
      whole: 1.5,
      more: 3,
      less: 3,
      step: 7,
      exact: 'x',
      short: 'x',
      few: ['x'],
      exactly: [],
      one: 'x',
      early: new Date(1),
      late: new Date(1e12),
      kinds: { type: 'x' },
      either: 'x',
      keys: { x: 'x' },
      closed: { 多: 1 },
      own: 'x',
      ...Object.fromEntries(
        ['day', 'hour', 'span', 'mail', 'id', 'begins', 'ends', 'holds', 'number4', 'time', 'several', 'pairs']
          .concat(['nothing', 'list', 'big'])
          .map((field) => [field, 'x']),
      ),
    }
    const route = { input } as unknown as Route
    const fields = Object.keys(input.shape)
    for (const lang of ['en', 'cn'] as const) {
      const texts = told(route, wrong, lang)
      expect(new Set(texts.map(({ path }) => path.split('.')[0]))).toEqual(new Set(fields))
      for (const { text, path } of texts) {
        expect(text).not.toMatch(JARGON)
        const plain = choices(text.replace(path, ''), 'one of:|It must be', '可选值|须为').replace(NAMES, '')
        if (lang === 'cn') expect(plain).not.toMatch(/[A-Za-z]{2}/)
      }
      expect(told(route, {}, lang)).toHaveLength(fields.length)
    }
  })

  it('reject catalogue texts that mix languages', () => {
    const facts = new Proxy({}, { get: (_, name) => (name === 'permission' ? PERMISSIONS[0] : 7) }) as never
    for (const { en, cn } of Object.values(errors)) {
      expect((en as (facts: never) => string)(facts)).not.toMatch(/\p{Script=Han}/u)
      expect(
        (cn as (facts: never) => string)(facts)
          .replace(NAMES, '')
          .replace(/"file"|（\w+）/g, ''),
      ).not.toMatch(/[A-Za-z]{2}/)
    }
  })
})
