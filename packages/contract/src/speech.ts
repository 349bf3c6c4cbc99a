/** Limits of speech to text. Sizes in bytes, times in ms unless the name says otherwise. */

export const SPEECH_BYTES_MAX = 50 * 1024 * 1024
export const SPEECH_SECONDS_MAX = 10 * 60
/** One call of `speech.upload` carries at most this much. */
export const SPEECH_PART = 1024 * 1024
/** Only the last part of a recording may be smaller: each part is read by a query of its own. */
export const SPEECH_PART_MIN = 64 * 1024
/** Transcriptions per account and UTC day; cancelled and failed ones do not count. */
export const SPEECH_PER_DAY = 3
/** Recordings that an account can begin to upload within a day, finished or not. */
export const SPEECH_UPLOADS_PER_DAY = 30
/** The same for all accounts at one IPv4 address or in one IPv6 /48: a fifth of the queue, a quarter of the storage. */
export const SPEECH_UPLOADS_PER_NETWORK = 100
/** Uploads and transcriptions of one account at once. */
export const SPEECH_UNFINISHED_MAX = 3
/** Transcriptions that wait, of all accounts. */
export const SPEECH_QUEUE_MAX = 500
/** Recordings that are stored, of all accounts. */
export const SPEECH_STORED_MAX = 20 * 1024 ** 3
/** Transcripts that an account can keep. */
export const SPEECH_TRANSCRIPTS_MAX = 500
/** A recording is deleted this long after its transcription ended. */
export const SPEECH_AUDIO_KEPT = 24 * 3600 * 1000
/** An upload is deleted if no part of it arrived for this long. */
export const SPEECH_UPLOAD_KEPT = 3600 * 1000
/** Calls of the engine for one recording that may fail. */
export const SPEECH_ATTEMPTS = 3
/** A transcription fails if the engine was unavailable for this long. */
export const SPEECH_ENGINE_WAIT = 3600 * 1000
/** Bounds of a transcript: its characters, also with edits, its segments, and characters of a segment that an engine gives a time. */
export const SPEECH_TEXT_MAX = 100_000
export const SPEECH_SEGMENTS_MAX = 3000
export const SPEECH_SEGMENT_MAX = 4000
export const SPEECH_NAME_MAX = 255

/** As the page offers them. Engines get `zh` for `zh-Hant`. */
export const SPEECH_LANGUAGES = ['zh', 'zh-Hant', 'en', 'es', 'fr', 'de', 'pt', 'it', 'ja', 'ko'] as const
export type SpeechLanguage = (typeof SPEECH_LANGUAGES)[number]
export const SPEECH_KINDS = ['mp3', 'wav'] as const
export type SpeechKind = (typeof SPEECH_KINDS)[number]
/** `processing`: in the queue; `transcribing`: the engine has it. */
export const SPEECH_STATES = ['uploading', 'processing', 'transcribing', 'complete', 'failed', 'cancelled'] as const
export type SpeechState = (typeof SPEECH_STATES)[number]
/** `engine`: it was unavailable for too long; `refused`: it did not accept the recording; `processing`: it failed several times. */
export const SPEECH_FAILURES = ['', 'engine', 'refused', 'processing'] as const
export type SpeechFailure = (typeof SPEECH_FAILURES)[number]
/** `none`: not configured; `unreachable`: transcriptions wait for it. */
export const SPEECH_ENGINES = ['none', 'available', 'unreachable'] as const
export const SPEECH_FORMATS = ['txt', 'srt', 'vtt', 'json'] as const
export type SpeechFormat = (typeof SPEECH_FORMATS)[number]
