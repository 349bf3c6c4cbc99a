import { Readable } from 'node:stream'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { S3Error } from './errors.ts'
import { readPostForm } from './post-form.ts'
import { readPostPolicy } from './post-policy.ts'
import { codeOf } from './refusal.fixture.ts'
import { EXAMPLE, EXAMPLE_SCOPE, EXAMPLE_TIME } from './s3.fixture.ts'
import { sign, signingKeyOf, verifySignature } from './signature.ts'

// biome-ignore lint/suspicious/noTemplateCurlyInString: S3 replaces it, not JavaScript.
const FILE_NAME = '${filename}'
const TYPE = 'multipart/form-data; boundary=b'
const ANY = { minBytes: 0, maxBytes: 1e9 }
const IDLE_MS = 5000
const part = (name: string, value: string, more = '') =>
  `--b\r\nContent-Disposition: form-data; name="${name}"${more}\r\n\r\n${value}\r\n`
const file = (content: string, name = 'a.txt') => part('file', content, `; filename="${name}"`)
const END = '--b--\r\n'

function* inParts(text: string, size: number) {
  const bytes = Buffer.from(text)
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size)
}
async function upload(text: string, { size = 7, limits = ANY, type = TYPE } = {}) {
  const form = await readPostForm(type, Readable.from(inParts(text, size)), IDLE_MS)
  const pieces: Buffer[] = []
  for await (const piece of form.file(limits)) pieces.push(piece)
  return { fields: Object.fromEntries(form.fields), fileName: form.fileName, content: Buffer.concat(pieces).toString() }
}
const refusal = async (...input: Parameters<typeof upload>) => {
  try {
    await upload(...input)
  } catch (error) {
    if (error instanceof S3Error) return error.code
    throw error
  }
  return 'accepted'
}

afterEach(() => {
  vi.useRealTimers()
})

describe('a form', () => {
  it.each([1, 5, 1000])('is read in parts of %i bytes', async (size) => {
    const text = `${part('Key', '文/a')}${part('x-amz-meta-a', '')}${file('con\r\n--tent', '文.txt')}${part('after', 'ignored')}${END}`
    expect(await upload(text, { size })).toEqual({
      fields: { key: '文/a', 'x-amz-meta-a': '' },
      fileName: '文.txt',
      content: 'con\r\n--tent',
    })
  })

  it('may have a file without a name', async () => {
    expect(await upload(part('file', 'abc') + END)).toMatchObject({ fileName: '', content: 'abc' })
  })

  it('may hold a file of limited size', async () => {
    expect(await refusal(file('abc') + END, { limits: { minBytes: 3, maxBytes: 3 } })).toBe('accepted')
    expect(await refusal(file('abc') + END, { limits: { minBytes: 0, maxBytes: 2 } })).toBe('EntityTooLarge')
    expect(await refusal(file('abc') + END, { limits: { minBytes: 4, maxBytes: 9 } })).toBe('EntityTooSmall')
  })

  it.each([1, 100_000])('is refused in parts of %i bytes if it is not whole', async (size) => {
    const text = part('key', 'a') + file('abc') + END
    for (const end of [0, 3, 30, 70, 80, text.length - 10, text.length - 6])
      expect(await refusal(text.slice(0, end), { size })).toMatch(/MalformedPOSTRequest|IncompleteBody|InvalidArgument/)
  })

  it('is refused if its connection ends', async () => {
    const broken = new Readable({ read() {} })
    broken.push(part('key', 'a'))
    const form = readPostForm(TYPE, broken, IDLE_MS)
    broken.destroy()
    await expect(form).rejects.toMatchObject({ code: 'IncompleteBody' })

    const later = new Readable({ read() {} })
    later.push('--b\r\nContent-Disposition: form-data; name="file"\r\n\r\nabc')
    const { file: content } = await readPostForm(TYPE, later, IDLE_MS)
    const reading = content(ANY)
    later.destroy()
    await expect(reading.next().then(() => reading.next())).rejects.toMatchObject({ code: 'IncompleteBody' })
  })

  it('is refused if its fields do not all come in time, or its file stands still', async () => {
    const code = 'RequestTimeout'
    const still = new Readable({ read() {} })
    still.push(part('key', 'a'))
    await expect(readPostForm(TYPE, still, 50)).rejects.toMatchObject({ code })

    let asked = 0
    const trickling = new Readable({ read() {} })
    const trickle = setInterval(() => trickling.push(part(`x-ignore-${asked++}`, 'a')), 10)
    await expect(readPostForm(TYPE, trickling, 100)).rejects.toMatchObject({ code })
    clearInterval(trickle)

    const later = new Readable({ read() {} })
    later.push('--b\r\nContent-Disposition: form-data; name="file"\r\n\r\nabc')
    const { file: content } = await readPostForm(TYPE, later, 50)
    const reading = content(ANY)
    await expect(reading.next().then(() => reading.next())).rejects.toMatchObject({ code })
  })

  it('waits for as long as its file is not read, which is no fault of the client', async () => {
    const source = new Readable({ read() {} })
    source.push(`${part('key', 'a')}--b\r\nContent-Disposition: form-data; name="file"\r\n\r\n${'x'.repeat(400_000)}`)
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    const { file: content } = await readPostForm(TYPE, source, IDLE_MS)
    vi.advanceTimersByTime(3 * IDLE_MS)
    source.push('\r\n--b--\r\n')
    source.push(null)
    let size = 0
    for await (const piece of content(ANY)) size += piece.length
    expect(size).toBe(400_000)
  })

  it('is refused with no file, two files, or a field that came twice', async () => {
    expect(await refusal(part('key', 'a') + END)).toBe('InvalidArgument')
    expect(await refusal(file('abc') + file('def') + END)).toBe('InvalidArgument')
    expect(await refusal(part('key', 'a') + part('KEY', 'b') + file('abc') + END)).toBe('InvalidArgument')
  })

  it('is refused with too many or too long fields', async () => {
    const long = part('a', 'b'.repeat(20_000))
    expect(await refusal(long + file('abc') + END, { size: 1000 })).toBe('accepted')
    const code = 'MaxPostPreDataLengthExceededError'
    expect(await refusal(long + part('c', 'd'.repeat(500)) + file('abc') + END, { size: 1000 })).toBe(code)
    expect(await refusal(part('a', 'b'.repeat(100_000)) + file('abc') + END, { size: 1000 })).toBe(code)
    const many = Array.from({ length: 300 }, (_, index) => part(`f${index}`, '')).join('')
    expect(await refusal(many + file('abc') + END, { size: 1000 })).toBe('MalformedPOSTRequest')
    expect(await refusal(part('', 'a') + file('abc') + END)).toBe('MalformedPOSTRequest')
  })

  it('is refused as another type', async () => {
    for (const type of ['', 'text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data'])
      expect(await refusal(END, { type })).toBe('PreconditionFailed')
    expect(await refusal(END, { type: 'multipart/form-data; charset=utf-8' })).toBe('MalformedPOSTRequest')
  })
})

describe('a policy', () => {
  const HOUR = 3_600_000
  const DOCUMENT = {
    expiration: new Date(EXAMPLE_TIME + HOUR).toISOString(),
    conditions: [
      { bucket: 'b' },
      ['starts-with', '$key', 'user/'],
      ['starts-with', '$Content-Type', 'image/'],
      ['content-length-range', 10, '20'],
      { 'X-Amz-Algorithm': 'AWS4-HMAC-SHA256' },
      ['starts-with', '$x-amz-credential', ''],
      ['starts-with', '$x-amz-date', ''],
    ] as unknown[],
  }
  const FIELDS: Record<string, string> = {
    key: `user/${FILE_NAME}`,
    'content-type': 'image/png',
    'x-amz-algorithm': 'AWS4-HMAC-SHA256',
    'x-amz-credential': 'AKIAIOSFODNN7EXAMPLE/20130524/us-east-1/s3/aws4_request',
    'x-amz-date': '20130524T000000Z',
  }
  interface Changes {
    fields?: Record<string, string | undefined>
    document?: unknown
    bucket?: string
    fileName?: string
    now?: number
  }
  const read = ({
    fields = {},
    document = DOCUMENT,
    bucket = 'b',
    fileName = 'a.png',
    now = EXAMPLE_TIME,
  }: Changes = {}) => {
    const policy = typeof document === 'string' ? document : Buffer.from(JSON.stringify(document)).toString('base64')
    const signature = sign(signingKeyOf(EXAMPLE.secretAccessKey, EXAMPLE_SCOPE), policy)
    const sent = Object.entries({ ...FIELDS, policy, 'x-amz-signature': signature, ...fields })
    const given = sent.filter((field): field is [string, string] => field[1] !== undefined)
    return readPostPolicy({ fields: new Map(given), fileName, bucket }, now)
  }
  const refusalOf = (changes: Changes) => codeOf(() => read(changes))
  const withCondition = (...more: unknown[]) => ({ ...DOCUMENT, conditions: [...DOCUMENT.conditions, ...more] })

  it('allows what it names, and says who signed it', () => {
    const authorization = read({ fields: { 'x-ignore-me': 'a' } })
    expect(authorization).toMatchObject({
      accessKeyId: EXAMPLE.accessKeyId,
      ...EXAMPLE_SCOPE,
      key: 'user/a.png',
      minBytes: 10,
      maxBytes: 20,
    })
    const verify = (secret: string) =>
      verifySignature(signingKeyOf(secret, authorization), authorization.stringToSign, authorization.signature)
    expect(verify(EXAMPLE.secretAccessKey)).toBe(true)
    expect(verify('another')).toBe(false)
  })

  it('is signed as in the published example of Amazon', () => {
    const policy =
      'eyAiZXhwaXJhdGlvbiI6ICIyMDE1LTEyLTMwVDEyOjAwOjAwLjAwMFoiLA0KICAiY29uZGl0aW9ucyI6IFsNCiAgICB7ImJ1Y2tldCI6ICJzaWd2NGV4YW1wbGVidWNrZXQifSwNCiAgICBbInN0YXJ0cy13aXRoIiwgIiRrZXkiLCAidXNlci91c2VyMS8iXSwNCiAgICB7ImFjbCI6ICJwdWJsaWMtcmVhZCJ9LA0KICAgIHsic3VjY2Vzc19hY3Rpb25fcmVkaXJlY3QiOiAiaHR0cDovL3NpZ3Y0ZXhhbXBsZWJ1Y2tldC5zMy5hbWF6b25hd3MuY29tL3N1Y2Nlc3NmdWxfdXBsb2FkLmh0bWwifSwNCiAgICBbInN0YXJ0cy13aXRoIiwgIiRDb250ZW50LVR5cGUiLCAiaW1hZ2UvIl0sDQogICAgeyJ4LWFtei1tZXRhLXV1aWQiOiAiMTQzNjUxMjM2NTEyNzQifSwNCiAgICB7IngtYW16LXNlcnZlci1zaWRlLWVuY3J5cHRpb24iOiAiQUVTMjU2In0sDQogICAgWyJzdGFydHMtd2l0aCIsICIkeC1hbXotbWV0YS10YWciLCAiIl0sDQoNCiAgICB7IngtYW16LWNyZWRlbnRpYWwiOiAiQUtJQUlPU0ZPRE5ON0VYQU1QTEUvMjAxNTEyMjkvdXMtZWFzdC0xL3MzL2F3czRfcmVxdWVzdCJ9LA0KICAgIHsieC1hbXotYWxnb3JpdGhtIjogIkFXUzQtSE1BQy1TSEEyNTYifSwNCiAgICB7IngtYW16LWRhdGUiOiAiMjAxNTEyMjlUMDAwMDAwWiIgfQ0KICBdDQp9'
    const signature = '8afdbf4008c03f22c2cd3cdb72e4afbb1f6a588f3255ac628749a66d7f09699e'
    const fields = new Map([
      ['policy', policy],
      ['x-amz-signature', signature],
      ['key', `user/user1/${FILE_NAME}`],
      ['acl', 'public-read'],
      ['success_action_redirect', 'http://sigv4examplebucket.s3.amazonaws.com/successful_upload.html'],
      ['content-type', 'image/jpeg'],
      ['x-amz-meta-uuid', '14365123651274'],
      ['x-amz-server-side-encryption', 'AES256'],
      ['x-amz-credential', 'AKIAIOSFODNN7EXAMPLE/20151229/us-east-1/s3/aws4_request'],
      ['x-amz-algorithm', 'AWS4-HMAC-SHA256'],
      ['x-amz-date', '20151229T000000Z'],
      ['x-amz-meta-tag', ''],
    ])
    const now = Date.parse('2015-12-29T01:00:00Z')
    const form = readPostPolicy({ fields, fileName: 'a.jpg', bucket: 'sigv4examplebucket' }, now)
    expect(form).toMatchObject({ key: 'user/user1/a.jpg', maxBytes: Number.POSITIVE_INFINITY })
    expect(verifySignature(signingKeyOf(EXAMPLE.secretAccessKey, form), policy, signature)).toBe(true)
  })

  it('ends', () => {
    expect(refusalOf({ now: EXAMPLE_TIME + HOUR - 1 })).toBe('accepted')
    expect(refusalOf({ now: EXAMPLE_TIME + HOUR })).toBe('AccessDenied')
    const forever = { ...DOCUMENT, expiration: '2999-01-01T00:00:00Z' }
    expect(refusalOf({ document: forever, now: EXAMPLE_TIME + 7 * 24 * HOUR })).toBe('accepted')
    expect(refusalOf({ document: forever, now: EXAMPLE_TIME + 7 * 24 * HOUR + 1 })).toBe('AccessDenied')
    expect(refusalOf({ document: forever, now: EXAMPLE_TIME - HOUR })).toBe('AccessDenied')
  })

  it('takes the smallest of several ranges', () => {
    expect(
      read({ document: withCondition(['content-length-range', 0, 15], ['content-length-range', 12, 99]) }),
    ).toMatchObject({
      minBytes: 12,
      maxBytes: 15,
    })
  })

  it('does not allow what it does not name, or names otherwise', () => {
    for (const changes of [
      { bucket: 'other' },
      { fields: { key: 'other/a' } },
      { fields: { key: FILE_NAME }, fileName: 'user' },
      { fields: { 'content-type': 'text/html' } },
      { fields: { 'content-type': 'image/png, text/html' } },
      { fields: { 'content-type': undefined } },
      { fields: { 'x-amz-meta-a': '1' } },
      { fields: { success_action_redirect: 'https://evil.example' } },
      { fields: { bucket: 'b', acl: 'public-read' } },
      { fields: { policy: undefined } },
      { document: { ...DOCUMENT, conditions: DOCUMENT.conditions.slice(1) } },
      { document: { ...DOCUMENT, conditions: [] } },
      { document: withCondition({ key: 'user/b.png' }) },
    ])
      expect(refusalOf(changes)).toBe('AccessDenied')
  })

  it('is refused if it is no policy', () => {
    const { expiration, conditions } = DOCUMENT
    for (const document of [
      '',
      '!!!',
      'e30',
      Buffer.from('{').toString('base64'),
      Buffer.from([0x22, 0xff, 0x22]).toString('base64'),
      null,
      [],
      { conditions },
      { expiration },
      { expiration: 'tomorrow', conditions },
      { expiration: '2013-05-24', conditions },
      { expiration, conditions: {} },
      ...[
        1,
        null,
        { key: 1 },
        { key: ['a'] },
        [],
        ['eq', '$key'],
        ['eq', 'key', 'a'],
        ['eq', '$key', 1],
        ['ends-with', '$key', 'a'],
      ].map((bad) => withCondition(bad)),
      ...[
        ['a', 1],
        [-1, 1],
        [1.5, 2],
        [2, 1],
        [1, '1e9'],
      ].map((range) => withCondition(['content-length-range', ...range])),
    ])
      expect(refusalOf({ document })).toBe('InvalidPolicyDocument')
  })

  it('is refused with fields that do not say who signed', () => {
    for (const [name, ...values] of [
      ['x-amz-algorithm', undefined, 'AWS4-ECDSA-P256-SHA256'],
      ['x-amz-credential', undefined, 'a/20130524/us-east-1/iam/aws4_request', 'a/20130523/us-east-1/s3/aws4_request'],
      ['x-amz-date', undefined, '2013-05-24', '20130525T000000Z'],
      ['x-amz-signature', undefined, 'abc', 'G'.repeat(64)],
      ['key', undefined, ''],
    ] as const)
      for (const value of values) expect(refusalOf({ fields: { [name]: value } })).toBe('InvalidArgument')
    expect(refusalOf({ fields: { awsaccesskeyid: 'a' } })).toBe('InvalidRequest')
    expect(refusalOf({ fields: { 'x-amz-security-token': 'a' } })).toBe('InvalidToken')
    expect(refusalOf({ fields: { key: `user/${'a'.repeat(1024)}` } })).toBe('KeyTooLongError')
  })
})
