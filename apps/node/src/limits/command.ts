import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { StartError } from '@tidenet/daemon'
import { isChinese } from '../terminal-language.ts'
import { type Limits, NO_LIMITS, parseBytes, parseRate, readLimits, writeLimits } from './limits.ts'

const en = {
  space: (bytes: string) => `Space: at most ${bytes}`,
  rate: (from: number, to: number, rate: string) => `Sending from ${from}:00 to ${to}:00: at most ${rate}`,
  monthly: (bytes: string, sent: string) => `Sending each month: at most ${bytes}; sent so far: ${sent}`,
  sent: (sent: string) => `Sent this month: ${sent}`,
  paused: 'Paused: the node is away. Continue with tidenet-node limits --continue',
  noUpdates: 'Updates: off. Turn them on with tidenet-node limits --updates on',
  none: 'No limits besides the capacity of the node',
  dataNeeded: 'The folder of the node is needed: --data <folder>.',
  noFolder: (folder: string) => `There is no node in ${folder}. Check --data.`,
  unknown: (why: string) =>
    `${why} Usage: tidenet-node limits --data <folder> [--space 50GiB] [--rate 20Mbit/s] [--rate 8-22=5Mbit/s] [--monthly 500GB] [--pause | --continue] [--updates on | off]; none removes a limit.`,
  both: 'Use either --pause or --continue.',
}
const zh: typeof en = {
  space: (bytes) => `存储空间：不超过 ${bytes}`,
  rate: (from, to, rate) => `${from}:00 至 ${to}:00 上行：不超过 ${rate}`,
  monthly: (bytes, sent) => `每月上行流量：不超过 ${bytes}；本月已用：${sent}`,
  sent: (sent) => `本月上行流量：${sent}`,
  paused: '已暂停：节点暂不提供服务。恢复请执行 tidenet-node limits --continue',
  noUpdates: '自动更新：已关闭。开启请执行 tidenet-node limits --updates on',
  none: '除节点容量外没有其他限制',
  dataNeeded: '请指定节点的数据目录：--data <目录>。',
  noFolder: (folder) => `${folder} 中没有节点，请检查 --data。`,
  unknown: (why) =>
    `${why} 用法：tidenet-node limits --data <目录> [--space 50GiB] [--rate 20Mbit/s] [--rate 8-22=5Mbit/s] [--monthly 500GB] [--pause | --continue] [--updates on | off]；none 表示取消该限制。`,
  both: '--pause 与 --continue 只能用一个。',
}
const textsOf = (env: NodeJS.ProcessEnv) => (isChinese(env) ? zh : en)

export const formatBytes = (bytes: number) => {
  const power = bytes < 1024 ? 0 : Math.min(4, Math.floor(Math.log2(bytes) / 10))
  return `${Number((bytes / 1024 ** power).toFixed(1))} ${['B', 'KiB', 'MiB', 'GiB', 'TiB'][power]}`
}

/**
 * `tidenet-node limits`: changes the limits of a node and returns them as lines. A running node follows within seconds.
 * @throws StartError
 */
export async function runLimits(argv: readonly string[], env: NodeJS.ProcessEnv): Promise<string[]> {
  const t = textsOf(env)
  const asked = parse(argv, t)
  const data = asked.data ?? env.TIDENET_NODE_DATA
  if (!data) throw new StartError(t.dataNeeded)
  requireNodeFolder(data, env)
  const { data: _, ...changes } = asked
  if (Object.keys(changes).length > 0) {
    if (changes.pause && changes.continue) throw new StartError(t.both)
    if (!['on', 'off', undefined].includes(changes.updates)) throw new StartError(t.unknown('--updates'))
    // Damaged limits are replaced only if all of them are set again.
    await writeLimits(data, change(await readLimits(data), changes))
  }
  return describeLimits(data, env)
}

/** @throws StartError if no node works in the folder, or is installed there */
export function requireNodeFolder(data: string, env: NodeJS.ProcessEnv): void {
  if (!existsSync(join(data, 'node.key')) && !existsSync(join(data, 'start.json')))
    throw new StartError(textsOf(env).noFolder(data))
}

interface Changes {
  space?: string
  rate?: string[]
  monthly?: string
  pause?: boolean
  continue?: boolean
  updates?: string
}

function change(limits: Limits, { space, rate, monthly, pause, continue: goOn, updates }: Changes): Limits {
  const bytes = (text: string) => (text === 'none' ? undefined : parseBytes(text))
  return {
    ...limits,
    ...(space !== undefined && { space: bytes(space) }),
    ...(monthly !== undefined && { monthly: bytes(monthly) }),
    ...(rate !== undefined && { rates: rate.includes('none') ? [] : rate.map(parseRate) }),
    ...(updates !== undefined && { updates: updates === 'on' }),
    paused: pause ? true : goOn ? false : limits.paused,
  }
}

function parse(argv: readonly string[], t: typeof en): Changes & { data?: string } {
  try {
    return parseArgs({
      args: [...argv],
      options: {
        data: { type: 'string' },
        space: { type: 'string' },
        rate: { type: 'string', multiple: true },
        monthly: { type: 'string' },
        pause: { type: 'boolean' },
        continue: { type: 'boolean' },
        updates: { type: 'string' },
      },
    }).values
  } catch (error) {
    throw new StartError(t.unknown((error as Error).message))
  }
}

/** The limits of a data folder and what was sent this month, as lines to print. */
export async function describeLimits(data: string, env: NodeJS.ProcessEnv): Promise<string[]> {
  const t = textsOf(env)
  const limits = existsSync(data) ? await readLimits(data) : NO_LIMITS
  const sent = await readFile(join(data, 'month.json'), 'utf8')
    .then((text) => formatBytes((JSON.parse(text) as { sent: number }).sent))
    .catch(() => formatBytes(0))
  const { space, rates, monthly, paused, updates } = limits
  return [
    ...(paused ? [t.paused] : []),
    ...(updates === false ? [t.noUpdates] : []),
    ...(space === undefined ? [] : [t.space(formatBytes(space))]),
    ...rates.map(({ from, to, bytesPerSecond }) => t.rate(from, to, `${(bytesPerSecond * 8) / 1e6} Mbit/s`)),
    monthly === undefined ? t.sent(sent) : t.monthly(formatBytes(monthly), sent),
    ...(space === undefined && rates.length === 0 && monthly === undefined ? [t.none] : []),
  ]
}
