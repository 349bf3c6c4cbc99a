import type { SpeechTask } from '@tidenet/contract'
import { create } from 'zustand'
import { onUserChange } from '../../lib/session-store.ts'

/** The tasks that this tab shows as they go on: unfinished ones, and those that ended since. Newest first. */
export const useFollowed = create<{ list: readonly SpeechTask[] }>()(() => ({ list: [] }))

const endedIds = new Set<string>()

/** Shows an unfinished task, unless this tab knows it: what it knows is newer than a cached list. */
export function followUnfinished(task: SpeechTask): void {
  const isKnown = endedIds.has(task.id) || useFollowed.getState().list.some(({ id }) => id === task.id)
  if (!isKnown) followTask(task)
}

/** Shows a task, or its newer state. */
export function followTask(task: SpeechTask): void {
  if (hasEnded(task)) endedIds.add(task.id)
  useFollowed.setState(({ list }) => ({
    list: list.some(({ id }) => id === task.id)
      ? list.map((each) => (each.id === task.id ? task : each))
      : [task, ...list],
  }))
}

export const dismissTask = (id: string): void =>
  useFollowed.setState(({ list }) => ({ list: list.filter((each) => each.id !== id) }))

export const hasEnded = ({ state }: Pick<SpeechTask, 'state'>): boolean =>
  state === 'complete' || state === 'failed' || state === 'cancelled'

const recordings = new Map<string, Blob>()

/** Recordings that this tab has uploaded need not be downloaded to play them. */
export const rememberRecording = (id: string, file: Blob): void => void recordings.set(id, file)
export const rememberedRecording = (id: string): Blob | undefined => recordings.get(id)
export const forgetRecording = (id: string): void => void recordings.delete(id)

onUserChange(() => {
  useFollowed.setState({ list: [] })
  recordings.clear()
})
