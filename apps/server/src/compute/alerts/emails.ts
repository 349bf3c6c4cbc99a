import type { Lang, ProgramProblem } from '@tidenet/contract'
import { composeEmail, type EmailText, singleLine } from '../../platform/mail/templates.ts'

type Write = (name: string) => { subject: string; lines: readonly string[] }

const en: Record<ProgramProblem, Write> = {
  disk: (name) => ({
    subject: `The disk of ${name} is nearly full`,
    lines: ['More than 90 % of its disk is used.', 'Delete files, or give the program a larger disk in its settings.'],
  }),
  memory: (name) => ({
    subject: `${name} is running out of memory`,
    lines: [
      'It has used more than 95 % of its memory for five minutes. A program that exceeds its memory is stopped.',
      'Give it more memory in its settings.',
    ],
  }),
  restarts: (name) => ({
    subject: `${name} keeps restarting`,
    lines: ['It ended several times shortly after it was started.', 'See its log for what it printed before it ended.'],
  }),
  stopped: (name) => ({
    subject: `${name} was stopped: its disk is full`,
    lines: [
      'Its files are kept.',
      'Give the program a larger disk in its settings, then start it and delete files that it does not need.',
    ],
  }),
  unhealthy: (name) => ({
    subject: `${name} fails its health check`,
    lines: ['See the result of the last check on the page of the program, and what it printed in its log.'],
  }),
}

const zh: Record<ProgramProblem, Write> = {
  disk: (name) => ({
    subject: `${name} 的磁盘即将用完`,
    lines: ['磁盘用量已超过 90%。', '请删除文件，或在应用的设置中扩大磁盘。'],
  }),
  memory: (name) => ({
    subject: `${name} 的内存即将用完`,
    lines: ['内存用量已连续五分钟超过 95%。超出内存限额的应用会被停止。', '请在应用的设置中增加内存。'],
  }),
  restarts: (name) => ({
    subject: `${name} 反复重启`,
    lines: ['应用多次在启动后不久退出。', '请查看日志中退出前的输出。'],
  }),
  stopped: (name) => ({
    subject: `${name} 已停止：磁盘已满`,
    lines: ['文件仍然保留。', '请在应用的设置中扩大磁盘，然后启动应用并删除不需要的文件。'],
  }),
  unhealthy: (name) => ({
    subject: `${name} 未通过健康检查`,
    lines: ['请在应用页面查看最近一次检查结果，并在日志中查看应用的输出。'],
  }),
}

const write: Record<Lang, Record<ProgramProblem, Write>> = { en, cn: zh }
const open: Record<Lang, string> = { en: 'Page of the program:', cn: '应用页面：' }

export function alertEmail(
  lang: Lang,
  { name, kind }: { name: string; kind: ProgramProblem },
  page: string,
): EmailText {
  const { subject, lines } = write[lang][kind](singleLine(name))
  const [lead = '', ...more] = lines
  return composeEmail(lang, { subject, lead }, [{ lines: [...more, `${open[lang]} ${page}`] }])
}
