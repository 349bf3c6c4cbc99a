import { describe, expect, it } from 'vitest'
import { errorXml } from './error-document.ts'
import { S3Error } from './errors.ts'
import { codeOf } from './refusal.fixture.ts'
import { readXml, writeXml, XML_LIMITS } from './xml.ts'

const readText = (text: string) => readXml(Buffer.from(text))
const refusalCode = (text: string) => codeOf(() => readText(text))

describe('a document', () => {
  it('can be read as it was written', () => {
    const text = ' a & b < c > "d"\r\n\t文😀]]>'
    const xml = writeXml([
      'A',
      [
        ['B', text],
        ['C', undefined],
        ['D', []],
        ['E', 5],
        ['F', false],
      ],
    ])
    expect(readText(xml)).toMatchObject({
      name: 'A',
      children: [
        { name: 'B', text },
        { name: 'D', text: '' },
        { name: 'E', text: '5' },
        { name: 'F', text: 'false' },
      ],
    })
    expect(xml).toContain('<A xmlns="http://s3.amazonaws.com/doc/2006-03-01/">')
  })

  it('shows characters that XML cannot carry as S3 does', () => {
    expect(writeXml(['A', 'a\u0000\u0001\u001f\ufffe\ud800b'])).toMatch(/>a&#x0;&#x1;&#x1f;&#xfffe;&#xd800;b<\/A>$/)
  })

  it('may have a prefix, CDATA, comments and a byte order mark', () => {
    expect(readText('\ufeff<?xml version="1.0"?><!-- a --><s:A xmlns:s="u"><s:B><![CDATA[<&]]>c</s:B></s:A>')).toEqual({
      name: 'A',
      text: '',
      children: [{ name: 'B', text: '<&c', children: [] }],
    })
  })

  it.each([
    ['nothing', ''],
    ['no element', '<?xml version="1.0"?>'],
    ['an open element', '<A><B></B>'],
    ['a wrong end', '<A></B>'],
    ['two roots', '<A/><B/>'],
    ['text beside the root', '<A/>b'],
    ['an unknown entity', '<A>&b;</A>'],
    ['a character that XML cannot carry', '<A>&#x0;</A>'],
    ['a document type', '<!DOCTYPE A><A/>'],
    ['an external entity', '<!DOCTYPE A [<!ENTITY b SYSTEM "file:///etc/passwd">]><A>&b;</A>'],
    ['entities that multiply', '<!DOCTYPE A [<!ENTITY b "bb"><!ENTITY c "&b;&b;">]><A>&c;</A>'],
    ['a processing instruction', '<?xml-stylesheet href="a"?><A/>'],
  ])('is refused with %s', (_, text) => {
    expect(refusalCode(text)).toBe('MalformedXML')
  })

  it('is refused if it is not UTF-8', () => {
    expect(codeOf(() => readXml(Buffer.from([0x3c, 0x41, 0x3e, 0xff, 0x3c, 0x2f, 0x41, 0x3e])))).toBe('MalformedXML')
    expect(codeOf(() => readXml(Buffer.from('<A/>', 'utf16le')))).toBe('MalformedXML')
  })

  it('is refused above the limits', () => {
    const nested = (depth: number) => '<A>'.repeat(depth) + '</A>'.repeat(depth)
    expect(readText(nested(XML_LIMITS.depth)).name).toBe('A')
    expect(refusalCode(nested(XML_LIMITS.depth + 1))).toBe('MalformedXML')
    expect(refusalCode(nested(200_000))).toBe('MalformedXML')
    expect(refusalCode(`<A>${'<B/>'.repeat(XML_LIMITS.elements)}</A>`)).toBe('MalformedXML')
    const described = (count: number) => `<A ${Array.from({ length: count }, (_, index) => `a${index}=""`).join(' ')}/>`
    expect(readText(described(XML_LIMITS.attributes)).name).toBe('A')
    expect(refusalCode(described(XML_LIMITS.attributes + 1))).toBe('MalformedXML')
    expect(codeOf(() => readXml(Buffer.alloc(XML_LIMITS.bytes + 1, 'a')))).toBe('MaxMessageLengthExceeded')
  })
})

describe('a document with comments', () => {
  it('is read if a person may have written it', () => {
    expect(readText('<A><!-- why --><B/></A>').children).toHaveLength(1)
  })

  it('is refused if it is large, because comments take long to read; other sections are text', () => {
    const text = 'x'.repeat(70_000)
    expect(refusalCode(`<A><!-- why --><B>${text}</B></A>`)).toBe('MalformedXML')
    expect(readText(`<A><![CDATA[<!-- ${text}]]></A>`.replace('<!-- ', '')).text).toBe(text)
  })
})

describe('an error document', () => {
  it('has code, message, details and the ids of the request', () => {
    const error = new S3Error('NoSuchKey', undefined, { Key: '<a>' })
    expect(error.status).toBe(404)
    const xml = errorXml(error, { resource: '/b/<a>', requestId: '1', hostId: '2' })
    expect(xml).toContain('<Error><Code>')
    const fields = Object.fromEntries(readText(xml).children.map(({ name, text }) => [name, text]))
    expect(fields).toMatchObject({ Code: 'NoSuchKey', Key: '<a>', Resource: '/b/<a>', RequestId: '1', HostId: '2' })
  })
})
