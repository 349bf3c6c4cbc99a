import { SPEECH_SECONDS_MAX, type SpeechKind } from './speech.ts'

/** Which recordings speech to text accepts. The portal and the server read the same bytes, so that both say the same. */

export type AudioProblem = 'speechType' | 'speechUnreadable' | 'speechDuration'
export type Audio = { kind: SpeechKind; seconds: number } | { problem: AudioProblem }

/** Bytes that belong to no frame of an MP3, such as tags at its end. */
const STRAY_MAX = 1024 * 1024
const HEAD = 12

/** Detects the type by the first bytes, never by the name. */
export function audioKind(head: Uint8Array): SpeechKind | undefined {
  if (textAt(head, 0, 4) === 'RIFF' && textAt(head, 8, 4) === 'WAVE') return 'wav'
  if (textAt(head, 0, 3) === 'ID3') return 'mp3'
  // Eleven one bits, then version and layer; AAC and other layers have other layer bits.
  const [first = 0, second = 0] = head
  return first === 0xff && (second & 0xe0) === 0xe0 && ((second >> 1) & 3) === 1 ? 'mp3' : undefined
}

const textAt = (bytes: Uint8Array, at: number, length: number): string =>
  String.fromCharCode(...bytes.subarray(at, at + length))
const viewOf = (bytes: Uint8Array): DataView => new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)

function concat(one: Uint8Array, other: Uint8Array): Uint8Array {
  if (one.length === 0) return other
  const both = new Uint8Array(one.length + other.length)
  both.set(one)
  both.set(other, one.length)
  return both
}

/** Reads type and duration of a recording from all of its bytes, with memory for one part. What its headers claim is not trusted. */
export async function readAudio(parts: AsyncIterable<Uint8Array>): Promise<Audio> {
  let reader: Reader | undefined
  let kind: SpeechKind | undefined
  for await (const part of parts) {
    kind ??= audioKind(part)
    if (!kind) return { problem: 'speechType' }
    reader ??= kind === 'wav' ? wavReader() : mp3Reader()
    reader.read(part)
  }
  const seconds = reader?.seconds() ?? 0
  if (!kind) return { problem: 'speechType' }
  if (!(seconds > 0)) return { problem: 'speechUnreadable' }
  // Round down: encoders add a fraction of a second of silence.
  return Math.floor(seconds) > SPEECH_SECONDS_MAX ? { problem: 'speechDuration' } : { kind, seconds }
}

/** Whether the bit rate of an MP3 changes, so that a position in its bytes says little about the time. */
export async function changesBitRate(parts: AsyncIterable<Uint8Array>): Promise<boolean> {
  const reader = mp3Reader()
  for await (const part of parts) reader.read(part)
  return reader.bitRates.size > 1
}

interface Reader {
  read(part: Uint8Array): void
  /** 0: it cannot be decoded. */
  seconds(): number
}

/** PCM, floating point, A-law, µ-law: their duration follows from their length. */
const WAV_FORMATS = new Set([1, 3, 6, 7])
/** Names the format further behind. */
const EXTENSIBLE = 0xfffe
const FORMAT_MIN = 16
const FORMAT_MAX = 40

function wavReader(): Reader {
  let rest: Uint8Array = new Uint8Array()
  let skip = HEAD
  /** Of the first format: decoders read no other. */
  let bytesPerSecond: number | undefined
  let inData = false
  let data = 0
  let left = 0
  return {
    read(part) {
      let bytes = concat(rest, part)
      rest = new Uint8Array()
      while (bytes.length > 0) {
        if (skip > 0) {
          const skipped = Math.min(skip, bytes.length)
          skip -= skipped
          bytes = bytes.subarray(skipped)
        } else if (inData) {
          const taken = Math.min(left, bytes.length)
          data += taken
          left -= taken
          bytes = bytes.subarray(taken)
          if (left === 0) inData = false
        } else {
          if (bytes.length < 8) break
          const name = textAt(bytes, 0, 4)
          const size = viewOf(bytes).getUint32(4, true)
          if (name === 'fmt ') {
            const length = Math.min(size, FORMAT_MAX)
            if (bytes.length < 8 + length) break
            bytesPerSecond ??= rateOf(viewOf(bytes.subarray(8, 8 + length)))
          }
          bytes = bytes.subarray(8)
          if (name === 'data') {
            inData = true
            // Programs that write to a pipe do not know the size.
            left = size === 0 ? Number.POSITIVE_INFINITY : size
          } else skip = size + (size % 2)
        }
      }
      rest = bytes.slice()
    },
    seconds: () => (bytesPerSecond ? data / bytesPerSecond : 0),
  }
}

function rateOf(format: DataView): number {
  if (format.byteLength < FORMAT_MIN) return 0
  const given = format.getUint16(0, true)
  const kind = given === EXTENSIBLE && format.byteLength === FORMAT_MAX ? format.getUint16(24, true) : given
  const channels = format.getUint16(2, true)
  const rate = format.getUint32(4, true)
  const bits = format.getUint16(14, true)
  const plausible = WAV_FORMATS.has(kind) && channels >= 1 && channels <= 8
  return plausible && rate >= 4000 && rate <= 384_000 && bits % 8 === 0 && bits <= 64 ? (rate * channels * bits) / 8 : 0
}

/** In kbit/s, by the index in the header. */
const BITRATES_1 = [0, 32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320]
const BITRATES_2 = [0, 8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160]
const RATES = [44_100, 48_000, 32_000]

/** The length in bytes and the duration of an MPEG layer III frame; undefined if there is none. */
function frameAt(bytes: Uint8Array, at: number): { length: number; seconds: number; bitrate: number } | undefined {
  const [a = 0, b = 0, c = 0] = [bytes[at], bytes[at + 1], bytes[at + 2]]
  const version = (b >> 3) & 3
  if (a !== 0xff || (b & 0xe0) !== 0xe0 || version === 1 || ((b >> 1) & 3) !== 1) return undefined
  const first = version === 3
  const bitrate = (first ? BITRATES_1 : BITRATES_2)[c >> 4] ?? 0
  const rate = (RATES[(c >> 2) & 3] ?? 0) / (first ? 1 : version === 2 ? 2 : 4)
  if (bitrate === 0 || rate === 0) return undefined
  const samples = first ? 1152 : 576
  return { length: Math.floor((samples * bitrate * 125) / rate) + ((c >> 1) & 1), seconds: samples / rate, bitrate }
}

function mp3Reader(): Reader & { bitRates: ReadonlySet<number> } {
  let rest: Uint8Array = new Uint8Array()
  let skip = 0
  let started = false
  let stray = 0
  let frames = 0
  let seconds = 0
  const bitRates = new Set<number>()
  const takeFrames = (bytes: Uint8Array, last: boolean): number => {
    let at = 0
    while (at + 4 <= bytes.length) {
      const frame = frameAt(bytes, at)
      const end = at + (frame?.length ?? 0)
      if (frame && !last && end + 4 > bytes.length) break
      // Bytes that look like a header are one if another header or the end follows the frame.
      if (frame && (frameAt(bytes, end) || end === bytes.length || (last && frames > 0 && end <= bytes.length))) {
        frames += 1
        seconds += frame.seconds
        bitRates.add(frame.bitrate)
        at = end
      } else {
        stray += 1
        at += 1
      }
    }
    return at
  }
  return {
    bitRates,
    read(part) {
      let bytes = concat(rest, part)
      if (!started && bytes.length >= 10) {
        started = true
        if (textAt(bytes, 0, 3) === 'ID3') {
          const [f = 0, g = 0, h = 0, i = 0] = bytes.subarray(6, 10)
          skip = 10 + ((f << 21) | (g << 14) | (h << 7) | i) + ((bytes[5] ?? 0) & 0x10 ? 10 : 0)
        }
      }
      const skipped = Math.min(skip, bytes.length)
      skip -= skipped
      bytes = bytes.subarray(skipped)
      rest = stray > STRAY_MAX ? new Uint8Array() : bytes.slice(takeFrames(bytes, false))
    },
    seconds() {
      takeFrames(rest, true)
      rest = new Uint8Array()
      return frames >= 2 && stray <= STRAY_MAX ? seconds : 0
    },
  }
}
