import type { BlockCategory, Lang } from '@tidenet/contract'
import { composeEmail, type EmailText, MUTED, singleLine, toMinute, WRAPPED } from '../../platform/mail/templates.ts'

const texts = {
  en: {
    categories: {
      malware: 'malware',
      phishing: 'phishing or fraud',
      childAbuse: 'sexual abuse of children',
      violence: 'violence or terrorism',
      copyright: 'a violation of copyright',
      privacy: 'a violation of privacy',
      other: 'another violation of the terms or of the law',
    },
    decided: 'The Tidenet operators decided about your report',
    blocked: 'You reported a content. The operators blocked it: no node of the network serves it any more.',
    kept: 'You reported a content. The operators reviewed it and did not block it.',
    reported: (time: string) => `First reported: ${time} UTC`,
    again: 'If you know more, you can report it again.',
    ignore: 'If you did not report anything, somebody entered your address by mistake. You can ignore this e-mail.',
    ownBlocked: (name: string) => `Your file ${name} was blocked`,
    ownBlockedLead: (name: string) => `The Tidenet operators blocked your file ${name}.`,
    why: (category: string) => `Reason: ${category}.`,
    effect: 'Nobody can download it, with a link or without one. It is still listed in your account.',
    object: 'If that is a mistake, object here, and the operators will look at it again:',
    lifted: (name: string) => `Your file ${name} is no longer blocked`,
    liftedText: 'The Tidenet operators lifted the block. The file can be downloaded and shared again:',
    answered: (name: string) => `The operators answered your objection about ${name}`,
    answeredText: 'The file stays blocked. Their answer:',
  },
  cn: {
    categories: {
      malware: '恶意软件',
      phishing: '钓鱼或诈骗',
      childAbuse: '儿童性侵内容',
      violence: '暴力或恐怖主义',
      copyright: '侵犯版权',
      privacy: '侵犯隐私',
      other: '其他违反条款或法律的内容',
    },
    decided: 'Tidenet 运营人员已处理您的举报',
    blocked: '您举报的内容已被运营人员屏蔽，网络中的所有节点都不再提供该内容。',
    kept: '运营人员已审核您举报的内容，决定不予屏蔽。',
    reported: (time: string) => `首次举报时间：${time} UTC`,
    again: '如果您掌握更多情况，可以再次举报。',
    ignore: '如果您没有提交过举报，可能是他人误填了您的邮箱。请忽略本邮件。',
    ownBlocked: (name: string) => `您的文件 ${name} 已被屏蔽`,
    ownBlockedLead: (name: string) => `Tidenet 运营人员屏蔽了您的文件 ${name}。`,
    why: (category: string) => `原因：${category}。`,
    effect: '任何人都无法下载该文件，无论是否通过分享链接。文件仍保留在您的账号中。',
    object: '如果您认为有误，请在此提出异议，运营人员将重新审核：',
    lifted: (name: string) => `您的文件 ${name} 已解除屏蔽`,
    liftedText: 'Tidenet 运营人员已解除屏蔽，该文件可以重新下载和分享：',
    answered: (name: string) => `运营人员已答复您对 ${name} 的异议`,
    answeredText: '该文件仍被屏蔽。答复如下：',
  },
} as const satisfies Record<Lang, unknown>

/** To a reporter. It contains nothing of the report, because anyone can enter any address. */
export function decisionEmail(lang: Lang, decision: 'blocked' | 'kept', reportedAt: Date): EmailText {
  const t = texts[lang]
  const lines = [t.reported(toMinute(reportedAt.toISOString())), ...(decision === 'kept' ? [t.again] : [])]
  return composeEmail(lang, { subject: t.decided, lead: t[decision] }, [{ lines }, { lines: [t.ignore], style: MUTED }])
}

export function blockedEmail(
  lang: Lang,
  { name, category }: { name: string; category: BlockCategory },
  page: string,
): EmailText {
  const t = texts[lang]
  const file = singleLine(name)
  return composeEmail(lang, { subject: t.ownBlocked(file), lead: t.ownBlockedLead(file) }, [
    { lines: [t.why(t.categories[category]), t.effect] },
    { lines: [t.object] },
    { lines: [page], style: WRAPPED },
  ])
}

export function liftedEmail(lang: Lang, name: string, page: string): EmailText {
  const t = texts[lang]
  return composeEmail(lang, { subject: t.lifted(singleLine(name)) }, [
    { lines: [t.liftedText] },
    { lines: [page], style: WRAPPED },
  ])
}

export function answeredEmail(lang: Lang, { name, answer }: { name: string; answer: string }, page: string): EmailText {
  const t = texts[lang]
  return composeEmail(lang, { subject: t.answered(singleLine(name)) }, [
    { lines: [t.answeredText] },
    { lines: [answer], style: `${WRAPPED};white-space:pre-wrap` },
    { lines: [page], style: WRAPPED },
  ])
}

/** To the operators. What reporters wrote is only in the operator area. */
export const operatorsEmail = (count: number, page: string): EmailText =>
  composeEmail('en', { subject: `Tidenet: ${count} reported ${count === 1 ? 'content' : 'contents'}` }, [
    { lines: ['New reports wait for a decision in the operator area:'] },
    { lines: [page], style: WRAPPED },
  ])
