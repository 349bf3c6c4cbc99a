import { audioKind, changesBitRate } from '@tidenet/contract/speech-audio'
import { partsOf } from './audio.ts'

const RATE = 16_000
const HEAD_BYTES = 44

/**
 * A recording in which a player finds each time exactly. Browsers guess where a time is in an MP3 whose bit rate changes, wrong by seconds or
 * minutes: such a recording is decoded. If the browser cannot do that, it stays as it is.
 */
export async function toPlayable(recording: Blob): Promise<Blob> {
  const bytes = await recording.arrayBuffer()
  if (audioKind(new Uint8Array(bytes)) !== 'mp3' || !(await changesBitRate(partsOf(recording)))) return recording
  try {
    return encodeWav(await new OfflineAudioContext(1, 1, RATE).decodeAudioData(bytes))
  } catch {
    return recording
  }
}

/** One channel of 16 bits: the mean of all. */
function encodeWav(audio: AudioBuffer): Blob {
  const { length, numberOfChannels, sampleRate } = audio
  const channels = Array.from({ length: numberOfChannels }, (_, index) => audio.getChannelData(index))
  const view = new DataView(new ArrayBuffer(HEAD_BYTES + length * 2))
  const text = (at: number, value: string) => {
    for (const [index, letter] of [...value].entries()) view.setUint8(at + index, letter.charCodeAt(0))
  }
  text(0, 'RIFF')
  view.setUint32(4, HEAD_BYTES - 8 + length * 2, true)
  text(8, 'WAVEfmt ')
  view.setUint32(16, 16, true)
  for (const [at, value] of [
    [20, 1],
    [22, 1],
    [32, 2],
    [34, 16],
  ] as const)
    view.setUint16(at, value, true)
  view.setUint32(24, sampleRate, true)
  view.setUint32(28, sampleRate * 2, true)
  text(36, 'data')
  view.setUint32(40, length * 2, true)
  for (let index = 0; index < length; index += 1) {
    let sum = 0
    for (const channel of channels) sum += channel[index] ?? 0
    const sample = Math.max(-1, Math.min(1, sum / numberOfChannels))
    view.setInt16(HEAD_BYTES + index * 2, Math.round(sample * 32_767), true)
  }
  return new Blob([view.buffer], { type: 'audio/wav' })
}
