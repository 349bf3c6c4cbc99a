import type { Lang } from '@tidenet/contract'
import { composeEmail, type EmailText } from '../../platform/mail/templates.ts'

const texts = {
  en: {
    subject: 'You are invited to a team on Tidenet',
    from: (who: string) => `Invited by: ${who}`,
    role: {
      viewer: 'Role: viewer (list and download files)',
      editor: 'Role: editor (also upload, change and share files)',
    },
    next: (email: string) =>
      `Sign in with ${email}, or create an account with this address, and accept the invitation within seven days:`,
    ignore: 'If you do not know the sender, ignore this e-mail; nothing will change.',
  },
  cn: {
    subject: '您收到一份 Tidenet 团队邀请',
    from: (who: string) => `邀请人：${who}`,
    role: { viewer: '角色：查看者（可查看、下载文件）', editor: '角色：编辑者（还可上传、修改和分享文件）' },
    next: (email: string) => `请使用 ${email} 登录（没有账号可用此邮箱注册），并在七天内接受邀请：`,
    ignore: '如果您不认识邀请人，请忽略此邮件，不会有任何变化。',
  },
} as const satisfies Record<Lang, unknown>

/** Without the team's name: members choose it, and strangers must not be sent texts of others. */
export function invitationEmail(
  lang: Lang,
  { from, to, role }: { from: string; to: string; role: 'viewer' | 'editor' },
  page: string,
): EmailText {
  const text = texts[lang]
  const lines = [text.from(from), text.role[role], text.next(to), page, text.ignore]
  return composeEmail(lang, { subject: text.subject }, [{ lines }])
}
