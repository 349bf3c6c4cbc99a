import { type Lang, MiB } from '@tidenet/contract'
import { composeEmail, type EmailText, LIST, MUTED, singleLine } from '../../platform/mail/templates.ts'
import type { Received } from './repository.ts'

const texts = {
  en: {
    subject: 'New files through your upload link',
    text: (files: number, size: string) =>
      `Visitors uploaded ${files} ${files === 1 ? 'file' : 'files'} (${size}) through your upload link. Be careful when you open files from people you do not know.`,
  },
  cn: {
    subject: '您的上传链接收到新文件',
    text: (files: number, size: string) =>
      `访客通过您的上传链接上传了 ${files} 个文件（${size}）。请谨慎打开陌生人发来的文件。`,
  },
} as const satisfies Record<Lang, unknown>

/** @param url the portal's page of links */
export function receivedEmail(
  lang: Lang,
  { files, bytes, names }: Pick<Received, 'files' | 'bytes' | 'names'>,
  url: string,
): EmailText {
  const size = `${(bytes / MiB).toFixed(bytes < 10 * MiB ? 2 : 0)} MiB`
  const { subject, text } = texts[lang]
  const lead = text(files, size)
  const lines = names.map(singleLine)
  if (files > names.length) lines.push(`+ ${files - names.length}`)
  return composeEmail(lang, { subject, lead }, [
    { lines, style: LIST },
    { lines: [url], style: MUTED },
  ])
}
