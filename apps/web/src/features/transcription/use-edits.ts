import type { Output, RouteOf, SpeechSegment } from '@tidenet/contract'
import { useCallback, useEffect, useRef, useState } from 'react'
import { ApiError } from '../../lib/api.ts'
import { queries, refresh } from '../../lib/queries.ts'
import { withChanges } from './changes.ts'
import { speechApi } from './speech-api.ts'

type Transcript = Output<RouteOf<'speech.transcript'>>

/** `changed`: another tab or device has saved meanwhile. */
export type SaveState = { state: 'saved' | 'saving' | 'changed' } | { state: 'failed'; error: unknown }

export interface Edits {
  /** As shown: with changes that are not saved yet. */
  segments: readonly SpeechSegment[]
  save: SaveState
  /** Changes the text of a segment and saves it. Null: as the engine wrote it. */
  change: (index: number, text: string | null) => void
  /** Saves what is not saved. @returns whether all of it is */
  flush: () => Promise<boolean>
  /** Saves the own changes over those made elsewhere. */
  keepMine: () => Promise<boolean>
  discard: () => void
}

const SPEECH_CHANGED = 2093

/** Edits of a transcript. Changes are saved one after the other, and never lost while the page is open. */
export function useEdits(loaded: Transcript): Edits {
  const { id } = loaded.task
  const [segments, setSegments] = useState<readonly SpeechSegment[]>(loaded.segments)
  const [save, setSave] = useState<SaveState>({ state: 'saved' })
  const version = useRef(loaded.version)
  const pending = useRef(new Map<number, string | null>())
  const saving = useRef<Promise<boolean>>(undefined)

  // Changes of another tab appear here, unless there are own ones.
  useEffect(() => {
    if (pending.current.size > 0 || loaded.version <= version.current) return
    version.current = loaded.version
    setSegments(loaded.segments)
  }, [loaded])

  const saveAll = useCallback(async (): Promise<boolean> => {
    while (pending.current.size > 0) {
      const sent = new Map(pending.current)
      setSave({ state: 'saving' })
      try {
        const changes = [...sent].map(([index, text]) => ({ index, text }))
        const saved = await speechApi('speech.edit', { id, version: version.current, changes })
        version.current = saved.version
        // What was typed during the call stays.
        for (const [index, text] of sent) if (pending.current.get(index) === text) pending.current.delete(index)
        setSegments(withChanges(saved.segments, pending.current))
        queries.setQueryData(
          ['speech.transcript', { id }],
          (before: Transcript | undefined) => before && { ...before, ...saved },
        )
      } catch (error) {
        const isChanged = error instanceof ApiError && error.err === SPEECH_CHANGED
        setSave(isChanged ? { state: 'changed' } : { state: 'failed', error })
        return false
      }
    }
    setSave({ state: 'saved' })
    refresh('speech.search')
    return true
  }, [id])

  const flush = useCallback((): Promise<boolean> => {
    saving.current ??= saveAll().finally(() => {
      saving.current = undefined
    })
    return saving.current
  }, [saveAll])

  const change = useCallback(
    (index: number, text: string | null) => {
      pending.current.set(index, text)
      setSegments((before) => withChanges(before, new Map([[index, text]])))
      void flush()
    },
    [flush],
  )

  /** @throws ApiError */
  const load = useCallback(async (): Promise<Transcript> => {
    const fresh = await speechApi('speech.transcript', { id })
    version.current = fresh.version
    queries.setQueryData(['speech.transcript', { id }], fresh)
    return fresh
  }, [id])

  const keepMine = useCallback(async () => {
    try {
      await load()
    } catch (error) {
      setSave({ state: 'failed', error })
      return false
    }
    return flush()
  }, [load, flush])

  const discard = useCallback(() => {
    load().then(
      (fresh) => {
        pending.current.clear()
        setSegments(fresh.segments)
        setSave({ state: 'saved' })
      },
      (error: unknown) => setSave({ state: 'failed', error }),
    )
  }, [load])

  useEffect(() => {
    const warn = (event: BeforeUnloadEvent) => {
      if (pending.current.size > 0) event.preventDefault()
    }
    window.addEventListener('beforeunload', warn)
    return () => window.removeEventListener('beforeunload', warn)
  }, [])

  return { segments, save, change, flush, keepMine, discard }
}
