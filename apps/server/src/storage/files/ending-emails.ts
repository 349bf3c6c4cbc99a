import type { Lang } from '@tidenet/contract'
import { composeEmail, type EmailText, sentence, singleLine, toMinute, WRAPPED } from '../../platform/mail/templates.ts'

const texts = {
  en: {
    subject: (count: number, when: string) =>
      count === 1
        ? `A file in your Tidenet account expires on ${when}`
        : `${count} files in your Tidenet account expire, the first on ${when}`,
    file: (name: string, when: string) => `${name} (${when} UTC)`,
    more: (count: number) => `and ${count} more`,
    team: (name: string) => `Team: ${name}`,
    next: 'Keep them with one click, or download them before they expire and are deleted:',
  },
  cn: {
    subject: (count: number, when: string) =>
      count === 1
        ? `您的 Tidenet 账号有 1 个文件将于 ${when} 到期`
        : `您的 Tidenet 账号有 ${count} 个文件即将到期，最早为 ${when}`,
    file: (name: string, when: string) => `${name}（${when} UTC）`,
    more: (count: number) => `另有 ${count} 个文件`,
    team: (name: string) => `团队：${name}`,
    next: '文件到期后会被删除。您可以一键延长保存，或在到期前下载：',
  },
} as const satisfies Record<Lang, unknown>

export interface Ending {
  /** Some of them, the first that end first. */
  files: readonly { name: string; expires_at: Date }[]
  total: number
  /** '': of a person. */
  team: string
}

/** @param page where the files are listed and kept */
export function endingEmail(lang: Lang, { files, total, team }: Ending, page: string): EmailText {
  const text = texts[lang]
  const first = files[0]?.expires_at.toISOString().slice(0, 10) ?? ''
  const subject = text.subject(total, first)
  const lead = sentence(lang, subject)
  const lines = [
    ...(team ? [text.team(singleLine(team))] : []),
    ...files.map(({ name, expires_at }) => text.file(singleLine(name), toMinute(expires_at.toISOString()))),
    ...(total > files.length ? [text.more(total - files.length)] : []),
  ]
  return composeEmail(lang, { subject, lead }, [
    { lines, style: WRAPPED },
    { lines: [text.next, page], style: WRAPPED },
  ])
}
