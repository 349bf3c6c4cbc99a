import { type Cid, isContentError } from '@tidenet/content'
import { writeCar } from '@tidenet/content/car'
import { contentType } from '@tidenet/content/content-type'
import { checkDirectory, isFile, type ReadBlock, readBlock } from '@tidenet/content/dag'
import { type DirectoryEntry, listNode } from '@tidenet/content/graph'
import { lookUp } from '@tidenet/content/path'
import type { GetBlock } from '@tidenet/content/verify'
import { walk } from '@tidenet/content/walk'
import { readAhead, readFile } from './ahead.ts'
import { type Answer, carAnswer, documentAnswer, fileAnswer, LISTED, pageAnswer, rawAnswer } from './answer.ts'
import { folderPage } from './pages.ts'
import { blockCid, type Found, type Published } from './published.ts'
import { DOCUMENT_FORMATS, DOCUMENTS, type DocumentFormat, digestOf, inlineBytes, RAW } from './read-cid.ts'
import { Refusal } from './refusal.ts'
import type { IpfsRequest } from './request.ts'
import { type Lang, texts } from './texts.ts'

/** The answer to a request, and what is needed while it is sent. */
export interface Chosen {
  answer: Answer
  /** CIDs of the path, from its root. */
  roots: string[]
  /** Whether the publication is still served. */
  isCurrent(): Promise<boolean>
}

export interface Visit {
  ip: string
  lang: Lang
  signal: AbortSignal
}

/** Entries on the page of a folder. */
const ENTRIES_MAX = 2000
/** Bytes of the blocks of a path, which are decoded. */
const PATH_BYTES_MAX = 16 << 20
/** Without repeated blocks, an archive needs about 100 bytes of memory per block. */
const DISTINCT_MAX = 100_000

/** @throws Refusal, and errors of `published` */
export async function chooseAnswer(published: Published, ask: IpfsRequest, visit: Visit): Promise<Chosen | Redirect> {
  const inline = inlineBytes(ask.cid)
  if (inline) return ownBytes(ask, inline)
  const digest = digestOf(ask.cid)
  const all = digest ? await published.find(digest) : []
  if (!digest || all.length === 0) throw new Refusal(404, texts.notFound)
  const { found, read } = await published.open(all, visit.ip)
  const isCurrent = async () => (await published.find(digest)).some(({ id }) => id === found.id)
  const getBlock: GetBlock = (cid) => read(cid, visit.signal)
  const stored = blockCid(digest, found.inner)
  try {
    const chosen = await choose(ask, { stored, found, getBlock, lang: visit.lang })
    return 'location' in chosen ? chosen : { ...chosen, isCurrent }
  } catch (error) {
    if (!isContentError(error)) throw error
    if (error.code === 'not-found') throw new Refusal(404, texts.noPath)
    throw new Refusal(error.code === 'bad-path' ? 400 : 501, texts.damaged)
  }
}

export interface Redirect {
  location: string
}

function ownBytes(ask: IpfsRequest, bytes: Uint8Array): Chosen {
  if (ask.path.length > 0) throw new Refusal(404, texts.noPath)
  const rest = { roots: [ask.cidText], isCurrent: async () => true }
  if (ask.format === 'raw') return { answer: rawAnswer(ask.cidText, bytes), ...rest }
  // Archives leave out blocks that are their own CIDs.
  if (ask.format === 'car') {
    const variant = { cid: ask.cidText, duplicates: false, variant: ['identity'] }
    return { answer: carAnswer(variant, () => writeCar([ask.cid], [])), ...rest }
  }
  const document = documentOf(ask, bytes, true)
  if (document) return { answer: document, ...rest }
  // Anybody can write such an address: it is saved, never shown.
  const file = { cid: ask.cidText, size: bytes.length, name: 'content.bin', download: true }
  requireType(ask, 'content.bin')
  return { answer: fileAnswer(file, (start, end) => bytes.subarray(start, end)), ...rest }
}

/** A document of its own codec; undefined for plain bytes. @throws Refusal 406 if another format is asked for, or the codec is none of documents */
function documentOf(ask: IpfsRequest, bytes: Uint8Array, download: boolean): Answer | undefined {
  const { cid, documents } = ask
  if (cid.code === RAW) return undefined
  const own = DOCUMENT_FORMATS.find((format) => DOCUMENTS[format].code === cid.code)
  if (!own) throw new Refusal(406, texts.codec)
  // The strict variants are documents of the lax ones as well.
  const format = [own, own.replace('dag-', '') as DocumentFormat].find((one) => documents.formats.includes(one))
  if (!format && documents.how !== 'also') throw new Refusal(406, texts.document)
  return documentAnswer({ cid: ask.cidText, format: format ?? own, download: download || ask.download }, bytes)
}

/** @throws Refusal 406 if the client takes documents of other types only */
function requireType({ documents: { formats, how } }: IpfsRequest, name: string): void {
  if (formats.length === 0 || how === 'also') return
  const type = contentType(name).split(';', 1)[0]
  if (how === 'asked' || !formats.some((format) => DOCUMENTS[format].type === type))
    throw new Refusal(406, texts.document)
}

interface Place {
  /** The block as nodes know it, whatever codec the client named. */
  stored: Cid
  found: Found
  getBlock: GetBlock
  lang: Lang
}

type Choice = Pick<Chosen, 'answer' | 'roots'>

async function choose(ask: IpfsRequest, place: Place): Promise<Choice | Redirect> {
  const { cid } = ask
  const { stored, getBlock } = place
  // A leaf with the bytes of a node, or a node that is asked for as plain bytes, is a block without links. So are those of other codecs.
  const isOpaque = cid.code !== stored.code
  if (isOpaque) return chooseOpaque(ask, place)
  const { roots, last } = await resolve(stored, ask.path, getBlock, ask.cidText)
  if (ask.format === 'raw') return { answer: rawAnswer(roots.at(-1) ?? '', last.bytes), roots }
  if (ask.format === 'car') return { answer: chooseCar(ask, place, last.cid), roots }
  if (isFile(last.node)) return { answer: chooseFile(ask, place, last), roots }
  checkDirectory(last.node)
  return chooseFolder(ask, place, { roots, last })
}

async function chooseOpaque(ask: IpfsRequest, { stored, getBlock }: Place): Promise<Choice> {
  if (ask.path.length > 0) throw new Refusal(404, texts.noPath)
  const bytes = await getBlock(stored)
  const roots = [ask.cidText]
  if (ask.format === 'raw') return { answer: rawAnswer(ask.cidText, bytes), roots }
  if (ask.format === 'car') {
    if (ask.cid.code !== RAW && ask.car.scope !== 'block') throw new Refusal(501, texts.codec)
    const variant = { cid: ask.cidText, duplicates: false, variant: ['one block'] }
    return { answer: carAnswer(variant, () => writeCar([ask.cid], [{ cid: ask.cid, bytes }])), roots }
  }
  const document = documentOf(ask, bytes, false)
  if (document) return { answer: document, roots }
  const file = { cid: ask.cidText, size: bytes.length, name: ask.filename ?? '', download: ask.download }
  requireType(ask, file.name)
  return { answer: fileAnswer(file, (start, end) => bytes.subarray(start, end)), roots }
}

/** The CID at each name of a path, and its target; each block is decoded once. @throws ContentError not-found, Refusal 501 */
async function resolve(
  root: Cid,
  path: readonly string[],
  getBlock: GetBlock,
  rootText: string,
): Promise<{ roots: string[]; last: ReadBlock }> {
  let left = PATH_BYTES_MAX
  const counted: GetBlock = async (cid) => {
    const bytes = await getBlock(cid)
    left -= bytes.length
    if (left < 0) throw new Refusal(501, texts.damaged)
    return bytes
  }
  const roots = [rootText]
  let last = await readBlock(root, counted)
  for (const name of path) {
    const found = await lookUp(last.node, name, counted)
    last = found[found.length - 1] as ReadBlock
    roots.push(last.cid.toString())
  }
  return { roots, last }
}

function chooseCar(ask: IpfsRequest, { stored, found, getBlock }: Place, last: Cid): Answer {
  const { scope, bytes, duplicates: wanted } = ask.car
  const duplicates = wanted === true || (scope !== 'block' && found.blocks > DISTINCT_MAX)
  const path = ask.path.join('/')
  const variant = [path, scope, bytes ? `${bytes.from}:${bytes.to ?? '*'}` : '']
  return carAnswer({ cid: ask.cidText, duplicates, variant }, async function* () {
    const ahead = scope === 'block' || bytes ? undefined : readAhead(getBlock)
    try {
      const options = { path, scope, duplicates, ...(bytes && { bytes }) }
      yield* writeCar([last], walk(stored, ahead?.getBlock ?? getBlock, options))
    } finally {
      ahead?.end()
    }
  })
}

function chooseFile(ask: IpfsRequest, { found, getBlock, stored }: Place, { cid, node }: ReadBlock): Answer {
  const own = ask.path.length === 0 && found.root === stored.toV1().toString() ? found.name : ''
  const name = ask.filename ?? ask.path.at(-1) ?? own
  requireType(ask, name)
  return fileAnswer({ cid: cid.toString(), size: node.fileSize, name, download: ask.download }, (start, end) =>
    readFile(cid, getBlock, start, end),
  )
}

async function chooseFolder(
  ask: IpfsRequest,
  place: Place,
  { roots, last }: { roots: string[]; last: ReadBlock },
): Promise<Choice | Redirect> {
  const { getBlock, lang } = place
  // Links of the page are relative to the folder.
  if (!ask.trailing) {
    const path = [ask.cidText, ...ask.path].map(encodeURIComponent).join('/')
    return { location: `/ipfs/${path}/${ask.query.size > 0 ? `?${ask.query}` : ''}` }
  }
  const [index] = await lookUp(last.node, 'index.html', getBlock)
    .then((found) => found.slice(-1))
    .catch((error: unknown) => {
      if (isContentError(error) && error.code === 'not-found') return []
      throw error
    })
  if (index && isFile(index.node))
    return { answer: chooseFile({ ...ask, path: [...ask.path, 'index.html'] }, place, index), roots }
  requireType(ask, 'index.html')
  const entries: DirectoryEntry[] = []
  let isCut = false
  for await (const entry of listNode(last.node, getBlock)) {
    isCut = entries.length === ENTRIES_MAX
    if (isCut) break
    entries.push(entry)
  }
  const html = folderPage(lang, { cid: last.cid.toString(), path: ask.path, entries, isCut })
  return { answer: pageAnswer(html, `"DirIndex-1-${lang}_CID-${last.cid}"`, LISTED), roots }
}
