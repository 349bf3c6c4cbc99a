import { type ReactNode, useEffect, useRef, useState } from 'react'

/** Screen readers list what a page has, and browsers search it, without scrolling. */
const LATEST_MS = 5000

interface WhenVisibleProps {
  /** Reserves the space. */
  className?: string
  /** Whether it has text: then it is rendered after a while in any case. */
  hasText?: boolean
  children: ReactNode
}

/** Renders its children once they are about to scroll into view. */
export function WhenVisible({ className, hasText = false, children }: WhenVisibleProps) {
  const place = useRef<HTMLDivElement>(null)
  const [seen, setSeen] = useState(false)
  useEffect(() => {
    if (!place.current || seen) return
    const watch = new IntersectionObserver((all) => all.some((one) => one.isIntersecting) && setSeen(true), {
      rootMargin: '0px 0px 25%',
    })
    watch.observe(place.current)
    const timer = hasText ? setTimeout(() => setSeen(true), LATEST_MS) : undefined
    return () => {
      watch.disconnect()
      clearTimeout(timer)
    }
  }, [seen, hasText])
  return (
    <div ref={place} className={className}>
      {seen && children}
    </div>
  )
}
