import { CHAT_NOTE_MAX, CHAT_RATING_MAX } from '@tidenet/contract/chat'
import { Star } from 'lucide-react'
import { type FormEvent, useRef, useState } from 'react'
import { Button } from '../../ui/button.tsx'
import { classes } from '../../ui/classes.ts'
import { inputClass } from '../../ui/field.tsx'
import { toast } from '../../ui/toast.ts'
import { chatCall } from './client.ts'
import { newId } from './outbox.ts'
import { addMessages, useChat } from './store.ts'
import { t } from './texts.ts'

const r = t.rating

/** Rates a closed conversation from 1 to 5, with a comment if the customer likes. */
export function RatingForm() {
  const [rating, setRating] = useState(0)
  const [comment, setComment] = useState('')
  const [isBusy, setIsBusy] = useState(false)
  // A retry repeats the same id, so that it counts once.
  const id = useRef('')
  const send = async (event: FormEvent) => {
    event.preventDefault()
    setIsBusy(true)
    id.current ||= newId()
    try {
      const { message } = await chatCall('chat.rate', { id: id.current, rating, comment })
      const { conversation } = useChat.getState()
      if (conversation) {
        addMessages(conversation.id, [message])
        useChat.setState({ conversation: { ...conversation, can_rate: false } })
      }
      toast.success(r.thanks)
    } catch (error) {
      toast.error(error)
    }
    setIsBusy(false)
  }
  return (
    <form onSubmit={(event) => void send(event)} className="flex flex-col gap-2 rounded-xl bg-sunken p-3">
      <fieldset>
        <legend className="text-sm font-medium">{r.title}</legend>
        <div className="mt-1 flex items-center gap-1">
          {Array.from({ length: CHAT_RATING_MAX }, (_, index) => index + 1).map((value) => (
            <label
              key={value}
              title={r.names[value - 1]}
              className="flex size-9 items-center justify-center rounded-lg hover:bg-surface has-focus-visible:outline-2 has-focus-visible:outline-accent"
            >
              <input
                type="radio"
                name="rating"
                value={value}
                checked={rating === value}
                onChange={() => setRating(value)}
                aria-label={`${value} · ${r.names[value - 1]}`}
                className="sr-only"
              />
              <Star
                aria-hidden
                className={classes('size-5', value <= rating ? 'fill-accent text-accent' : 'text-control')}
              />
            </label>
          ))}
          <span aria-hidden className="ml-1 text-sm text-muted">
            {r.names[rating - 1]}
          </span>
        </div>
      </fieldset>
      {rating > 0 && (
        <>
          <textarea
            rows={2}
            maxLength={CHAT_NOTE_MAX}
            aria-label={r.comment}
            placeholder={r.comment}
            value={comment}
            onChange={(event) => setComment(event.target.value)}
            className={`${inputClass} resize-y text-sm`}
          />
          <Button type="submit" look="primary" busy={isBusy} className="self-start">
            {r.send}
          </Button>
        </>
      )}
    </form>
  )
}
