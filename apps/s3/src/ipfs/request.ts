import { type ByteRange, parseEntityBytes, type WalkScope } from '@tidenet/content/walk'
import { type AnyCid, DOCUMENT_FORMATS, DOCUMENTS, type DocumentFormat, readAnyCid } from './read-cid.ts'
import { Refusal } from './refusal.ts'
import { texts } from './texts.ts'

export interface CarParameters {
  scope: WalkScope
  bytes: ByteRange | undefined
  /** Undefined: the client takes both. */
  duplicates: boolean | undefined
  /** The client needs blocks depth first; they always are. */
  ordered: boolean
}

/** Documents that a client asks for; no codec is ever converted into another one (IPIP-524). */
export interface WantedDocuments {
  formats: readonly DocumentFormat[]
  /** `asked`: for one of them, by `format`. `only`: it accepts nothing else. `also`: and other things. */
  how: 'asked' | 'only' | 'also'
}

export interface IpfsRequest {
  cid: AnyCid
  /** As the client wrote it. */
  cidText: string
  /** Names below the root. */
  path: string[]
  /** Whether the address ends with a slash. */
  trailing: boolean
  query: URLSearchParams
  /** Undefined: the file itself, or a list of the folder. */
  format: 'raw' | 'car' | undefined
  documents: WantedDocuments
  car: CarParameters
  filename: string | undefined
  download: boolean
}

/** Longest address and most names in a path. */
const TARGET_MAX = 8192
const NAMES_MAX = 128
const FILENAME_MAX = 500

/** Splits a request target; it is not decoded yet. @throws Refusal */
export function splitTarget(target: string): { path: string; query: URLSearchParams } {
  // An absolute target, or `//host`, could name another host than the one that proxies checked.
  if (
    target.length > TARGET_MAX ||
    !target.startsWith('/') ||
    target.startsWith('//') ||
    /[\0-\x20\x7f-\uffff\\#]/.test(target)
  )
    throw new Refusal(400, texts.badPath)
  const at = target.indexOf('?')
  return {
    path: at < 0 ? target : target.slice(0, at),
    query: new URLSearchParams(at < 0 ? '' : target.slice(at + 1)),
  }
}

/** Reads `/ipfs/{cid}[/path]`, of which `path` follows the prefix. @throws Refusal */
export function readIpfsRequest(path: string, query: URLSearchParams, accept: string | undefined): IpfsRequest {
  const [cidText = '', ...rest] = path.split('/')
  const names = rest.filter((name) => name !== '').map(decodeName)
  if (names.length > NAMES_MAX) throw new Refusal(400, texts.badPath)
  const cid = readAnyCid(cidText)
  if (!cid) throw new Refusal(400, texts.badCid)
  const accepted = readAccept(accept)
  // `format` comes first (IPIP-523): all browsers send Accept.
  const format = readFormat(query.get('format')) ?? accepted
  return {
    cid,
    cidText,
    path: names,
    trailing: path.endsWith('/'),
    query,
    format: format.format,
    documents: format.documents,
    car: readCar(query, accepted.parameters),
    filename: query.get('filename')?.slice(0, FILENAME_MAX) || undefined,
    download: query.get('download') === 'true',
  }
}

function decodeName(name: string): string {
  let decoded: string
  try {
    decoded = decodeURIComponent(name)
  } catch {
    throw new Refusal(400, texts.badPath)
  }
  // biome-ignore lint/suspicious/noControlCharactersInRegex: NUL is what must not come
  if (decoded === '.' || decoded === '..' || /[/\u0000]/.test(decoded)) throw new Refusal(400, texts.badPath)
  return decoded
}

interface Format {
  format: IpfsRequest['format']
  documents: WantedDocuments
}
const NO_DOCUMENTS: WantedDocuments = { formats: [], how: 'also' }

function readFormat(format: string | null): Format | undefined {
  if (format === null || format === '') return undefined
  if (format === 'raw' || format === 'car') return { format, documents: NO_DOCUMENTS }
  const document = DOCUMENT_FORMATS.find((known) => known === format)
  if (document) return { format: undefined, documents: { formats: [document], how: 'asked' } }
  if (format === 'ipns-record') throw new Refusal(400, texts.format)
  throw new Refusal(406, texts.format)
}

/** The first type of Accept that only gateways of IPFS know, with its parameters, and documents. */
function readAccept(accept = ''): Format & { parameters: Map<string, string> } {
  const none = { documents: NO_DOCUMENTS, parameters: new Map<string, string>() }
  const items = accept.split(',').map((item) => item.split(';').map((part) => part.trim()))
  for (const [type = '', ...rest] of items) {
    if (type.toLowerCase() === 'application/vnd.ipld.raw') return { ...none, format: 'raw' }
    if (type.toLowerCase() !== 'application/vnd.ipld.car') continue
    const parameters = new Map(
      rest.map((part) => {
        const [name = '', value = ''] = part.split('=', 2)
        return [name.trim().toLowerCase(), value.trim().replace(/^"|"$/g, '')] as const
      }),
    )
    if ((parameters.get('version') ?? '1') !== '1') throw new Refusal(406, texts.carVersion)
    return { ...none, format: 'car', parameters }
  }
  const types = items.map(([type = '']) => type.toLowerCase()).filter(Boolean)
  const formats = DOCUMENT_FORMATS.filter((format) => types.includes(DOCUMENTS[format].type))
  const isDocument = (type: string) => DOCUMENT_FORMATS.some((format) => DOCUMENTS[format].type === type)
  const isOnly =
    types.length > 0 &&
    types.every((type) => isDocument(type) || /^application\/(vnd\.ipld|vnd\.ipfs|x-tar)/.test(type))
  // Who takes nothing but types that do not exist here must not get something else.
  if (isOnly && formats.length === 0) throw new Refusal(406, texts.format)
  return { ...none, format: undefined, documents: { formats, how: isOnly ? 'only' : 'also' } }
}

function readCar(query: URLSearchParams, accepted: ReadonlyMap<string, string>): CarParameters {
  const one = (name: string, known: readonly string[], fallback: string | undefined) => {
    const value = query.get(name) ?? fallback
    if (value !== undefined && !known.includes(value)) throw new Refusal(400, texts.badParameter)
    return value
  }
  if ((query.get('car-version') ?? '1') !== '1') throw new Refusal(400, texts.carVersion)
  const scope = one('dag-scope', ['block', 'entity', 'all'], undefined) as WalkScope | undefined
  const duplicates = one('car-dups', ['y', 'n'], accepted.get('dups'))
  const order = one('car-order', ['dfs', 'unk'], accepted.get('order'))
  const range = query.get('entity-bytes')
  const bytes = range === null ? undefined : parseEntityBytes(range)
  if (range !== null && !bytes) throw new Refusal(400, texts.badParameter)
  return {
    // A range is of an entity.
    scope: bytes ? 'entity' : (scope ?? 'all'),
    bytes: bytes && (bytes.from === 0 && bytes.to === undefined ? undefined : bytes),
    duplicates: duplicates === undefined ? undefined : duplicates === 'y',
    ordered: order === 'dfs',
  }
}
