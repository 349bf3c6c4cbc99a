import { flushSync } from 'react-dom'

/** As a `ref`: focuses the element when it appears in place of what had the focus. It needs a `tabIndex`. */
export const focusOnMount = (element: HTMLElement | null): void => element?.focus()

/** Renders the errors of a form, and focuses its first invalid field, or the message of a group that can have the focus. After a response, React would render later than the next frame. */
export function focusFirstError(form: HTMLFormElement | null, render: () => void): void {
  flushSync(render)
  const first = form?.querySelector<HTMLElement>('[aria-invalid=true], [role=alert][tabindex]')
  first?.focus()
  // Its message is below it, perhaps behind the end of a dialog.
  first?.closest('[data-field]')?.scrollIntoView({ block: 'nearest' })
}
