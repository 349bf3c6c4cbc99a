import { useCallback, useEffect, useState } from 'react'
import { t } from './texts.ts'

export type JobState = 'idle' | 'processing' | 'transcribing' | 'complete' | 'cancelled'

const PROCESSING_MS = 1200
const LINE_MS = 900

export interface Sample {
  state: JobState
  /** Lines produced so far. */
  lines: readonly string[]
  play: () => void
  cancel: () => void
}

/** Simulates the states of a transcription with a prepared text. */
export function useSample(): Sample {
  const [state, setState] = useState<JobState>('idle')
  const [written, setWritten] = useState(0)

  useEffect(() => {
    if (state === 'processing') {
      const timer = setTimeout(() => setState('transcribing'), PROCESSING_MS)
      return () => clearTimeout(timer)
    }
    if (state !== 'transcribing') return
    const timer = setTimeout(() => {
      if (written + 1 >= t.lines.length) setState('complete')
      setWritten(written + 1)
    }, LINE_MS)
    return () => clearTimeout(timer)
  }, [state, written])

  const play = useCallback(() => {
    setWritten(0)
    setState('processing')
  }, [])
  const cancel = useCallback(() => {
    setWritten(0)
    setState('cancelled')
  }, [])
  return { state, lines: t.lines.slice(0, written), play, cancel }
}
