import { type ComponentType, useEffect, useRef, useState } from 'react'

type Sections = ComponentType

/** Drawn at build with the rest of the page; in the browser the code comes when somebody goes on reading. */
const drawnHere: Sections | undefined = import.meta.env.SSR ? (await import('./sections.tsx')).Sections : undefined

/** What was drawn at build, before the portal takes its place: it stays to be seen until the code is there. */
const drawnBefore = import.meta.env.SSR ? '' : (document.getElementById('home-below')?.innerHTML ?? '')

/** The sections under the map. */
export function Below() {
  const place = useRef<HTMLDivElement>(null)
  const [state, setState] = useState<{ Sections: Sections | undefined }>({ Sections: drawnHere })

  useEffect(() => {
    if (!place.current || state.Sections) return
    let gone = false
    const load = () => {
      watcher.disconnect()
      // Without the code what was drawn stays, and the next visit tries again.
      void import('./sections.tsx').then(
        ({ Sections }) => !gone && setState({ Sections }),
        () => {},
      )
    }
    const watcher = new IntersectionObserver((seen) => seen.some((each) => each.isIntersecting) && load())
    // Whoever moves at all is about to read on.
    addEventListener('scroll', load, { once: true, passive: true })
    // Whoever was sent to one of the sections is there before anything is seen.
    if (location.hash) load()
    else watcher.observe(place.current)
    return () => {
      gone = true
      watcher.disconnect()
      removeEventListener('scroll', load)
    }
  }, [state.Sections])

  useEffect(() => {
    if (state.Sections && location.hash) document.getElementById(location.hash.slice(1))?.scrollIntoView()
  }, [state.Sections])

  const { Sections } = state
  if (Sections)
    return (
      <div id="home-below">
        <Sections />
      </div>
    )
  return drawnBefore ? (
    // biome-ignore lint/security/noDangerouslySetInnerHtml: our own page, as it was drawn at build
    <div id="home-below" ref={place} dangerouslySetInnerHTML={{ __html: drawnBefore }} />
  ) : (
    <div id="home-below" ref={place} className="min-h-dvh" />
  )
}
