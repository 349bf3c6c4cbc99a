import { type ComponentType, lazy, Suspense } from 'react'
import { Loading } from '../../ui/states.tsx'
import { t } from './texts.ts'

/** A component whose code is loaded on first render, with a loading text. */
export function lazyView<P extends object>(load: () => Promise<ComponentType<P>>): ComponentType<P> {
  const Lazy = lazy(async () => ({ default: (await load()) as ComponentType<object> }))
  return (props) => (
    <Suspense fallback={<Loading label={t.own.loading} />}>
      <Lazy {...props} />
    </Suspense>
  )
}
