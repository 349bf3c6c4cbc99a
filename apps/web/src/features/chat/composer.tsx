import { CHAT_TEXT_MAX } from '@tidenet/contract/chat'
import { SendHorizontal } from 'lucide-react'
import { type KeyboardEvent, type ReactNode, type Ref, useId } from 'react'
import { classes } from '../../ui/classes.ts'
import { t } from './texts.ts'

/** Remaining characters from which a counter is shown. */
const COUNT_BELOW = 500

interface ComposerProps {
  label: string
  placeholder: string
  text: string
  onText: (text: string) => void
  onSend: (text: string) => void
  /** Accessible name of the button that sends. */
  sendLabel?: string
  /** Controls before the field. */
  tools?: ReactNode
  /** Something other than text will be sent, so the text may be empty. */
  hasMore?: boolean
  /** Nothing can be sent now: a file is being uploaded. */
  isWaiting?: boolean
  /** Files that were pasted. */
  onFiles?: (files: File[]) => void
  note?: boolean
  ref?: Ref<HTMLTextAreaElement>
}

/** A field for a message. Enter sends it, except on touch screens and while an input method is composing. */
export function Composer({
  label,
  placeholder,
  text,
  onText,
  onSend,
  sendLabel = t.send,
  tools,
  hasMore = false,
  isWaiting = false,
  onFiles,
  note = false,
  ref,
}: ComposerProps) {
  const id = useId()
  const trimmed = text.trim()
  const left = CHAT_TEXT_MAX - trimmed.length
  const canSend = (trimmed !== '' || hasMore) && left >= 0 && !isWaiting
  const send = () => {
    if (canSend) onSend(trimmed)
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Enter' || event.shiftKey || event.nativeEvent.isComposing) return
    if (matchMedia('(pointer: coarse)').matches && !event.ctrlKey && !event.metaKey) return
    event.preventDefault()
    send()
  }
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        send()
      }}
      className="flex flex-col gap-1"
    >
      <div
        className={classes(
          'flex items-end gap-1 rounded-xl border border-control bg-surface p-1 has-[textarea:focus-visible]:outline-2 has-[textarea:focus-visible]:outline-accent',
          note && 'border-warn bg-warn-soft',
        )}
      >
        {tools}
        <textarea
          ref={ref}
          rows={1}
          aria-label={label}
          aria-describedby={left < COUNT_BELOW ? `${id}-left` : undefined}
          aria-invalid={left < 0 || undefined}
          placeholder={placeholder}
          value={text}
          onChange={(event) => onText(event.target.value)}
          onKeyDown={onKeyDown}
          onPaste={(event) => {
            const files = [...event.clipboardData.files]
            if (!onFiles || files.length === 0) return
            event.preventDefault()
            onFiles(files)
          }}
          className="field-sizing-content max-h-40 min-h-9 min-w-0 flex-1 resize-none bg-transparent px-2 py-1.5 text-sm outline-none"
        />
        <button
          type="submit"
          aria-label={sendLabel}
          title={sendLabel}
          disabled={!canSend}
          className="inline-flex size-9 shrink-0 items-center justify-center rounded-lg bg-accent text-on-accent transition-colors hover:bg-accent-strong disabled:bg-transparent disabled:text-muted"
        >
          <SendHorizontal aria-hidden className="size-4.5" />
        </button>
      </div>
      {left < COUNT_BELOW && (
        <p id={`${id}-left`} className={classes('px-1 text-xs', left < 0 ? 'text-danger' : 'text-muted')}>
          {left < 0 ? t.tooLong(-left) : t.left(left)}
        </p>
      )}
    </form>
  )
}
