/** Less is no decision to move on, such as a finger that trembles. */
const STEP_PX = 12

const tops = new WeakMap<Element, number>()

/** Marks the page while the reader scrolls down, in the page or in a list of it, until they scroll up or reach the end. */
function look({ target }: Event): void {
  const page = document.documentElement
  const scrolled = target instanceof Element ? target : page
  const { scrollTop: top, scrollHeight, clientHeight } = scrolled
  const before = tops.get(scrolled) ?? 0
  const isAtEnd = top + clientHeight >= scrollHeight - 1
  if (!isAtEnd && Math.abs(top - before) < STEP_PX) return
  page.toggleAttribute('data-scrolled-down', !isAtEnd && top > before)
  tops.set(scrolled, top)
}

// Until the page is closed. Scrolling of lists does not bubble.
if (!import.meta.env.SSR) document.addEventListener('scroll', look, { capture: true, passive: true })

export {}
