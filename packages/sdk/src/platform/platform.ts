import type { ByteSource } from '../bytes.ts'
import type { Ciphers } from './cipher.ts'
import type { LeafChecker } from './leaf-checker.ts'
import type { ResumeStore } from './resume-store.ts'

/** Everything that differs between Node.js and browsers. */
export interface Platform {
  /** Sends a request to a node and reads the complete response, which must be small. Rejects with `Unreachable`. */
  send(exchange: NodeRequest): Promise<NodeResponse>
  /** Requests bytes from a node; resolves with the head of the response. Rejects with `Unreachable`. */
  get(request: GetRequest): Promise<StreamingResponse>
  /** Reads a response directly into the target buffers. Undefined if unsupported, in general or for this address; use `get` then. */
  getInto?(url: string): ((request: GetIntoRequest) => Promise<void>) | undefined
  /** Hashing threads and shared memory for a file of `size` bytes; undefined if not worthwhile. */
  leafThreads?(size: number): { make(size: number): ArrayBufferLike; checker: LeafChecker } | undefined
  /** A new key to sign what a download receives; undefined if the platform cannot sign. */
  receiptKey(): Promise<ReceiptKey | undefined>
  /** Sends a small text to a node and resolves with the status of the response. In browsers it outlives the page. */
  post(url: string, text: string, signal: AbortSignal): Promise<number>
  /** Computes the CID of content while it is sent, or on its own. */
  digest(source: ByteSource, options: DigestOptions): ContentDigest
  /** Opens a path on disk; undefined in browsers. */
  openPath?(path: string): Promise<OpenedPath>
  /** A file on disk for random-access writes; undefined in browsers. */
  openFile?(path: string, size: number | undefined, options: { keep: boolean }): Promise<Target>
  /** The path of a file: the path itself, or `name` below it if it is a folder. */
  filePath?(path: string, name: string): Promise<string>
  /** Converts a Node.js stream to a web stream. */
  webStream?(stream: unknown): WritableStream<Uint8Array> | undefined
  /** Bytes per request of a resumable upload. */
  readonly slice: number
  /** Saves the bytes as a browser download; undefined in Node.js. */
  save?(blob: Blob, name: string): void
  /** The default target if the caller names none. */
  memoryTarget(name: string): MemoryTarget
  ciphers: Ciphers
  /** Remembers unfinished uploads across restarts: in a file (Node.js) or IndexedDB (browsers). */
  resumeStore(where: string): ResumeStore
  /** The user's preferred language. */
  language(): 'cn' | 'en' | ''
}

/** An Ed25519 key. */
export interface ReceiptKey {
  /** Raw, base64url. */
  publicKey: string
  /** Returns the signature, base64url. */
  sign(text: string): Promise<string>
}

export interface NodeRequest {
  method: 'HEAD' | 'POST' | 'PATCH' | 'DELETE' | 'GET'
  url: string
  headers: Record<string, string>
  body?: Body
  signal: AbortSignal
  /** Bytes of the source sent, counted from `body.start`. */
  onSent?: (bytes: number) => void
  /** Idle timeout, ms. */
  idleTimeout: number
  /** Timeout of the response after everything was sent, ms. */
  responseTimeout: number
  /** Bytes of the response that are kept, in Node.js. Default 256 KiB. */
  answerMax?: number
}

export interface Body {
  source: ByteSource
  start: number
  end: number
  /** Bytes before and after those of the source: the multipart frame. */
  head?: Uint8Array
  tail?: Uint8Array
  /** Called with the bytes that are read, in order; not called where the platform reads the source itself. */
  observe?: (offset: number, chunk: Uint8Array) => void | Promise<void>
}

export interface NodeResponse {
  status: number
  header(name: string): string | undefined
  text: string
}

export interface GetRequest {
  url: string
  headers?: Record<string, string>
  signal: AbortSignal
}

export interface GetIntoRequest extends GetRequest {
  /** Idle timeout, ms; fails as `stalled`. */
  idleTimeout: number
  /** Checks the head of the response; an exception ends the request. */
  check(answer: { status: number; header(name: string): string | undefined }): void
  intake: { buffer(): Uint8Array; took(bytes: number): void | Promise<void> }
}

export interface StreamingResponse {
  status: number
  statusText: string
  header(name: string): string | undefined
  /** The body as a stream. Leaving the loop early ends the request. */
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
  /** Receives bytes that are read for sending; bytes received in order are not read again. */
  observe(offset: number, chunk: Uint8Array): void | Promise<void>
  /** Reads the bytes not observed yet. `md5` is empty if not requested or not available. */
  finish(): Promise<{ cid: string; md5: string }>
  /** Stops hashing; `finish` then rejects. */
  stop(): void
}

export type OpenedPath =
  | { kind: 'file'; source: ByteSource }
  | { kind: 'folder'; name: string; files(): AsyncIterable<{ path: string; source: ByteSource }> }

/** Receives the bytes of a download. Nothing is visible to others before `commit`. */
export interface Target {
  /** The caller may reuse buffers once the write has resolved. */
  readonly buffersReusable?: true
  /** Writes consecutive pieces at a position; they must not change until it resolves. */
  write(pieces: Uint8Array[], position: number): Promise<void>
  /** Reads what an earlier, interrupted download left; may return fewer bytes. */
  read?(position: number, length: number): Promise<Uint8Array>
  /** Publishes the file. `size`: its final size in bytes. */
  commit(size: number): Promise<void>
  /** Deletes everything, unless opened with `keep`. */
  abort(): Promise<void>
}

/** A target in memory. */
export interface MemoryTarget extends Target {
  /** Call after `commit`. */
  blob(): Promise<Blob>
}

/** A node did not respond: the connection failed, broke, or stalled. */
export class Unreachable extends Error {
  /** `aborted`: cancelled by the caller; `stalled`: no progress in time; `frozen`: no sign of life; `network`: any other failure. */
  readonly reason: 'aborted' | 'stalled' | 'frozen' | 'network' | 'source'

  constructor(reason: Unreachable['reason'], message: string, options?: ErrorOptions) {
    super(message, options)
    this.name = 'Unreachable'
    this.reason = reason
  }
}

/** Also true for an Unreachable of another copy of this module. */
export function isUnreachable(error: unknown): error is Unreachable {
  return error instanceof Error && error.name === 'Unreachable' && 'reason' in error
}
