import type { SpeechFormat, SpeechLanguage, SpeechSegment } from '@tidenet/contract'

interface Transcript {
  name: string
  language: SpeechLanguage
  seconds: number
  segments: readonly SpeechSegment[]
}

export const MEDIA: Readonly<Record<SpeechFormat, string>> = {
  txt: 'text/plain; charset=utf-8',
  srt: 'application/x-subrip; charset=utf-8',
  vtt: 'text/vtt; charset=utf-8',
  json: 'application/json; charset=utf-8',
}

/** `00:01:02,345` */
function timeCode(seconds: number, point: ',' | '.'): string {
  const ms = Math.round(seconds * 1000)
  const two = (value: number) => String(Math.floor(value)).padStart(2, '0')
  const rest = String(ms % 1000).padStart(3, '0')
  return `${two(ms / 3_600_000)}:${two((ms / 60_000) % 60)}:${two((ms / 1000) % 60)}${point}${rest}`
}

/** An arrow in a text would look like a time code. */
const cueText = (text: string): string => text.replaceAll(/-{2,}>/g, '->')
const escapeVtt = (text: string): string =>
  cueText(text).replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')

export const formats: Readonly<Record<SpeechFormat, (transcript: Transcript) => string>> = {
  txt: ({ segments }) => segments.map(({ text }) => `${text}\n`).join(''),
  srt: ({ segments }) =>
    segments
      .filter(({ text }) => text !== '')
      .map(
        ({ start, end, text }, index) =>
          `${index + 1}\r\n${timeCode(start, ',')} --> ${timeCode(end, ',')}\r\n${cueText(text)}\r\n\r\n`,
      )
      .join(''),
  vtt: ({ segments }) =>
    `WEBVTT\n\n${segments
      .filter(({ text }) => text !== '')
      .map(({ start, end, text }) => `${timeCode(start, '.')} --> ${timeCode(end, '.')}\n${escapeVtt(text)}\n\n`)
      .join('')}`,
  json: (transcript) => `${JSON.stringify(transcript, null, 2)}\n`,
}
