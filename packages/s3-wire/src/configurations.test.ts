import { describe, expect, it } from 'vitest'
import { corsHeaders, corsXml, readCors } from './cors.ts'
import { lifecycleXml, readLifecycle } from './lifecycle.ts'
import { codeOf } from './refusal.fixture.ts'

describe('CORS', () => {
  const read = (rules: string) => readCors(Buffer.from(`<CORSConfiguration>${rules}</CORSConfiguration>`))
  const rule = (content: string) => `<CORSRule>${content}</CORSRule>`
  const ANY = '<AllowedOrigin>*</AllowedOrigin><AllowedMethod>GET</AllowedMethod>'
  const TWO = [
    {
      id: 'a',
      allowedOrigins: ['https://a.example', 'https://*.b.example'],
      allowedMethods: ['PUT', 'GET'],
      allowedHeaders: ['x-amz-*', 'Content-Type'],
      exposeHeaders: ['ETag'],
      maxAgeSeconds: 60,
    },
    { allowedOrigins: ['*'], allowedMethods: ['GET'], allowedHeaders: [], exposeHeaders: [] },
  ]

  it('is read as it was written', () => {
    expect(readCors(Buffer.from(corsXml(TWO)))).toEqual(TWO)
  })

  it('is refused with wrong methods, wildcards and names', () => {
    expect(read(rule(ANY).repeat(100))).toHaveLength(100)
    const origin = '<AllowedOrigin>*</AllowedOrigin>'
    for (const rules of [
      '',
      rule(ANY).repeat(101),
      rule(origin),
      rule(`${ANY}<Other/>`),
      rule(`${ANY}<MaxAgeSeconds>-1</MaxAgeSeconds>`),
    ])
      expect(codeOf(() => read(rules))).toBe('MalformedXML')
    for (const more of [
      '<AllowedMethod>PATCH</AllowedMethod>',
      '<AllowedOrigin>https://*.*.example</AllowedOrigin>',
      '<AllowedHeader>**</AllowedHeader>',
      '<ExposeHeader>a&#13;&#10;b</ExposeHeader>',
    ])
      expect(codeOf(() => read(rule(ANY + more)))).toBe('InvalidRequest')
  })

  it('answers by the first rule that fits', () => {
    const ask = (origin: string, method: string, headers: string[] = []) =>
      corsHeaders(TWO, { origin, method, headers })
    expect(ask('https://x.b.example', 'PUT', ['X-Amz-Date', 'content-type'])).toMatchObject({
      'access-control-allow-origin': 'https://x.b.example',
      'access-control-allow-methods': 'PUT, GET',
      'access-control-allow-headers': 'X-Amz-Date, content-type',
      'access-control-expose-headers': 'ETag',
      'access-control-max-age': '60',
      'access-control-allow-credentials': 'true',
    })
    expect(ask('https://c.example', 'GET')).toMatchObject({ 'access-control-allow-origin': '*' })
    expect(ask('https://c.example', 'GET')).not.toHaveProperty('access-control-allow-credentials')
    for (const refused of [
      ask('https://c.example', 'PUT'),
      ask('https://a.example', 'DELETE'),
      ask('https://a.example', 'PUT', ['x-other']),
      ask('https://b.example', 'PUT'),
      ask('https://x.b.example.evil.net', 'PUT'),
    ])
      expect(refused).toBeUndefined()
  })
})

describe('a lifecycle', () => {
  const read = (rules: string) =>
    readLifecycle(Buffer.from(`<LifecycleConfiguration>${rules}</LifecycleConfiguration>`))
  const EXPIRE = '<Expiration><Days>1</Days></Expiration>'
  const rule = (content: string) => `<Rule><Status>Enabled</Status>${content}</Rule>`
  const RULES = [
    { id: 'a', isEnabled: true, filter: { tags: [] }, expiration: { days: 30 } },
    {
      isEnabled: false,
      filter: { prefix: 'a/', tags: [{ key: 'k', value: 'v' }], sizeAbove: 1, sizeBelow: 2 },
      expiration: { date: Date.parse('2027-01-01T00:00:00Z') },
      noncurrentExpiration: { days: 7, keep: 3 },
    },
    {
      isEnabled: true,
      filter: { prefix: '', tags: [] },
      expiration: { deleteMarkers: true },
      noncurrentExpiration: { days: 1 },
      abortMultipartAfterDays: 2,
    },
  ]

  it('is read as it was written', () => {
    expect(readLifecycle(Buffer.from(lifecycleXml(RULES)))).toEqual(RULES)
  })

  it('may have the prefix of older clients, and a date without a time', () => {
    expect(read(rule('<Prefix>a</Prefix><Expiration><Date>2027-01-01</Date></Expiration>'))).toEqual([
      { isEnabled: true, filter: { prefix: 'a', tags: [] }, expiration: { date: Date.parse('2027-01-01') } },
    ])
  })

  it.each([
    ['no rule', '', 'MalformedXML'],
    ['too many rules', rule(`<Filter/>${EXPIRE}`).repeat(1001), 'MalformedXML'],
    ['no action', rule('<Filter/>'), 'InvalidRequest'],
    ['no filter', rule(EXPIRE), 'MalformedXML'],
    ['two filters', rule(`<Prefix/><Filter/>${EXPIRE}`), 'MalformedXML'],
    [
      'two conditions without And',
      rule(`<Filter><Prefix>a</Prefix><ObjectSizeLessThan>1</ObjectSizeLessThan></Filter>${EXPIRE}`),
      'MalformedXML',
    ],
    ['no status', `<Rule><Filter/>${EXPIRE}</Rule>`, 'MalformedXML'],
    ['an unknown status', `<Rule><Status>On</Status><Filter/>${EXPIRE}</Rule>`, 'MalformedXML'],
    ['two ends', rule('<Filter/><Expiration><Days>1</Days><Date>2027-01-01</Date></Expiration>'), 'MalformedXML'],
    ['no end', rule('<Filter/><Expiration/>'), 'MalformedXML'],
    ['zero days', rule('<Filter/><Expiration><Days>0</Days></Expiration>'), 'InvalidArgument'],
    ['a time of day', rule('<Filter/><Expiration><Date>2027-01-01T01:00:00Z</Date></Expiration>'), 'InvalidArgument'],
    ['another date', rule('<Filter/><Expiration><Date>tomorrow</Date></Expiration>'), 'MalformedXML'],
    ['an id twice', rule(`<ID>a</ID><Filter/>${EXPIRE}`).repeat(2), 'InvalidArgument'],
    ['a long id', rule(`<ID>${'a'.repeat(256)}</ID><Filter/>${EXPIRE}`), 'InvalidArgument'],
    [
      'too many versions',
      rule(
        '<Filter/><NoncurrentVersionExpiration><NoncurrentDays>1</NoncurrentDays><NewerNoncurrentVersions>101</NewerNoncurrentVersions></NoncurrentVersionExpiration>',
      ),
      'InvalidArgument',
    ],
    [
      'tags for uploads',
      rule(
        '<Filter><Tag><Key>a</Key><Value/></Tag></Filter><AbortIncompleteMultipartUpload><DaysAfterInitiation>1</DaysAfterInitiation></AbortIncompleteMultipartUpload>',
      ),
      'InvalidRequest',
    ],
    [
      'another storage class',
      rule('<Filter/><Transition><Days>1</Days><StorageClass>GLACIER</StorageClass></Transition>'),
      'NotImplemented',
    ],
    ['an unknown action', rule(`<Filter/>${EXPIRE}<Shred/>`), 'MalformedXML'],
  ])('is refused with %s', (_, rules, code) => {
    expect(codeOf(() => read(rules))).toBe(code)
  })
})
