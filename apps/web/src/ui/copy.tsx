import { Check, Copy } from 'lucide-react'
import { useEffect, useState } from 'react'
import { t } from '../lib/texts.ts'
import { Button, type ButtonLook, IconButton } from './button.tsx'
import { toast } from './toast.ts'

/** Copies a text to the clipboard and shows a toast. @returns whether it was copied */
export async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text)
    toast.success(t.words.copied)
    return true
  } catch {
    // The clipboard API needs a secure context and permission; execCommand works without them.
    const area = document.createElement('textarea')
    area.value = text
    area.readOnly = true
    area.className = 'fixed -left-full top-0'
    const host = document.querySelector('[role=dialog]') ?? document.body
    host.append(area)
    area.select()
    const copied = document.execCommand('copy')
    area.remove()
    if (copied) toast.success(t.words.copied)
    else toast.error(t.words.copyFailed)
    return copied
  }
}

function useCopied(): [boolean, (text: string) => void] {
  const [copied, setCopied] = useState(false)
  useEffect(() => {
    if (!copied) return
    const timer = setTimeout(() => setCopied(false), 2000)
    return () => clearTimeout(timer)
  }, [copied])
  return [copied, (text) => void copyText(text).then(setCopied)]
}

/** An icon button that copies a text. */
export function CopyIcon({ text, label }: { text: string; label: string }) {
  const [copied, copy] = useCopied()
  return (
    <IconButton label={label} onClick={() => copy(text)}>
      {copied ? <Check aria-hidden className="size-4 text-good" /> : <Copy aria-hidden className="size-4" />}
    </IconButton>
  )
}

export function CopyButton({ text, children, look }: { text: string; children: string; look?: ButtonLook }) {
  const [copied, copy] = useCopied()
  return (
    <Button
      look={look ?? 'secondary'}
      icon={copied ? <Check aria-hidden className="size-4" /> : <Copy aria-hidden className="size-4" />}
      onClick={() => copy(text)}
    >
      {children}
    </Button>
  )
}

/** A long value, shown in full and selectable, with a copy button. */
export function CopyField({ text, label }: { text: string; label: string }) {
  return (
    <div className="flex items-start gap-1 rounded-lg border border-line bg-sunken py-1 pr-1 pl-3">
      <code className="min-w-0 flex-1 py-1.5 font-mono text-[0.8125rem] leading-5 break-all">{text}</code>
      <CopyIcon text={text} label={label} />
    </div>
  )
}
