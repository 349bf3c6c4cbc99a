import { SPEECH_BYTES_MAX, SPEECH_PART } from '@tidenet/contract/speech'
import { type Audio, audioKind, type AudioProblem as Refused, readAudio } from '@tidenet/contract/speech-audio'

export type AudioProblem = 'empty' | 'type' | 'size' | 'unreadable' | 'duration'

const HEAD_BYTES = 12
const PROBLEMS = {
  speechType: 'type',
  speechUnreadable: 'unreadable',
  speechDuration: 'duration',
} as const satisfies Record<Refused, AudioProblem>

/** Validates a file, cheapest checks first. All of it is read, as the server does: browsers only guess the duration of some files. */
export async function audioProblem(
  file: Blob,
): Promise<{ problem: AudioProblem } | Exclude<Audio, { problem: Refused }>> {
  if (file.size === 0) return { problem: 'empty' }
  try {
    if (!audioKind(await bytesOf(file, 0, HEAD_BYTES))) return { problem: 'type' }
    if (file.size > SPEECH_BYTES_MAX) return { problem: 'size' }
    const audio = await readAudio(partsOf(file))
    return 'problem' in audio ? { problem: PROBLEMS[audio.problem] } : audio
  } catch {
    // Deleted or changed since it was chosen.
    return { problem: 'unreadable' }
  }
}

const bytesOf = async (file: Blob, from: number, to: number): Promise<Uint8Array> =>
  new Uint8Array(await file.slice(from, to).arrayBuffer())

export async function* partsOf(file: Blob): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < file.size; at += SPEECH_PART) yield bytesOf(file, at, at + SPEECH_PART)
}
