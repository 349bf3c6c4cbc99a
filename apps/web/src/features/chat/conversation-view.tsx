import type { ChatMessage } from '@tidenet/contract'
import { Download, Ellipsis, MessageCircle, Trash2 } from 'lucide-react'
import { type ReactNode, type Ref, useEffect, useMemo, useState } from 'react'
import { messageOf } from '../../lib/api.ts'
import { t as shell } from '../../lib/texts.ts'
import { Button, iconButtonClass } from '../../ui/button.tsx'
import { classes } from '../../ui/classes.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { Menu, MenuItem } from '../../ui/menu.tsx'
import { LoadFailed, Loading } from '../../ui/states.tsx'
import { toast } from '../../ui/toast.ts'
import { storeVisitor } from '../feedback/support.ts'
import { AttachButton, AttachedFile, AttachmentLink } from './attachment-view.tsx'
import { useAttachment } from './attachments.ts'
import { AwayForm } from './away-form.tsx'
import { caller, chatCall } from './client.ts'
import { Composer } from './composer.tsx'
import { loadEarlier, opened, restartChat } from './connection.ts'
import { discardMessage, retryMessage, sendMessage } from './outbox.ts'
import { RatingForm } from './rating-form.tsx'
import { saveConversation } from './save-conversation.ts'
import { readDraft, storeDraft, useChat } from './store.ts'
import { t } from './texts.ts'
import type { Outgoing } from './timeline.ts'
import { Sending, Timeline, type TimelineItem } from './timeline-view.tsx'

/** The conversation with support, of the account or of the visitor. */
export function ConversationView({ field }: { field: Ref<HTMLTextAreaElement> }) {
  const { isLoaded, hasHistory, failure, conversation, agentOnline, account } = useChat()
  const messages = useChat((chat) => chat.messages)
  const outbox = useChat((chat) => chat.outbox)
  const items = useMemo(() => itemsOf(messages, outbox), [messages, outbox])
  if (failure && !hasHistory)
    return (
      <div className="flex-1 overflow-y-auto">
        <LoadFailed title={t.failed} error={failure} onRetry={() => void opened()} />
      </div>
    )
  if (!isLoaded || !hasHistory)
    return (
      <div className="flex-1">
        <Loading />
      </div>
    )
  return (
    <>
      <Presence />
      <Timeline
        label={t.log}
        items={items}
        hasMore={(messages[0]?.seq ?? 1) > 1}
        onEarlier={() => loadEarlier().catch(toast.error)}
        intro={items.length === 0 && <Intro />}
      >
        {conversation?.state === 'closed' && <p className="text-center text-xs text-muted">{t.closedHint}</p>}
      </Timeline>
      <div className="flex flex-col gap-3 border-t border-line px-3 pt-3 pb-[max(0.75rem,env(safe-area-inset-bottom))]">
        {conversation?.can_rate && <RatingForm />}
        {conversation && (agentOnline === false || conversation.email) && conversation.state === 'open' && (
          <AwayForm key={`away ${conversation.email}`} />
        )}
        <Draft key={`draft ${account}`} owner={account} field={field} />
      </div>
    </>
  )
}

function Intro() {
  return (
    <div className="my-auto flex flex-col items-center gap-2 px-4 py-8 text-center">
      <span className="flex size-12 items-center justify-center rounded-full bg-sunken text-accent">
        <MessageCircle aria-hidden className="size-6" />
      </span>
      <p className="font-medium">{t.introTitle}</p>
      <p className="text-sm text-muted">{t.intro}</p>
    </div>
  )
}

/** Whether an agent is online, or the connection is lost. */
function Presence() {
  const { isConnected, agentOnline } = useChat()
  const isLost = isConnected === false
  const text = isLost ? t.disconnected : agentOnline === undefined ? t.connecting : agentOnline ? t.online : t.offline
  return (
    <p role="status" className="flex items-center gap-2 border-b border-line px-4 py-2 text-xs text-muted">
      <span
        aria-hidden
        className={classes(
          'size-2 shrink-0 rounded-full',
          isLost ? 'bg-warn' : agentOnline ? 'bg-good' : 'border border-control',
        )}
      />
      {text}
    </p>
  )
}

/** The field, whose text survives a reload. */
function Draft({ owner, field }: { owner: string; field: Ref<HTMLTextAreaElement> }) {
  const [text, setText] = useState(() => readDraft(owner))
  const attaching = useAttachment()
  const { upload, attach, remove } = attaching
  useEffect(() => storeDraft(owner, text), [owner, text])
  return (
    <div className="flex flex-col gap-2">
      <AttachedFile {...attaching} />
      <Composer
        ref={field}
        label={t.message}
        placeholder={t.placeholder}
        text={text}
        onText={setText}
        tools={<AttachButton attach={attach} />}
        onFiles={([file]) => file && attach(file)}
        hasMore={upload?.state === 'done'}
        isWaiting={upload !== undefined && upload.state !== 'done'}
        onSend={(written) => {
          sendMessage(written, upload?.attached)
          remove()
          setText('')
        }}
      />
    </div>
  )
}

function itemsOf(messages: readonly ChatMessage[], outbox: readonly Outgoing[]): TimelineItem[] {
  const confirmed = messages.map((message): TimelineItem => {
    const { id, from_type, kind, text, attachment, created_at: at } = message
    if (kind !== 'text') return { key: id, side: 'event', author: eventOf(message), text: '', at }
    const file = attachment && <AttachmentLink attachment={attachment} reader={caller()} />
    return from_type === 'user'
      ? { key: id, side: 'own', author: t.you, text, at, file, footer: t.sent }
      : { key: id, side: 'other', author: t.agent, text, at, file }
  })
  const waiting = outbox.map(
    (each): TimelineItem => ({
      key: each.id,
      side: 'own',
      author: t.you,
      text: each.text,
      at: each.at,
      file: each.attachment?.name,
      footer: each.state === 'sending' ? <Sending /> : <Failed message={each} />,
    }),
  )
  return [...confirmed, ...waiting]
}

const eventOf = ({ kind, rating }: ChatMessage): string =>
  kind === 'closed' ? t.events.closed : kind === 'reopened' ? t.events.reopened : t.events.rated(rating ?? 0)

function Failed({ message: { id, problem } }: { message: Outgoing }): ReactNode {
  const button = 'inline-flex min-h-6 items-center text-accent underline'
  return (
    <span role="alert" className="flex flex-wrap items-center justify-end gap-x-2">
      <span className="text-danger" title={problem}>
        {t.notSent}
      </span>
      <button type="button" className={button} onClick={() => retryMessage(id)}>
        {t.retry}
      </button>
      <button type="button" className={button} onClick={() => discardMessage(id)}>
        {t.discard}
      </button>
      {problem && <span className="basis-full text-right">{problem}</span>}
    </span>
  )
}

/** Download and deletion of the conversation; nothing if there is none. */
export function ConversationMenu() {
  const exists = useChat((chat) => chat.conversation !== null)
  const [asks, setAsks] = useState(false)
  const [isBusy, setIsBusy] = useState(false)
  if (!exists) return null
  const remove = async () => {
    setIsBusy(true)
    try {
      await chatCall('chat.remove', {})
      if (!useChat.getState().account) storeVisitor('')
      setAsks(false)
      toast.success(t.menu.removed)
      restartChat()
    } catch (error) {
      toast.error(messageOf(error))
    }
    setIsBusy(false)
  }
  return (
    <>
      <Menu label={t.menu.open} trigger={<Ellipsis aria-hidden className="size-5" />} triggerClass={iconButtonClass()}>
        <MenuItem
          icon={<Download aria-hidden className="size-4" />}
          onSelect={() => void saveConversation().catch(toast.error)}
        >
          {t.menu.save}
        </MenuItem>
        <MenuItem icon={<Trash2 aria-hidden className="size-4" />} danger onSelect={() => setAsks(true)}>
          {t.menu.remove}
        </MenuItem>
      </Menu>
      <Dialog
        open={asks}
        onClose={() => setAsks(false)}
        title={t.menu.removeTitle}
        description={t.menu.removeText}
        actions={
          <>
            <Button onClick={() => setAsks(false)}>{shell.words.cancel}</Button>
            <Button look="danger" busy={isBusy} onClick={() => void remove()}>
              {t.menu.remove}
            </Button>
          </>
        }
      />
    </>
  )
}
