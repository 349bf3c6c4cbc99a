import type { Lang } from '@tidenet/contract'
import { composeEmail, type EmailText, singleLine, toMinute } from '../../platform/mail/templates.ts'
import type { Resource } from './alerts-repository.ts'

const texts = {
  en: {
    subject: {
      storage: (percent: number) => `${percent} % of your Tidenet storage is used`,
      traffic: (percent: number) => `${percent} % of your Tidenet download traffic is used`,
    },
    team: (name: string) => `Team: ${name}`,
    full: {
      storage: 'You cannot upload more until you delete files or upgrade your plan. Your files are not affected.',
      traffic: (until: string) => `Your files cannot be downloaded until ${until} UTC, or until you upgrade your plan.`,
    },
    near: {
      storage: 'When all of it is used, you cannot upload more. Your files are not affected.',
      traffic: (until: string) =>
        `When all of it is used, your files cannot be downloaded. It starts again at ${until} UTC.`,
    },
    page: 'Usage and plans:',
  },
  cn: {
    subject: {
      storage: (percent: number) => `您的 Tidenet 存储空间已用 ${percent}%`,
      traffic: (percent: number) => `您的 Tidenet 下载流量已用 ${percent}%`,
    },
    team: (name: string) => `团队：${name}`,
    full: {
      storage: '删除文件或升级套餐后才能继续上传，已有文件不受影响。',
      traffic: (until: string) => `您的文件暂时无法下载，${until} UTC 或升级套餐后恢复。`,
    },
    near: {
      storage: '用完后将无法继续上传，已有文件不受影响。',
      traffic: (until: string) => `用完后，您的文件将无法下载。流量将于 ${until} UTC 重新计算。`,
    },
    page: '用量与套餐：',
  },
} as const satisfies Record<Lang, unknown>

/** @param percent the level, not what is used exactly @param until when the traffic is counted anew */
export function usageEmail(
  lang: Lang,
  { resource, percent, until, team }: { resource: Resource; percent: number; until: Date; team: string },
  page: string,
): EmailText {
  const text = texts[lang]
  const subject = text.subject[resource](percent)
  const effects = percent >= 100 ? text.full : text.near
  const effect = resource === 'storage' ? effects.storage : effects.traffic(toMinute(until.toISOString()))
  const lines = [...(team ? [text.team(singleLine(team))] : []), effect, `${text.page} ${page}`]
  return composeEmail(lang, { subject }, [{ lines }])
}
