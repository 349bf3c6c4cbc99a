/** The browser asks before the page is left while `isBusy`. Does nothing when pages are prerendered. */
export function warnBeforeLeaving(isBusy: () => boolean): void {
  if (import.meta.env.SSR) return
  window.addEventListener('beforeunload', (event) => {
    if (isBusy()) event.preventDefault()
  })
}
