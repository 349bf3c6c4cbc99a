import { type ReactNode, useEffect, useRef, useState } from 'react'

/** Renders its children once they are about to scroll into view. `className` reserves their space. */
export function WhenVisible({ className, children }: { className?: string; children: ReactNode }) {
  const place = useRef<HTMLDivElement>(null)
  const [seen, setSeen] = useState(false)
  useEffect(() => {
    if (!place.current || seen) return
    const watch = new IntersectionObserver((all) => all.some((one) => one.isIntersecting) && setSeen(true), {
      rootMargin: '0px 0px 25%',
    })
    watch.observe(place.current)
    return () => watch.disconnect()
  }, [seen])
  return (
    <div ref={place} className={className}>
      {seen && children}
    </div>
  )
}
