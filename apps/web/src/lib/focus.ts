import { flushSync } from 'react-dom'

/** Renders the errors of a form, and focuses its first invalid field. After a response, React would render later than the next frame. */
export function focusFirstError(form: HTMLFormElement | null, render: () => void): void {
  flushSync(render)
  form?.querySelector<HTMLElement>('[aria-invalid=true]')?.focus()
}
