import type { SpeechTask } from '@tidenet/contract'
import { useEffect, useRef, useState } from 'react'
import { ApiError } from '../../lib/api.ts'
import { refresh } from '../../lib/queries.ts'
import { nextInterval } from './poll.ts'
import { speechApi } from './speech-api.ts'
import { dismissTask, followTask, hasEnded } from './tasks.ts'

/**
 * Follows a task until it has ended: asks less and less often while nothing changes, and not at all while the tab is hidden.
 * @returns whether the last question got no answer
 */
export function useProgress(task: SpeechTask): boolean {
  const { id } = task
  const ended = hasEnded(task)
  const latest = useRef(task)
  latest.current = task
  const [offline, setOffline] = useState(false)

  useEffect(() => {
    if (ended) return
    let timer: ReturnType<typeof setTimeout> | undefined
    let interval = nextInterval(undefined, latest.current, 0)
    let asking = false
    let stopped = false
    const ask = async () => {
      clearTimeout(timer)
      if (asking || stopped || document.hidden) return
      asking = true
      const before = latest.current
      try {
        const { task: now } = await speechApi('speech.status', { id })
        if (stopped) return
        interval = nextInterval(before, now, interval)
        setOffline(false)
        followTask(now)
        if (now.state !== before.state) refresh('speech.list')
        if (hasEnded(now)) return refresh('speech.account', 'speech.search')
      } catch (error) {
        if (stopped) return
        // Deleted elsewhere.
        if (error instanceof ApiError && error.kind === 'refused') return dismissTask(id)
        interval = nextInterval(before, before, interval)
        setOffline(true)
      } finally {
        asking = false
      }
      timer = setTimeout(ask, interval)
    }
    timer = setTimeout(ask, interval)
    const resume = () => void ask()
    document.addEventListener('visibilitychange', resume)
    window.addEventListener('online', resume)
    return () => {
      stopped = true
      clearTimeout(timer)
      document.removeEventListener('visibilitychange', resume)
      window.removeEventListener('online', resume)
    }
  }, [id, ended])

  return offline && !ended
}
