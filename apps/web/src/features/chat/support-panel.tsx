import { Dialog as Base } from '@base-ui/react/dialog'
import { X } from 'lucide-react'
import { useCallback, useEffect, useRef, useState } from 'react'
import { query, useQuery } from '../../lib/queries.ts'
import { lang, t as shell } from '../../lib/texts.ts'
import { iconButtonClass } from '../../ui/button.tsx'
import { classes } from '../../ui/classes.ts'
import { LeadForm } from '../feedback/lead-form.tsx'
import { OperatorLink, SocialLinks } from '../feedback/operator-links.tsx'
import { closeSupport, type SupportTopic, useSupport } from '../feedback/support.ts'
import { t as feedback } from '../feedback/texts.ts'
import { startChat } from './connection.ts'
import { ConversationMenu, ConversationView } from './conversation-view.tsx'
import { t } from './texts.ts'

const p = feedback.panel
const linkClass = 'inline-flex min-h-7 items-center text-accent underline hover:text-accent-strong'
const topics: readonly SupportTopic[] = ['support', 'feedback', 'contact']

/** Beside the page on large screens, which can be used meanwhile; above it on small ones. */
const isBeside = () => matchMedia('(min-width: 640px)').matches

/** There, focusing a field would open the on-screen keyboard. */
const isTouch = () => matchMedia('(pointer: coarse)').matches

/** The support panel: the chat, and forms for feedback and business. */
export function SupportPanel() {
  const topic = useSupport((support) => support.topic)
  const [beside, setBeside] = useState(isBeside)
  const field = useRef<HTMLTextAreaElement>(null)
  const popup = useRef<HTMLDivElement>(null)
  useEffect(startChat, [])
  // The field appears once the conversation is loaded.
  const takeField = useCallback((element: HTMLTextAreaElement | null) => {
    field.current = element
    if (element && document.activeElement === popup.current && !isTouch()) element.focus()
  }, [])
  useEffect(() => {
    const resized = () => setBeside(isBeside())
    window.addEventListener('resize', resized)
    return () => window.removeEventListener('resize', resized)
  }, [])
  const choose = (next: SupportTopic) => useSupport.setState({ topic: next, ...(next === 'support' && { unread: 0 }) })
  return (
    <Base.Root
      open={topic !== undefined}
      onOpenChange={(next) => next || closeSupport()}
      modal={!beside}
      disablePointerDismissal={beside}
    >
      <Base.Portal>
        {!beside && <Base.Backdrop className="fixed inset-0 bg-shade" />}
        <Base.Popup
          ref={popup}
          initialFocus={() => (isTouch() ? popup.current : (field.current ?? popup.current))}
          className={classes(
            'fixed z-40 flex flex-col overflow-hidden border border-line bg-surface shadow-raised outline-none',
            'inset-x-0 bottom-0 h-[92dvh] rounded-t-2xl transition-[opacity,translate] duration-150',
            'sm:inset-x-auto sm:right-4 sm:bottom-4 sm:h-[min(44rem,calc(100dvh-6rem))] sm:w-104 sm:rounded-2xl',
            'data-ending-style:opacity-0 data-starting-style:translate-y-2 data-starting-style:opacity-0',
          )}
        >
          <div className="flex items-center gap-1 px-4 pt-3">
            <Base.Title className="min-w-0 flex-1 text-lg leading-7 font-semibold">{t.title}</Base.Title>
            {topic === 'support' && <ConversationMenu />}
            <Base.Close className={iconButtonClass('-mr-2')} aria-label={shell.words.close}>
              <X aria-hidden className="size-5" />
            </Base.Close>
          </div>
          <div className="border-b border-line px-4 pt-2 pb-3">
            {topic && <Topics topic={topic} onChange={choose} />}
          </div>
          {topic === 'support' ? (
            <ConversationView field={takeField} />
          ) : (
            topic && (
              <div className="flex min-h-0 flex-1 flex-col gap-5 overflow-y-auto px-4 py-4">
                <p className="text-muted">{p.form}</p>
                <LeadForm key={topic} kind={topic} textLabel={p.labels[topic]} />
                <OtherChannels topic={topic} />
              </div>
            )
          )}
        </Base.Popup>
      </Base.Portal>
    </Base.Root>
  )
}

function Topics({ topic, onChange }: { topic: SupportTopic; onChange: (topic: SupportTopic) => void }) {
  return (
    <fieldset>
      <legend className="sr-only">{p.about}</legend>
      <div className="grid grid-cols-3 gap-1 rounded-xl bg-sunken p-1">
        {topics.map((each) => (
          <label
            key={each}
            className={classes(
              'flex min-h-9 items-center justify-center rounded-lg border px-2 text-center text-sm font-medium',
              'has-focus-visible:outline-2 has-focus-visible:outline-accent',
              each === topic ? 'border-line bg-surface' : 'border-transparent text-muted hover:text-text',
            )}
          >
            <input
              type="radio"
              name="topic"
              value={each}
              checked={each === topic}
              onChange={() => onChange(each)}
              className="sr-only"
            />
            {p.topics[each]}
          </label>
        ))}
      </div>
    </fieldset>
  )
}

/** Other channels of the operator; nothing if there are none. */
function OtherChannels({ topic }: { topic: SupportTopic }) {
  const { data } = useQuery(query('portal.settings', {}))
  const form = data?.feedback_urls[lang]
  const own = topic === 'feedback' && form && !form.startsWith('/') ? form : undefined
  if (!data || (!own && Object.keys(data.social).length === 0)) return null
  return (
    <div className="border-t border-line pt-4 text-sm">
      <p className="mb-1 font-medium">{p.elsewhere}</p>
      {own && (
        <OperatorLink url={own} className={linkClass} onClick={closeSupport}>
          {p.ownForm}
        </OperatorLink>
      )}
      <SocialLinks
        social={data.social}
        className="flex flex-wrap gap-x-5 gap-y-1"
        linkClass={linkClass}
        onLeave={closeSupport}
      />
    </div>
  )
}
