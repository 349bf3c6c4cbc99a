import type { SpeechTask } from '@tidenet/contract'
import { useCallback, useEffect, useRef, useState } from 'react'
import { toPlayable } from './playable.ts'
import { downloadAudio } from './speech-api.ts'
import { rememberedRecording, rememberRecording } from './tasks.ts'

/** Larger recordings are loaded when somebody wants to listen, because of mobile data. */
const AUTOMATIC_BYTES = 12 * 1024 * 1024

export interface Player {
  audio: React.RefObject<HTMLAudioElement | null>
  /** Address of the loaded recording. */
  url: string | undefined
  loading: boolean
  error: unknown
  /** In seconds. */
  time: number
  playing: boolean
  load: () => void
  /** Plays from a time, in seconds; loads the recording first if needed. */
  playFrom: (seconds: number) => void
  /** For the audio element. */
  events: {
    onTimeUpdate: () => void
    onSeeking: () => void
    onPlay: () => void
    onPause: () => void
    onLoadedMetadata: () => void
  }
}

/** Plays the recording of a task. */
export function usePlayer({ id, size, has_audio }: SpeechTask, startAt: number | undefined): Player {
  const audio = useRef<HTMLAudioElement>(null)
  const [url, setUrl] = useState<string>()
  const [loading, setLoading] = useState(false)
  const [error, setError] = useState<unknown>()
  const [time, setTime] = useState(startAt ?? 0)
  const [playing, setPlaying] = useState(false)
  /** Where to begin once the recording is loaded. */
  const wanted = useRef<{ seconds: number; play: boolean } | undefined>(
    startAt === undefined ? undefined : { seconds: startAt, play: false },
  )
  const begun = useRef(false)

  const load = useCallback(async () => {
    if (begun.current) return
    begun.current = true
    setLoading(true)
    setError(undefined)
    try {
      const blob = rememberedRecording(id) ?? (await downloadAudio(id)).blob
      rememberRecording(id, blob)
      setUrl(URL.createObjectURL(await toPlayable(blob)))
    } catch (failure) {
      begun.current = false
      setError(failure)
    }
    setLoading(false)
  }, [id])

  useEffect(() => {
    if (has_audio && (size <= AUTOMATIC_BYTES || rememberedRecording(id))) void load()
  }, [has_audio, size, id, load])
  useEffect(() => () => void (url && URL.revokeObjectURL(url)), [url])

  const playFrom = (seconds: number) => {
    setTime(seconds)
    const { current } = audio
    if (!current) {
      wanted.current = { seconds, play: true }
      return void load()
    }
    current.currentTime = seconds
    // Browsers can refuse to play; then the person uses the player's own button.
    void current.play().catch(() => {})
  }
  const update = () => audio.current && setTime(audio.current.currentTime)
  return {
    audio,
    url: has_audio ? url : undefined,
    loading,
    error,
    time,
    playing,
    load: () => void load(),
    playFrom,
    events: {
      onTimeUpdate: update,
      onSeeking: update,
      onPlay: () => setPlaying(true),
      onPause: () => setPlaying(false),
      onLoadedMetadata() {
        const { current: start } = wanted
        wanted.current = undefined
        if (!start || !audio.current) return
        audio.current.currentTime = start.seconds
        if (start.play) void audio.current.play().catch(() => {})
      },
    },
  }
}
