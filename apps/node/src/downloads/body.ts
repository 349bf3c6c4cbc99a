import type { Cid } from '@tidenet/content'
import { carHeader } from '@tidenet/content/car'
import type { OpenContent } from '../contents/open-content.ts'
import { Refusal } from '../refusal.ts'
import type { Ask } from './ask.ts'
import { contentType } from './content-type.ts'
import { type Outgoing, sendFile } from './sending.ts'

/** What a download sends: one representation of a content or a part of it. */
export interface Body {
  type: string
  /** With its quotes; weak when two answers may differ in bytes. */
  etag: string
  /** Bytes; undefined when only sending will tell, and then there are no ranges. */
  size: number | undefined
  /** A name to save under, when there is a better one than the address. */
  name?: string | undefined
  /** Always saved, never shown. */
  attachment?: boolean
  send(out: Outgoing, start: number, end: number): Promise<void>
}

const CAR_TYPE = 'application/vnd.ipld.car; version=1'

/** The flat bytes of a file that is held as such. */
export function fileBody(content: OpenContent, ask: Ask): Body {
  const { cid, size } = content.held
  return {
    type: contentType(ask.filename ?? ''),
    etag: `"${cid}"`,
    size,
    send: (out, start, end) => sendFile(out, content.main, start, end),
  }
}

/** One block of the content. Throws a 404 when it is not part of it. */
export async function rawBody(content: OpenContent, cid: Cid): Promise<Body> {
  const place = await content.locate(cid.multihash.digest, cid.code)
  if (!place) throw new Refusal(404, 'The block is not part of this content.', { err: 10028 })
  return {
    type: 'application/vnd.ipld.raw',
    etag: `"${cid}.raw"`,
    size: place.length,
    name: `${cid}.bin`,
    attachment: true,
    send: async (out, start, end) => out.write((await content.readBlock(place)).subarray(start, end)),
  }
}

/** The archive of a folder as it lies on disk. */
export function archiveBody(content: OpenContent): Body {
  const { cid, size } = content.held
  return {
    type: `${CAR_TYPE}; order=unk; dups=y`,
    etag: `"${cid}.car"`,
    size,
    name: `${cid}.car`,
    attachment: true,
    send: (out, start, end) => sendFile(out, content.main, start, end),
  }
}

/** The inner nodes of a file as an archive, root first; a file of one leaf has none. */
export async function innerBody(content: OpenContent, cid: Cid): Promise<Body> {
  if (content.held.kind !== 'file') throw new Refusal(400, 'format=inner is for files.')
  const inner = await content.inner()
  const header = carHeader([cid])
  return {
    type: `${CAR_TYPE}; order=unk; dups=n`,
    etag: `"${content.held.cid}.inner"`,
    size: inner?.size ?? header.length,
    name: `${content.held.cid}.inner.car`,
    attachment: true,
    send: (out, start, end) => (inner ? sendFile(out, inner.file, start, end) : out.write(header.subarray(start, end))),
  }
}
