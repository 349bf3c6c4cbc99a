import { type Answer, encode } from 'dns-packet'

/** Reads queries and writes responses of DNS (RFC 1035, EDNS of RFC 6891). */

export const RCODE = {
  noError: 0,
  formatError: 1,
  notImplemented: 4,
  serverFailure: 2,
  nameUnknown: 3,
  refused: 5,
  badVersion: 16,
} as const
export type ResponseCode = (typeof RCODE)[keyof typeof RCODE]

/** Numbers of the record types that are answered. */
export const TYPE = { A: 1, NS: 2, SOA: 6, TXT: 16, AAAA: 28, IXFR: 251, AXFR: 252, ANY: 255, CAA: 257 } as const
const OPT = 41
const CLASS_IN = 1

const HEADER_BYTES = 12
const LABEL_MAX = 63
const NAME_MAX = 255
/** Without EDNS. */
const PLAIN_BYTES = 512
/** What passes networks without fragments (DNS flag day 2020); also the most that a query can be answered with by UDP. */
const UDP_BYTES = 1232

export interface Query {
  /** As it was sent: some resolvers use random upper case, and require it back. */
  name: string
  type: number
  isInternet: boolean
  /** Bytes that a response by UDP may have. */
  room: number
  edns: { version: number } | undefined
  /** The first bytes, for the response: header and question. */
  head: Buffer
}

/** What to answer at once, without a look at the question. */
export interface Rejected {
  code: ResponseCode
  /** The header, and the question if it could be read. */
  head: Buffer
}

/**
 * Reads a query. Only what a query of one question has is read; nothing in a message makes it loop or allocate.
 * @returns undefined for what gets no answer: too short, or a response (two servers would answer each other for ever)
 */
export function readQuery(message: Buffer): Query | Rejected | undefined {
  if (message.length < HEADER_BYTES) return undefined
  const flags = message.readUInt16BE(2)
  if (flags & 0x8000) return undefined
  const rejected = (code: ResponseCode): Rejected => ({ code, head: message.subarray(0, HEADER_BYTES) })
  if ((flags >> 11) & 0xf) return rejected(RCODE.notImplemented)
  const [questions, answers, authorities, additionals] = [4, 6, 8, 10].map((at) => message.readUInt16BE(at))
  if (questions !== 1 || answers !== 0 || authorities !== 0 || additionals === undefined || additionals > 2)
    return rejected(RCODE.formatError)
  const labels: string[] = []
  let at = HEADER_BYTES
  for (;;) {
    const length = message[at]
    // A pointer has nothing to point to in the first name.
    if (length === undefined || length > LABEL_MAX || at - HEADER_BYTES + length + 1 > NAME_MAX)
      return rejected(RCODE.formatError)
    at++
    if (length === 0) break
    labels.push(message.toString('latin1', at, at + length))
    at += length
  }
  if (at + 4 > message.length) return rejected(RCODE.formatError)
  const type = message.readUInt16BE(at)
  const isInternet = message.readUInt16BE(at + 2) === CLASS_IN
  at += 4
  // The first additional record of a query is its EDNS, if it has one.
  const hasEdns =
    additionals > 0 && at + 11 <= message.length && message[at] === 0 && message.readUInt16BE(at + 1) === OPT
  return {
    name: labels.join('.'),
    type,
    isInternet,
    room: hasEdns ? Math.min(Math.max(message.readUInt16BE(at + 3), PLAIN_BYTES), UDP_BYTES) : PLAIN_BYTES,
    edns: hasEdns ? { version: message[at + 6] ?? 0 } : undefined,
    head: message.subarray(0, at),
  }
}

export interface Response {
  code: ResponseCode
  answers?: Answer[]
  authorities?: Answer[]
  /** Whether it is from the zone (AA). */
  isAuthoritative?: boolean
}

/**
 * A response to a query.
 * @param room most bytes; a longer one is cut after the question, with the flag that makes resolvers ask by TCP
 */
export function writeResponse(query: Query | Rejected, response: Response, room: number): Buffer {
  const edns = 'edns' in query ? query.edns : undefined
  const { answers = [], authorities = [] } = response
  const records = answers.length + authorities.length > 0 ? recordsOf(answers, authorities) : Buffer.alloc(0)
  const opt = edns ? optOf(response.code) : Buffer.alloc(0)
  const isCut = query.head.length + records.length + opt.length > room
  const head = Buffer.from(query.head)
  const asked = query.head.readUInt16BE(2)
  // QR, AA, TC; opcode and RD of the query.
  const flags = 0x8000 | (response.isAuthoritative ? 0x0400 : 0) | (isCut ? 0x0200 : 0) | (asked & 0x7900)
  head.writeUInt16BE(flags | (response.code & 0xf), 2)
  head.writeUInt16BE(head.length > HEADER_BYTES ? 1 : 0, 4)
  head.writeUInt16BE(isCut ? 0 : answers.length, 6)
  head.writeUInt16BE(isCut ? 0 : authorities.length, 8)
  head.writeUInt16BE(edns ? 1 : 0, 10)
  return Buffer.concat(isCut ? [head, opt] : [head, records, opt])
}

/** The response that makes a resolver ask again by TCP, with no more bytes than the query. */
export const writeTruncated = (query: Query): Buffer => {
  const response = writeResponse(
    { code: RCODE.noError, head: query.head },
    { code: RCODE.noError, isAuthoritative: true },
    PLAIN_BYTES,
  )
  response.writeUInt16BE(response.readUInt16BE(2) | 0x0200, 2)
  return response
}

const recordsOf = (answers: Answer[], authorities: Answer[]): Buffer =>
  encode({ type: 'response', answers, authorities }).subarray(HEADER_BYTES)

function optOf(code: ResponseCode): Buffer {
  const opt = Buffer.alloc(11)
  opt.writeUInt16BE(OPT, 1)
  opt.writeUInt16BE(UDP_BYTES, 3)
  // The upper bits of the code.
  opt[5] = code >> 4
  return opt
}
