import { CircleCheck } from 'lucide-react'
import { type ReactNode, useEffect, useRef } from 'react'
import { Button } from '../../ui/button.tsx'

/** What replaces a form that was sent. */
export function Sent({
  title,
  again,
  onAgain,
  children,
}: {
  title: string
  again: string
  onAgain: () => void
  children: ReactNode
}) {
  const heading = useRef<HTMLParagraphElement>(null)
  // The pressed button is gone, so move the focus here for keyboards and screen readers.
  useEffect(() => heading.current?.focus(), [])
  return (
    <div role="status" className="flex flex-col items-start gap-3">
      <CircleCheck aria-hidden className="size-7 text-good" />
      <p ref={heading} tabIndex={-1} className="text-lg font-semibold outline-none">
        {title}
      </p>
      {children}
      <Button className="mt-2" onClick={onAgain}>
        {again}
      </Button>
    </div>
  )
}
