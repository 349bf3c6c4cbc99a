import { SaxesParser } from 'saxes'
import { S3Error } from './errors.ts'

/** An element to write; without content (undefined) it is left out. */
export type XmlNode = readonly [name: string, content: XmlContent, attributes?: Readonly<Record<string, string>>]
export type XmlContent = string | number | boolean | undefined | readonly XmlNode[]

/** Namespace of the documents of S3. Errors have none. */
export const S3_NAMESPACE = 'http://s3.amazonaws.com/doc/2006-03-01/'

const NAMED: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }

/**
 * XML 1.0 cannot carry most control characters, nor surrogates that stand alone. As S3 does, they become numeric references, which strict parsers
 * refuse: a replaced character would show people a key that does not exist. Clients ask for `encoding-type=url` to avoid it.
 */
const escapeXml = (text: string) =>
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is escaped.
  text.replace(/[&<>"\u0000-\u001f\u007f\ufffe\uffff]|\p{Surrogate}/gu, (char) =>
    char in NAMED ? NAMED[char]! : `&#x${char.codePointAt(0)!.toString(16)};`,
  )

function writeNode([name, content, attributes = {}]: XmlNode): string {
  if (content === undefined) return ''
  const inner = Array.isArray(content) ? content.map(writeNode).join('') : escapeXml(String(content))
  const start = Object.entries(attributes).reduce((tag, [key, value]) => `${tag} ${key}="${escapeXml(value)}"`, name)
  return inner === '' ? `<${start}/>` : `<${start}>${inner}</${name}>`
}

/** A whole document, with the namespace of S3 unless it is an error. */
export const writeXml = ([name, content]: XmlNode): string =>
  `<?xml version="1.0" encoding="UTF-8"?>\n${writeNode([name, content, name === 'Error' ? {} : { xmlns: S3_NAMESPACE }])}`

/** An element that was read. `text` has no part in elements that have children; names are without prefix. */
export interface XmlElement {
  name: string
  text: string
  children: XmlElement[]
}

export interface XmlLimits {
  bytes: number
  depth: number
  elements: number
  attributes: number
}

/** The largest body is CompleteMultipartUpload: 10,000 parts with a checksum each. */
export const XML_LIMITS: XmlLimits = { bytes: 4 * 1024 * 1024, depth: 10, elements: 100_000, attributes: 10_000 }

/** Larger documents are made by programs: these write no comments, which take long to read. */
const COMMENTED_MAX = 64 * 1024
const DECLARATION = /<!(?!\[CDATA\[)/

/**
 * Reads a document. Entities of its own (DOCTYPE) are refused, because they can expand without end or name files.
 * @throws S3Error MalformedXML, MaxMessageLengthExceeded
 */
export function readXml(body: Uint8Array, limits: XmlLimits = XML_LIMITS): XmlElement {
  if (body.length > limits.bytes) throw new S3Error('MaxMessageLengthExceeded')
  const parser = new SaxesParser({ position: false })
  const open: XmlElement[] = []
  let root: XmlElement | undefined
  let count = 0
  let attributes = 0
  const refuse = () => {
    throw new S3Error('MalformedXML')
  }
  parser.on('error', refuse)
  parser.on('doctype', refuse)
  parser.on('processinginstruction', refuse)
  parser.on('attribute', () => {
    if (++attributes > limits.attributes) refuse()
  })
  parser.on('opentag', ({ name }) => {
    const element: XmlElement = { name: name.slice(name.indexOf(':') + 1), text: '', children: [] }
    if (++count > limits.elements || open.length >= limits.depth) refuse()
    open.at(-1)?.children.push(element)
    root ??= element
    open.push(element)
  })
  const addText = (text: string) => {
    const element = open.at(-1)
    if (element) element.text += text
  }
  parser.on('text', addText)
  parser.on('cdata', addText)
  parser.on('closetag', () => {
    open.pop()
  })
  try {
    const text = UTF8.decode(body)
    if (body.length > COMMENTED_MAX && DECLARATION.test(text)) refuse()
    parser.write(text).close()
  } catch {
    refuse()
  }
  return root ?? refuse()
}
const UTF8 = new TextDecoder('utf-8', { fatal: true })
