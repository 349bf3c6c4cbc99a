import type { EarnedAmounts, Lang } from '@tidenet/contract'
import type { DeviceProblem } from '../../network/index.ts'
import { DAY } from '../../platform/ago.ts'
import { type EmailText, emailPage, paragraph, sentence, singleLine } from '../../platform/mail/templates.ts'
import { dayOf } from './close.ts'

/** The weekly e-mail about earnings. */

export interface WeeklySummary {
  /** Its Monday (UTC). */
  week: string
  /** Devices that earned something, with their names. */
  earned: readonly (EarnedAmounts & { name: string })[]
  problems: readonly { name: string; problem: DeviceProblem }[]
}

const inPoints = (points: string): string => `${points} ${points === '1' ? 'point' : 'points'}`

const texts = {
  en: {
    earned: (points: string) => `Your Tidenet devices earned ${inPoints(points)} last week`,
    troubled: (count: number) =>
      count === 1 ? 'One of your Tidenet devices needs attention' : `${count} of your Tidenet devices need attention`,
    period: (from: string, to: string) => `From ${from} to ${to} (UTC).`,
    causes: (traffic: string, storage: string) =>
      `For traffic: ${inPoints(traffic)}. For storage: ${inPoints(storage)}.`,
    device: (name: string, points: string) => `${name}: ${inPoints(points)}`,
    problem: (name: string, problem: string) => `${name}: ${problem}`,
    problems: {
      offline: 'offline',
      abnormal: 'abnormal, because it failed audits or its clock is wrong; an hour with a failed audit earns nothing',
      draining: 'its copies are moving to other nodes, because it fails audits',
      unreachable: 'not publicly reachable, so its copies do not count',
    } satisfies Record<DeviceProblem, string>,
    more: (count: number) => `and ${count} more`,
    needAttention: 'These devices need attention:',
    where: 'Show every hour, check the amounts, or turn this e-mail off:',
  },
  cn: {
    earned: (points: string) => `您的 Tidenet 设备上周收益 ${points} 积分`,
    troubled: (count: number) => `您有 ${count} 台 Tidenet 设备需要处理`,
    period: (from: string, to: string) => `统计时间：${from} 至 ${to}（UTC）。`,
    causes: (traffic: string, storage: string) => `流量收益 ${traffic} 积分，存储收益 ${storage} 积分。`,
    device: (name: string, points: string) => `${name}：${points} 积分`,
    problem: (name: string, problem: string) => `${name}：${problem}`,
    problems: {
      offline: '离线',
      abnormal: '异常，因为抽查未通过或时钟不准；有抽查未通过的小时没有收益',
      draining: '迁出中，因为抽查未通过，副本正迁往其他节点',
      unreachable: '无法从外部访问，副本不计数',
    } satisfies Record<DeviceProblem, string>,
    more: (count: number) => `另有 ${count} 台`,
    needAttention: '以下设备需要处理：',
    where: '查看每小时的明细、核对金额，或关闭此邮件：',
  },
} as const satisfies Record<Lang, unknown>

/** Devices listed by name, in each of the two lists. */
const LISTED_MAX = 10
const MILLION = 1_000_000

/** Exact: `12.5`. @param amount millionths of a point */
export const formatPoints = (amount: number): string =>
  `${Math.floor(amount / MILLION)}.${String(amount % MILLION).padStart(6, '0')}`.replace(/\.?0+$/, '')

/** @param summary with earnings or problems @param url the portal's page of the owner's devices */
export function weeklyEmail(lang: Lang, { week, earned, problems }: WeeklySummary, url: string): EmailText {
  const t = texts[lang]
  const sum = (cause: keyof EarnedAmounts) => earned.reduce((total, device) => total + device[cause], 0)
  const subject =
    earned.length > 0 ? t.earned(formatPoints(sum('traffic') + sum('storage'))) : t.troubled(problems.length)
  const sunday = dayOf(new Date(Date.parse(`${week}T00:00:00Z`) + 6 * DAY))
  const listed = (lines: readonly string[]) =>
    lines.length > LISTED_MAX ? [...lines.slice(0, LISTED_MAX), t.more(lines.length - LISTED_MAX)] : lines
  const most = [...earned].sort((a, b) => b.traffic + b.storage - a.traffic - a.storage)
  const amounts = listed(
    most.map(({ name, traffic, storage }) => t.device(singleLine(name), formatPoints(traffic + storage))),
  )
  const troubles = listed(problems.map(({ name, problem }) => t.problem(singleLine(name), t.problems[problem])))
  const lead = sentence(lang, subject)
  // Problems are those of now.
  const intro =
    earned.length > 0
      ? [t.period(week, sunday), t.causes(formatPoints(sum('traffic')), formatPoints(sum('storage')))]
      : []
  const blocks = [amounts, troubles.length > 0 ? [t.needAttention, ...troubles] : []].filter(({ length }) => length > 0)
  return {
    subject,
    text: [
      lead,
      ...intro,
      '',
      ...blocks.flatMap((lines) => [...lines, '']),
      `${t.where} ${url}`,
      '',
      'Tidenet',
      '',
    ].join('\n'),
    html: emailPage(lang, [
      paragraph(lead, 'font-size:16px'),
      ...intro.map((line) => paragraph(line, 'font-size:14px')),
      ...blocks.flatMap((lines) => lines.map((line) => paragraph(line, 'font-size:14px;margin:4px 0'))),
      paragraph(`${t.where} ${url}`, 'font-size:14px;color:#5b6472'),
    ]),
  }
}
