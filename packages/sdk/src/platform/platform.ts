import type { ByteSource } from '../bytes.ts'
import type { Ciphers } from './cipher.ts'
import type { LeafChecker } from './leaf-checker.ts'
import type { ResumeStore } from './resume-store.ts'

/** What differs between Node and a browser. Everything else in this package is the same in both. */
export interface Platform {
  /** Sends a request to a node and reads the whole answer; the answer is small. Rejects with `Unreachable`. */
  send(exchange: Exchange): Promise<Answered>
  /** Asks a node for bytes; resolves with the head of the answer. Rejects with `Unreachable`. */
  get(request: Ask): Promise<Answering>
  /**
   * Reads an answer straight to where its bytes belong, which spares copies. Undefined where this cannot be done, or not for
   * such an address; `get` then does it.
   */
  getInto?(url: string): ((request: AskInto) => Promise<void>) | undefined
  /** Threads that hash leaves of a file of so many bytes, and memory that they see; undefined where that is not worth it. */
  leafThreads?(size: number): { make(size: number): ArrayBufferLike; checker: LeafChecker } | undefined
  /** Names content while it is being sent, or on its own. */
  digest(source: ByteSource, options: DigestOptions): ContentDigest
  /** Opens a path of the disk; undefined where there are no paths. */
  openPath?(path: string): Promise<OpenedPath>
  /** A file on disk that takes bytes at any place; undefined where there are no paths. */
  openFile?(path: string, size: number | undefined, options: { keep: boolean }): Promise<Target>
  /** Where a file of this name goes: the path itself, or below it when it is a folder. */
  filePath?(path: string, name: string): Promise<string>
  /** A Node stream as a stream of the web. */
  webStream?(stream: unknown): WritableStream<Uint8Array> | undefined
  /** Bytes that one request of a resumable upload carries. */
  readonly slice: number
  /** Gives the bytes to the person in front of the screen; undefined where there is none. */
  save?(blob: Blob, name: string): void
  /** Where the bytes of a download are gathered when the caller names no target. */
  gather(name: string): Gathering
  ciphers: Ciphers
  /** Remembers unfinished uploads beyond the life of the program: in a file (Node), in IndexedDB (browsers). */
  resumeStore(where: string): ResumeStore
  /** The language the person prefers, as the platform knows it. */
  language(): 'cn' | 'en' | ''
}

export interface Exchange {
  method: 'HEAD' | 'POST' | 'PATCH' | 'DELETE' | 'GET'
  url: string
  headers: Record<string, string>
  body?: Body
  signal: AbortSignal
  /** Bytes of the source that have left, counted from `body.start`. */
  onSent?: (bytes: number) => void
  /** Ms without progress after which the request is given up. */
  patience: number
  /** Ms that the answer may take once all is sent. */
  answerPatience: number
}

export interface Body {
  source: ByteSource
  start: number
  end: number
  /** Bytes around those of the source: the frame of a form. */
  head?: Uint8Array
  tail?: Uint8Array
  /** Sees what is read to be sent, in order; not called where the platform reads by itself. */
  observe?: (offset: number, chunk: Uint8Array) => void | Promise<void>
}

export interface Answered {
  status: number
  header(name: string): string | undefined
  text: string
}

export interface Ask {
  url: string
  headers?: Record<string, string>
  signal: AbortSignal
}

export interface AskInto extends Ask {
  /** Ms without progress after which the request is given up, as `stalled`. */
  patience: number
  /** Looks at the head of the answer; what it throws ends the request. */
  check(answer: { status: number; header(name: string): string | undefined }): void
  intake: { room(): Uint8Array; took(bytes: number): void | Promise<void> }
}

export interface Answering {
  status: number
  statusText: string
  header(name: string): string | undefined
  /** The body as it comes. Leaving the loop early ends the request. */
  body: AsyncIterable<Uint8Array>
  /** Ends the request without reading on. */
  discard(): void
}

export interface DigestOptions {
  md5: boolean
  signal: AbortSignal
  onHashed?: (bytes: number) => void
}

export interface ContentDigest {
  /** Shows bytes that pass by anyway; those that come in order need not be read again. */
  observe(offset: number, chunk: Uint8Array): void | Promise<void>
  /** Reads what was not seen yet. `md5` is empty when it was not asked for or cannot be had. */
  finish(): Promise<{ cid: string; md5: string }>
  /** Stops hashing; `finish` then rejects. */
  stop(): void
}

export type OpenedPath =
  | { kind: 'file'; source: ByteSource }
  | { kind: 'folder'; name: string; files(): AsyncIterable<{ path: string; source: ByteSource }> }

/** Takes verified or yet unverified bytes; nothing of it is seen by anyone before `commit`. */
export interface Target {
  /** What was written may be used again once the write has resolved. */
  readonly releases?: true
  /** Writes pieces that follow each other at a place; they must not change until it resolves. */
  write(pieces: Uint8Array[], position: number): Promise<void>
  /** Reads back what an earlier, broken off download left; fewer bytes when there are fewer. */
  read?(position: number, length: number): Promise<Uint8Array>
  /** Puts the file in its place. `size`: its final bytes. */
  commit(size: number): Promise<void>
  /** Leaves nothing behind, unless `keep` was asked for. */
  abort(): Promise<void>
}

/** A target in memory. */
export interface Gathering extends Target {
  /** After `commit`. */
  blob(): Promise<Blob>
}

/** A node did not answer: the connection failed, broke, or stood still. */
export class Unreachable extends Error {
  /** `aborted`: the caller stopped it; `stalled`: no progress in time; `frozen`: not even a sign of life; `network`: anything else. */
  readonly reason: 'aborted' | 'stalled' | 'frozen' | 'network' | 'source'

  constructor(reason: Unreachable['reason'], message: string, options?: ErrorOptions) {
    super(message, options)
    this.name = 'Unreachable'
    this.reason = reason
  }
}

/** True for an Unreachable of any copy of this module. */
export function isUnreachable(error: unknown): error is Unreachable {
  return error instanceof Error && error.name === 'Unreachable' && 'reason' in error
}
