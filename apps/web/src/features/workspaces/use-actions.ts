import type { ConsoleWorkload } from '@tidenet/contract'
import { useState } from 'react'
import { toast } from '../../ui/toast.ts'
import { refreshConsole } from './queries.ts'
import { call } from './session.ts'
import { t } from './texts.ts'

export type Action = 'start' | 'stop' | 'remove'
const done = { start: t.one.started, stop: t.one.stopped, remove: t.one.removed } as const
const operations = { start: 'clusters.start', stop: 'clusters.stop', remove: 'clusters.remove' } as const

/** Starts, stops and removes a program, with a toast. */
export function useActions({ id, name }: Pick<ConsoleWorkload, 'id' | 'name'>) {
  const [busy, setBusy] = useState<Action>()
  const act = async (action: Action): Promise<boolean> => {
    setBusy(action)
    try {
      await call(operations[action], { id })
      await refreshConsole('clusters.workspaces')
      toast.success(done[action](name))
      return true
    } catch (error) {
      toast.error(error)
      return false
    } finally {
      setBusy(undefined)
    }
  }
  return { busy, act }
}
