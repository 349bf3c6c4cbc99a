import type { Cid } from '@tidenet/content'
import type { OpenContent } from '../contents/open-content.ts'
import type { Outgoing } from './outgoing.ts'
import { sendFile, sendPieces } from './sending.ts'

/** The representation that a download sends. */
export interface Body {
  type: string
  /** Quoted; weak if two responses may differ in bytes. */
  etag: string
  /** Bytes; undefined if unknown before sending, and then there are no ranges. */
  size: number | undefined
  /** File name, if different from the last URL segment. */
  name?: string | undefined
  /** Always downloaded, never displayed. */
  attachment?: boolean
  /** Private to the caller: not cacheable by proxies. */
  secret?: boolean
  send(out: Outgoing, start: number, end: number): Promise<void>
}

export const CAR_TYPE = 'application/vnd.ipld.car; version=1'

/** A file stored as flat data. */
export function flatBody(content: OpenContent, type: string): Body {
  const { cid, size } = content.held
  return { type, etag: `"${cid}"`, size, send: (out, start, end) => sendFile(out, content.main, start, end) }
}

/** A file stored as blocks. */
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

/** The stored archive of a folder. */
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

/** The stored inner nodes of a file. */
export function innerFileBody(cid: string, inner: NonNullable<Awaited<ReturnType<OpenContent['inner']>>>): Body {
  return {
    ...innerFacts(cid),
    size: inner.size,
    send: (out, start, end) => sendFile(out, inner.file, start, end),
  }
}

/** The inner nodes of a file, generated. */
export function innerBytesBody(cid: string, bytes: Uint8Array): Body {
  return { ...innerFacts(cid), size: bytes.length, send: (out, start, end) => out.write(bytes.subarray(start, end)) }
}

const innerFacts = (cid: string) => ({
  type: `${CAR_TYPE}; order=dfs; dups=n`,
  etag: `"${cid}.inner"`,
  name: `${cid}.inner.car`,
  attachment: true,
})

/** A generated stream of unknown length. */
export function streamBody(
  facts: { type: string; etag: string; name: string },
  pieces: () => AsyncIterable<Uint8Array>,
): Body {
  return { ...facts, size: undefined, attachment: true, send: (out) => sendPieces(out, pieces()) }
}

/** A private JSON response. */
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
