import type { ChatMessage } from '@tidenet/contract'
import { CircleAlert, FileDown, LoaderCircle, Paperclip, RotateCw, X } from 'lucide-react'
import { useRef, useState } from 'react'
import { formatSize } from '../../lib/format.ts'
import { t as shell } from '../../lib/texts.ts'
import { IconButton } from '../../ui/button.tsx'
import { ProgressBar } from '../../ui/progress.tsx'
import { toast } from '../../ui/toast.ts'
import { type Attaching, saveAttachment } from './attachments.ts'
import { t } from './texts.ts'

/** Chooses a file for the next message. */
export function AttachButton({ attach }: Pick<Attaching, 'attach'>) {
  const input = useRef<HTMLInputElement>(null)
  return (
    <>
      <IconButton label={t.file.attach} onClick={() => input.current?.click()}>
        <Paperclip aria-hidden className="size-4.5" />
      </IconButton>
      <input
        ref={input}
        type="file"
        hidden
        aria-label={t.file.attach}
        onChange={({ currentTarget }) => {
          const [file] = currentTarget.files ?? []
          currentTarget.value = ''
          if (file) attach(file)
        }}
      />
    </>
  )
}

/** The file that is being attached; nothing if there is none. */
export function AttachedFile({ upload, attach, remove }: Attaching) {
  if (!upload) return null
  const { file, state, percent, problem } = upload
  return (
    <div className="flex items-center gap-2 rounded-lg border border-line bg-sunken py-1 pr-1 pl-3 text-sm">
      {state === 'failed' ? (
        <CircleAlert aria-hidden className="size-4 shrink-0 text-danger" />
      ) : (
        <Paperclip aria-hidden className="size-4 shrink-0 text-muted" />
      )}
      <div className="min-w-0 flex-1">
        <p className="truncate">
          <bdi translate="no">{file.name}</bdi> <span className="text-muted">{formatSize(file.size)}</span>
        </p>
        {state === 'uploading' && <ProgressBar label={t.file.uploading(file.name)} value={percent} />}
        {state === 'failed' && (
          <p role="alert" className="text-xs text-danger wrap-anywhere">
            {problem || t.file.failed(file.name)}
          </p>
        )}
      </div>
      {state === 'failed' && (
        <IconButton label={`${shell.words.retry}: ${file.name}`} onClick={() => attach(file)}>
          <RotateCw aria-hidden className="size-4" />
        </IconButton>
      )}
      <IconButton label={t.file.remove(file.name)} onClick={remove}>
        <X aria-hidden className="size-4" />
      </IconButton>
    </div>
  )
}

/** The file of a message. It can be saved, and is never shown: the sender may have chosen any name and content. */
export function AttachmentLink({
  attachment,
  reader,
}: {
  attachment: NonNullable<ChatMessage['attachment']>
  reader: Parameters<typeof saveAttachment>[1]
}) {
  const [isBusy, setIsBusy] = useState(false)
  const save = async () => {
    setIsBusy(true)
    await saveAttachment(attachment, reader).catch(toast.error)
    setIsBusy(false)
  }
  const Icon = isBusy ? LoaderCircle : FileDown
  return (
    <button
      type="button"
      disabled={isBusy}
      aria-busy={isBusy || undefined}
      aria-label={t.file.download(attachment.name)}
      onClick={() => void save()}
      className="flex max-w-full items-center gap-2 rounded-lg border border-current/40 px-2.5 py-1.5 text-left"
    >
      <Icon aria-hidden className={isBusy ? 'size-4 shrink-0 animate-spin' : 'size-4 shrink-0'} />
      <span className="min-w-0 wrap-anywhere underline underline-offset-2">
        <bdi translate="no">{attachment.name}</bdi>
      </span>
      <span className="shrink-0 text-xs">{formatSize(attachment.size)}</span>
    </button>
  )
}
