import { type ComponentType, useEffect, useRef, useState } from 'react'

type Sections = ComponentType

/** Prerendered with the page; in the browser, the code is loaded when the visitor scrolls. */
const sectionsAtBuild: Sections | undefined = import.meta.env.SSR
  ? (await import('./sections.tsx')).Sections
  : undefined

/** The prerendered sections, shown until the code has loaded. */
const prerenderedHtml = import.meta.env.SSR ? '' : (document.getElementById('home-below')?.innerHTML ?? '')

/** The sections below the map. */
export function LazySections() {
  const place = useRef<HTMLDivElement>(null)
  const [state, setState] = useState<{ Sections: Sections | undefined }>({ Sections: sectionsAtBuild })

  useEffect(() => {
    if (!place.current || state.Sections) return
    let unmounted = false
    const load = () => {
      watcher.disconnect()
      // If loading fails, the prerendered sections stay.
      void import('./sections.tsx').then(
        ({ Sections }) => !unmounted && setState({ Sections }),
        () => {},
      )
    }
    const watcher = new IntersectionObserver((seen) => seen.some((each) => each.isIntersecting) && load())
    // Any scrolling means that the sections will be needed.
    addEventListener('scroll', load, { once: true, passive: true })
    // The address links to a section.
    if (location.hash) load()
    else watcher.observe(place.current)
    return () => {
      unmounted = true
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
  return prerenderedHtml ? (
    // biome-ignore lint/security/noDangerouslySetInnerHtml: our own prerendered page
    <div id="home-below" ref={place} dangerouslySetInnerHTML={{ __html: prerenderedHtml }} />
  ) : (
    <div id="home-below" ref={place} className="min-h-dvh" />
  )
}
