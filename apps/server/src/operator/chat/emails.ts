import type { Lang } from '@tidenet/contract'
import { type EmailText, emailPage, paragraph } from '../../platform/mail/templates.ts'

const texts = {
  en: {
    subject: 'Tidenet support answered',
    lead: 'Tidenet support answered your question in the chat:',
    account: 'To reply, open the chat here:',
    visitor: 'The answer is also in the chat, in the browser in which you wrote. Open the chat here to reply:',
    more: 'The rest is in the chat.',
    ignore:
      'If you did not write to us, somebody entered your address by mistake. You can ignore this e-mail; we send at most five of them to you in a day.',
  },
  cn: {
    subject: 'Tidenet 客服已回复',
    lead: 'Tidenet 客服已在对话中回复您的问题：',
    account: '如需继续沟通，请在此打开客服对话：',
    visitor: '您也可以在提问时所用的浏览器中查看此回复。如需继续沟通，请在此打开客服对话：',
    more: '其余内容请在对话中查看。',
    ignore: '如果您没有联系过我们，可能是他人误填了您的邮箱。请忽略本邮件；此类邮件我们每天最多向您发送五封。',
  },
} as const satisfies Record<Lang, unknown>

/**
 * The e-mail with the answers of agents. It never contains what the customer wrote: visitors can name any address.
 * @param answers texts of agents
 */
export function answerEmail(
  lang: Lang,
  { answers, more, visitor, url }: { answers: readonly string[]; more: boolean; visitor: boolean; url: string },
): EmailText {
  const text = texts[lang]
  const after = [...(more ? [text.more] : []), visitor ? text.visitor : text.account, url]
  const last = visitor ? [text.ignore] : []
  return {
    subject: text.subject,
    text: [text.lead, '', ...answers.flatMap((answer) => [answer, '']), ...after, '', ...last, 'Tidenet', ''].join(
      '\n',
    ),
    html: emailPage(lang, [
      paragraph(text.lead, 'font-size:16px'),
      ...answers.map((answer) => paragraph(answer, 'margin:16px 0;font-size:16px;white-space:pre-wrap')),
      ...after.map((line) => paragraph(line, 'font-size:14px')),
      ...last.map((line) => paragraph(line, 'font-size:14px;color:#5b6472')),
    ]),
  }
}
