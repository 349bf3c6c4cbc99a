import type { Cid } from '@tidenet/content'
import type { OpenContent } from '../contents/open-content.ts'
import type { Outgoing } from './outgoing.ts'
import { sendFile, sendPieces } from './sending.ts'

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
  /** It holds what is for the caller alone. */
  secret?: boolean
  send(out: Outgoing, start: number, end: number): Promise<void>
}

export const CAR_TYPE = 'application/vnd.ipld.car; version=1'

/** The bytes of a file that is held flat. */
export function flatBody(content: OpenContent, type: string): Body {
  const { cid, size } = content.held
  return { type, etag: `"${cid}"`, size, send: (out, start, end) => sendFile(out, content.main, start, end) }
}

/** The bytes of a file that is held as blocks. */
export function blocksBody(
  file: { cid: Cid; size: number; cat: (start: number, end: number) => AsyncIterable<Uint8Array> },
  type: string,
): Body {
  const { cid, size, cat } = file
  return { type, etag: `"${cid}"`, size, send: (out, start, end) => sendPieces(out, cat(start, end)) }
}

/** One block. */
export function rawBody(cid: Cid, bytes: Uint8Array): Body {
  return {
    type: 'application/vnd.ipld.raw',
    etag: `"${cid}.raw"`,
    size: bytes.length,
    name: `${cid}.bin`,
    attachment: true,
    send: (out, start, end) => out.write(bytes.subarray(start, end)),
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

/** The inner nodes of a flat file as they lie on disk. */
export function innerFileBody(cid: string, inner: NonNullable<Awaited<ReturnType<OpenContent['inner']>>>): Body {
  return {
    ...innerFacts(cid),
    size: inner.size,
    send: (out, start, end) => sendFile(out, inner.file, start, end),
  }
}

/** The inner nodes of a file, put together. */
export function innerBytesBody(cid: string, bytes: Uint8Array): Body {
  return { ...innerFacts(cid), size: bytes.length, send: (out, start, end) => out.write(bytes.subarray(start, end)) }
}

const innerFacts = (cid: string) => ({
  type: `${CAR_TYPE}; order=dfs; dups=n`,
  etag: `"${cid}.inner"`,
  name: `${cid}.inner.car`,
  attachment: true,
})

/** Something made on the way, whose length nobody knows before. */
export function streamBody(
  facts: { type: string; etag: string; name: string },
  pieces: () => AsyncIterable<Uint8Array>,
): Body {
  return { ...facts, size: undefined, attachment: true, send: (out) => sendPieces(out, pieces()) }
}

/** An answer in JSON that is for the caller alone. */
export function jsonBody(etag: string, value: unknown): Body {
  const bytes = Buffer.from(JSON.stringify(value))
  return {
    type: 'application/json; charset=utf-8',
    etag,
    size: bytes.length,
    secret: true,
    send: (out, start, end) => out.write(bytes.subarray(start, end)),
  }
}
