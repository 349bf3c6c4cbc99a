import { S3Error } from './errors.ts'
import { readXml, type XmlElement } from './xml.ts'

export const malformed = () => new S3Error('MalformedXML')

/** The fields of an element. All methods throw `S3Error MalformedXML` for what the schema does not allow. */
export interface Fields {
  /** At most one. */
  one(name: string): XmlElement | undefined
  all(name: string): XmlElement[]
  /** Of at most one element without children; spaces stay. */
  text(name: string): string | undefined
  requiredText(name: string): string
  /** Without the spaces around it. */
  word(name: string): string | undefined
  /** A decimal integer, not negative. */
  integer(name: string): number | undefined
}

/** @param allowed an element with another name would be something that we ignore but the client relies on */
export function fieldsOf(element: XmlElement, allowed: readonly string[]): Fields {
  if (element.children.some(({ name }) => !allowed.includes(name))) throw malformed()
  const all = (name: string) => element.children.filter((child) => child.name === name)
  const one = (name: string) => {
    const found = all(name)
    if (found.length > 1) throw malformed()
    return found[0]
  }
  const text = (name: string) => {
    const found = one(name)
    return found && leafText(found)
  }
  const word = (name: string) => text(name)?.trim()
  return {
    one,
    all,
    text,
    word,
    requiredText(name) {
      const found = text(name)
      if (found === undefined) throw malformed()
      return found
    },
    integer(name) {
      const found = word(name)
      if (found === undefined) return undefined
      if (!/^\d{1,15}$/.test(found)) throw malformed()
      return Number(found)
    },
  }
}

/** @throws S3Error MalformedXML if the element has children */
export function leafText(element: XmlElement): string {
  if (element.children.length > 0) throw malformed()
  return element.text
}

/** @throws S3Error MalformedXML if the root has another name */
export function readRoot(body: Uint8Array, name: string, allowed: readonly string[]): Fields {
  const root = readXml(body)
  if (root.name !== name) throw malformed()
  return fieldsOf(root, allowed)
}
