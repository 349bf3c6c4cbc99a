import { useState } from 'react'
import { messageOf } from '../../lib/api.ts'
import { toast } from '../../ui/toast.ts'
import { refreshConsole } from './queries.ts'

/** Saving a part of a program's settings: what goes on, and what went wrong. */
export function useSubmit() {
  const [problem, setProblem] = useState<string>()
  const [busy, setBusy] = useState(false)
  /** @param save sends the change @param done is said when the page shows it */
  const submit = async (save: () => Promise<unknown>, done: string) => {
    setProblem(undefined)
    setBusy(true)
    try {
      await save()
      await refreshConsole('clusters.workspaces', 'clusters.history')
      toast.success(done)
    } catch (error) {
      setProblem(messageOf(error))
    } finally {
      setBusy(false)
    }
  }
  return { problem, setProblem, busy, submit }
}
