import { QueryObserver } from '@tanstack/react-query'
import { expect, it } from 'vitest'
import { queries, refresh } from './queries.ts'

it('a change while a list is loaded for the first time is shown', async () => {
  let stored: string[] = []
  let answer = () => {}
  const observer = new QueryObserver(queries, {
    queryKey: ['trash.list', {}],
    queryFn: () => {
      const read = stored
      return new Promise<string[]>((resolve) => {
        answer = () => resolve(read)
      })
    },
  })
  const stop = observer.subscribe(() => {})
  stored = ['kept.txt']
  refresh('trash.list')
  await expect
    .poll(() => {
      answer()
      return observer.getCurrentResult().data
    })
    .toEqual(['kept.txt'])
  stop()
})
