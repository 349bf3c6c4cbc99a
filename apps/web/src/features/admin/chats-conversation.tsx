import { ArrowLeft, Check, RotateCcw, UserPlus } from 'lucide-react'
import { type KeyboardEvent, useEffect, useMemo, useRef, useState } from 'react'
import { api } from '../../lib/api.ts'
import { query, refresh, useQuery } from '../../lib/queries.ts'
import { useSession } from '../../lib/session-store.ts'
import { Button, IconButton } from '../../ui/button.tsx'
import { classes } from '../../ui/classes.ts'
import { Badge, LoadFailed, Loading } from '../../ui/states.tsx'
import { toast } from '../../ui/toast.ts'
import { AttachButton, AttachedFile, AttachmentLink } from '../chat/attachment-view.tsx'
import { useAttachment } from '../chat/attachments.ts'
import { Composer } from '../chat/composer.tsx'
import { readDraft, storeDraft } from '../chat/store.ts'
import { Sending, Timeline, type TimelineItem } from '../chat/timeline-view.tsx'
import { CannedMenu } from './chats-canned.tsx'
import { customerOf } from './chats-queue.tsx'
import {
  applyConversation,
  type DeskOutgoing,
  discardFromDesk,
  loadEarlier,
  type OpenConversation,
  openConversation,
  retryFromDesk,
  sendFromDesk,
  useDesk,
} from './chats-store.ts'
import { t } from './chats-texts.ts'
import { t as admin } from './texts.ts'

/** A conversation, with its notes between the messages. */
export function ConversationColumn({ id, onBack }: { id: number; onBack: () => void }) {
  const { open, failure } = useDesk()
  const outbox = useDesk((desk) => desk.outbox)
  const nameOf = useAgentNames()
  const items = useMemo(() => (open?.id === id ? itemsOf(open, outbox, nameOf) : []), [open, outbox, nameOf, id])
  return (
    <section
      aria-label={t.conversation}
      className="flex min-h-0 flex-col overflow-hidden rounded-xl border border-line bg-surface max-lg:h-[calc(100dvh-12.5rem)]"
    >
      {failure ? (
        <>
          <IconButton label={t.back} onClick={onBack} className="m-2 lg:hidden">
            <ArrowLeft aria-hidden className="size-5" />
          </IconButton>
          <LoadFailed title={admin.failed} error={failure} onRetry={() => void openConversation(id)} />
        </>
      ) : !open || open.id !== id ? (
        <Loading />
      ) : (
        <>
          <Head open={open} onBack={onBack} />
          <Timeline
            label={t.conversation}
            items={items}
            hasMore={open.hasMore}
            onEarlier={() => loadEarlier().catch(toast.error)}
          />
          <Answer key={id} open={open} />
        </>
      )}
    </section>
  )
}

/** How other agents are called: by their address. */
function useAgentNames(): (uid: string) => string {
  const self = useSession((session) => session.address)
  const { data } = useQuery(query('chatDesk.agents', {}))
  return useMemo(() => {
    const names = new Map(data?.list.map(({ uid, email }) => [uid, email || uid]))
    return (uid) => (uid === self ? t.you : (names.get(uid) ?? t.agent))
  }, [data, self])
}

function Head({ open: { conversation }, onBack }: { open: OpenConversation; onBack: () => void }) {
  const self = useSession((session) => session.address)
  const { data } = useQuery(query('chatDesk.agents', {}))
  const [busy, setBusy] = useState<'take' | 'assign' | 'close' | 'reopen'>()
  const { id, assigned, state, vip } = conversation
  const act = async (name: NonNullable<typeof busy>, call: () => Promise<typeof conversation>) => {
    setBusy(name)
    await call().then(applyConversation, toast.error)
    refresh('chatDesk.agents')
    setBusy(undefined)
  }
  const agents = data?.list ?? []
  const isListed = assigned === '' || agents.some(({ uid }) => uid === assigned)
  return (
    <header className="flex flex-col gap-2 border-b border-line px-3 py-2.5">
      <div className="flex items-center gap-2">
        <IconButton label={t.back} onClick={onBack} className="-ml-1.5 lg:hidden">
          <ArrowLeft aria-hidden className="size-5" />
        </IconButton>
        <h2 className="flex min-w-0 flex-1 items-center gap-2 font-semibold">
          <bdi translate="no" className="truncate">
            {customerOf(conversation)}
          </bdi>
          {vip && <Badge tone="accent">{admin.users.vip}</Badge>}
          {state === 'closed' && <Badge>{t.closed}</Badge>}
        </h2>
      </div>
      <div className="flex flex-wrap items-center gap-2">
        {assigned !== self && (
          <Button
            busy={busy === 'take'}
            icon={<UserPlus aria-hidden className="size-4" />}
            onClick={() => void act('take', () => api('chatDesk.take', { id }))}
            disabled={assigned !== ''}
          >
            {t.take}
          </Button>
        )}
        <span aria-hidden className="text-sm text-muted">
          {t.assigned}
        </span>
        <select
          aria-label={t.assigned}
          value={assigned}
          disabled={busy !== undefined}
          onChange={({ target: { value } }) => void act('assign', () => api('chatDesk.assign', { id, uid: value }))}
          className="min-h-9 min-w-0 max-w-52 flex-1 rounded-lg border border-control/60 bg-surface px-2 text-sm"
        >
          <option value="">{t.nobody}</option>
          {!isListed && <option value={assigned}>{assigned}</option>}
          {agents.map(({ uid, email, online }) => (
            <option key={uid} value={uid}>
              {uid === self ? t.you : email || uid} {online ? `· ${t.isOnline}` : ''}
            </option>
          ))}
        </select>
        {state === 'open' ? (
          <Button
            busy={busy === 'close'}
            icon={<Check aria-hidden className="size-4" />}
            onClick={() => void act('close', () => api('chatDesk.close', { id }))}
          >
            {t.close}
          </Button>
        ) : (
          <Button
            busy={busy === 'reopen'}
            icon={<RotateCcw aria-hidden className="size-4" />}
            onClick={() => void act('reopen', () => api('chatDesk.reopen', { id }))}
          >
            {t.reopen}
          </Button>
        )}
      </div>
    </header>
  )
}

/** The field for answers and notes. A note has another colour, another label and another button, so that it is not sent by mistake. */
function Answer({ open: { id, conversation } }: { open: OpenConversation }) {
  const owner = `desk.${id}`
  const [kind, setKind] = useState<DeskOutgoing['kind']>('answer')
  const [text, setText] = useState(() => readDraft(owner))
  const field = useRef<HTMLTextAreaElement>(null)
  const attaching = useAttachment()
  const upload = kind === 'answer' ? attaching.upload : undefined
  useEffect(() => storeDraft(owner, text), [owner, text])
  const insert = (canned: string) => setText((typed) => (typed.trim() ? `${typed.trimEnd()}\n${canned}` : canned))
  const onKeyDown = (event: KeyboardEvent) => {
    if (!event.altKey || event.code !== 'KeyN') return
    event.preventDefault()
    setKind(kind === 'note' ? 'answer' : 'note')
  }
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: listens to shortcuts of the field
    <div onKeyDown={onKeyDown} className="flex flex-col gap-2 border-t border-line p-3">
      <div className="flex flex-wrap items-center gap-2">
        <fieldset>
          <legend className="sr-only">{t.kind}</legend>
          <div className="flex gap-1 rounded-lg bg-sunken p-0.5">
            {(['answer', 'note'] as const).map((each) => (
              <label
                key={each}
                className={classes(
                  'inline-flex min-h-7 items-center rounded-md px-2.5 text-sm has-focus-visible:outline-2 has-focus-visible:outline-accent',
                  each !== kind
                    ? 'text-muted'
                    : each === 'note'
                      ? 'bg-warn-soft font-medium text-warn'
                      : 'bg-surface font-medium',
                )}
              >
                <input
                  type="radio"
                  name="kind"
                  checked={each === kind}
                  onChange={() => setKind(each)}
                  aria-keyshortcuts="Alt+N"
                  className="sr-only"
                />
                {t.kinds[each]}
              </label>
            ))}
          </div>
        </fieldset>
        <CannedMenu lang={conversation.lang} field={field} onInsert={insert} />
        <span className="ml-auto text-xs text-muted max-sm:hidden">
          {kind === 'note' ? t.noteHint : t.answerHint(t.languages[conversation.lang])}
        </span>
      </div>
      {kind === 'answer' && <AttachedFile {...attaching} />}
      <Composer
        ref={field}
        {...(kind === 'answer' && {
          tools: <AttachButton attach={attaching.attach} />,
          onFiles: ([file]: File[]) => file && attaching.attach(file),
        })}
        hasMore={upload?.state === 'done'}
        isWaiting={upload !== undefined && upload.state !== 'done'}
        note={kind === 'note'}
        label={kind === 'note' ? t.note : t.answer}
        placeholder={kind === 'note' ? t.notePlaceholder : t.answerPlaceholder}
        sendLabel={kind === 'note' ? t.saveNote : t.sendAnswer}
        text={text}
        onText={setText}
        onSend={(written) => {
          sendFromDesk(id, kind, written, upload?.attached)
          if (kind === 'answer') attaching.remove()
          setText('')
          setKind('answer')
        }}
      />
    </div>
  )
}

function itemsOf(
  { id, conversation, messages, notes }: OpenConversation,
  outbox: readonly DeskOutgoing[],
  nameOf: (uid: string) => string,
): TimelineItem[] {
  const name = customerOf(conversation)
  const stored = [
    ...messages.map(
      ({ id: key, kind, from_type, agent, text, attachment, rating, created_at: at, seq }): TimelineItem => {
        const author = from_type === 'user' ? name : nameOf(agent)
        if (kind !== 'text') {
          const event = kind === 'closed' && agent === '' ? t.events.closedIdle : eventOf(kind, author, rating)
          return { key, side: 'event', author: event, text, at }
        }
        const file = attachment && <AttachmentLink attachment={attachment} reader={{ conversation: id }} />
        if (from_type === 'user') return { key, side: 'other', author, text, at, file }
        return { key, side: 'own', author, text, at, file, footer: seq <= conversation.read_seq ? t.read : t.sent }
      },
    ),
    ...notes.map(
      ({ id: key, agent, text, created_at: at }): TimelineItem => ({
        key,
        side: 'note',
        author: t.noteOf(nameOf(agent)),
        text,
        at,
      }),
    ),
  ].sort((one, other) => (one.at < other.at ? -1 : one.at > other.at ? 1 : 0))
  const waiting = outbox
    .filter((each) => each.conversation === id)
    .map(
      (each): TimelineItem => ({
        key: each.id,
        side: each.kind === 'note' ? 'note' : 'own',
        author: each.kind === 'note' ? t.noteOf(t.you) : t.you,
        text: each.text,
        at: each.at,
        file: each.attachment?.name,
        footer: each.state === 'sending' ? <Sending /> : <Failed message={each} />,
      }),
    )
  return [...stored, ...waiting]
}

const eventOf = (kind: 'closed' | 'reopened' | 'rated', author: string, rating: number | null): string =>
  kind === 'rated' ? t.events.rated(rating ?? 0) : t.events[kind](author)

function Failed({ message: { id, problem } }: { message: DeskOutgoing }) {
  const button = 'inline-flex min-h-6 items-center text-accent underline'
  return (
    <span role="alert" className="flex flex-wrap items-center justify-end gap-x-2">
      <span className="text-danger">{problem || t.notSent}</span>
      <button type="button" className={button} onClick={() => retryFromDesk(id)}>
        {t.retry}
      </button>
      <button type="button" className={button} onClick={() => discardFromDesk(id)}>
        {t.discard}
      </button>
    </span>
  )
}
