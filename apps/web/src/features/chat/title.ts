import { badgeOf, useSupport } from '../feedback/support.ts'

const COUNT = /^\(\d+\+?\) /

/** Shows the unread count before the title of the page, in whatever way the page sets it. */
export function watchTitle(): void {
  const apply = () => {
    const { unread } = useSupport.getState()
    const title = (unread > 0 ? `(${badgeOf(unread)}) ` : '') + document.title.replace(COUNT, '')
    if (title !== document.title) document.title = title
  }
  const element = document.querySelector('title')
  if (element) new MutationObserver(apply).observe(element, { childList: true })
  useSupport.subscribe(apply)
  apply()
}
