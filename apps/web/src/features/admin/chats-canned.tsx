import type { CannedAnswer } from '@tidenet/contract'
import { CHAT_CANNED_NAME_MAX, CHAT_TEXT_MAX } from '@tidenet/contract/chat'
import { MessageSquareQuote, Pencil, Plus, Trash2 } from 'lucide-react'
import { type FormEvent, type RefObject, useState } from 'react'
import { api, messageOf } from '../../lib/api.ts'
import { query, refresh, useQuery } from '../../lib/queries.ts'
import { lang as ownLang, t as shell } from '../../lib/texts.ts'
import { Button, buttonClass, IconButton } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Field, inputClass, TextInput } from '../../ui/field.tsx'
import { Menu, MenuItem, MenuSeparator } from '../../ui/menu.tsx'
import { Empty, LoadFailed, Loading, Notice } from '../../ui/states.tsx'
import { toast } from '../../ui/toast.ts'
import { t } from './chats-texts.ts'
import { t as admin } from './texts.ts'

const c = t.canned

/** Inserts a canned answer in the customer's language. */
export function CannedMenu({
  lang,
  field,
  onInsert,
}: {
  lang: 'en' | 'cn'
  /** Where the answer is inserted; gets the focus. */
  field: RefObject<HTMLElement | null>
  onInsert: (text: string) => void
}) {
  const { data } = useQuery(query('chatDesk.canned', {}))
  const [manages, setManages] = useState(false)
  return (
    <>
      <Menu
        align="start"
        focusAfter={field}
        trigger={
          <>
            <MessageSquareQuote aria-hidden className="size-4" />
            {c.menu}
          </>
        }
        triggerClass={buttonClass('ghost')}
      >
        {data?.list.map((answer) => (
          <MenuItem key={answer.id} onSelect={() => onInsert(textOf(answer, lang))}>
            <bdi translate="no">{answer.name}</bdi>
          </MenuItem>
        ))}
        {data && data.list.length > 0 && <MenuSeparator />}
        <MenuItem icon={<Pencil aria-hidden className="size-4" />} onSelect={() => setManages(true)}>
          {c.manage}
        </MenuItem>
      </Menu>
      <CannedDialog open={manages} onClose={() => setManages(false)} />
    </>
  )
}

const textOf = (answer: CannedAnswer, lang: 'en' | 'cn'): string => (lang === 'cn' ? answer.text_cn : answer.text_en)

type Edited = Partial<Pick<CannedAnswer, 'id'>> & Omit<CannedAnswer, 'id'>

function CannedDialog({ open, onClose }: { open: boolean; onClose: () => void }) {
  const state = useQuery({ ...query('chatDesk.canned', {}), enabled: open })
  const [edited, setEdited] = useState<Edited>()
  const remove = async ({ id, name, text_en, text_cn }: CannedAnswer) => {
    try {
      await api('chatDesk.removeCanned', { id })
      const undo = () =>
        api('chatDesk.saveCanned', { name, text_en, text_cn }).then(() => refresh('chatDesk.canned'), toast.error)
      toast.success(c.removed(name), { title: c.undo, act: () => void undo() })
      refresh('chatDesk.canned')
    } catch (error) {
      toast.error(error)
    }
  }
  const close = () => {
    setEdited(undefined)
    onClose()
  }
  return (
    <Dialog open={open} onClose={close} title={edited ? (edited.id ? c.edit : c.add) : c.title} wide persistent>
      {edited ? (
        <CannedForm initial={edited} onDone={() => setEdited(undefined)} />
      ) : state.isPending ? (
        <Loading />
      ) : state.isError ? (
        <LoadFailed title={admin.failed} error={state.error} onRetry={() => void state.refetch()} />
      ) : (
        <div className="flex flex-col gap-3">
          {state.data.list.length === 0 ? (
            <Empty icon={<MessageSquareQuote aria-hidden className="size-6" />} title={c.none}>
              {c.noneText}
            </Empty>
          ) : (
            <ul className="divide-y divide-line">
              {state.data.list.map((answer) => (
                <li key={answer.id} className="flex items-start gap-2 py-2.5">
                  <div className="min-w-0 flex-1">
                    <p className="font-medium wrap-anywhere" translate="no">
                      {answer.name}
                    </p>
                    <p className="line-clamp-2 text-sm text-muted wrap-anywhere" translate="no">
                      {textOf(answer, ownLang)}
                    </p>
                  </div>
                  <IconButton label={c.editOf(answer.name)} onClick={() => setEdited(answer)}>
                    <Pencil aria-hidden className="size-4" />
                  </IconButton>
                  <IconButton label={c.removeOf(answer.name)} onClick={() => void remove(answer)}>
                    <Trash2 aria-hidden className="size-4" />
                  </IconButton>
                </li>
              ))}
            </ul>
          )}
          <Button
            className="self-start"
            disabled={state.data.list.length >= state.data.max}
            icon={<Plus aria-hidden className="size-4" />}
            onClick={() => setEdited({ name: '', text_en: '', text_cn: '' })}
          >
            {c.add}
          </Button>
        </div>
      )}
    </Dialog>
  )
}

function CannedForm({ initial, onDone }: { initial: Edited; onDone: () => void }) {
  const [edited, setEdited] = useState(initial)
  const [isBusy, setIsBusy] = useState(false)
  const [problem, setProblem] = useState('')
  const save = async (event: FormEvent) => {
    event.preventDefault()
    setIsBusy(true)
    setProblem('')
    try {
      await api('chatDesk.saveCanned', edited)
      refresh('chatDesk.canned')
      toast.success(admin.saved)
      onDone()
    } catch (error) {
      setProblem(messageOf(error))
      setIsBusy(false)
    }
  }
  return (
    <form onSubmit={(event) => void save(event)} className="flex flex-col gap-4">
      <Field label={c.name}>
        <TextInput
          value={edited.name}
          maxLength={CHAT_CANNED_NAME_MAX}
          onChange={(event) => setEdited({ ...edited, name: event.target.value })}
        />
      </Field>
      {(['text_en', 'text_cn'] as const).map((field) => (
        <label key={field} className="flex flex-col gap-1.5 text-sm font-medium">
          {c[field]}
          <textarea
            rows={4}
            lang={field === 'text_cn' ? 'zh' : 'en'}
            value={edited[field]}
            maxLength={CHAT_TEXT_MAX}
            onChange={(event) => setEdited({ ...edited, [field]: event.target.value })}
            className={`${inputClass} resize-y font-normal`}
          />
        </label>
      ))}
      {problem && (
        <Notice tone="bad" live>
          {problem}
        </Notice>
      )}
      <div className="flex justify-end gap-2">
        <Button onClick={onDone}>{shell.words.cancel}</Button>
        <Button type="submit" look="primary" busy={isBusy}>
          {admin.save}
        </Button>
      </div>
    </form>
  )
}
