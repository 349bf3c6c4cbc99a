import { StartError } from '@tidenet/daemon/start-error'
import { requireNodeFolder } from '../limits/command.ts'
import { readLimits, writeLimits } from '../limits/limits.ts'
import { isChinese } from '../terminal-language.ts'
import { waitFor } from '../wait.ts'
import { forgetLeaving, type LeavingState, readLeaving } from './leaving.ts'

const en = {
  begun: 'The node leaves: it takes no new contents, and its copies move to other nodes. Keep it running until then.',
  background: 'You can stop this command: the node continues. Run it again to see how far it is.',
  progress: (moved: number, of: number) => `Moved: ${moved} of ${of} contents`,
  waiting: 'The portal has not accepted it yet. A node can begin to leave once a day; until then it works as before.',
  silent: 'The node has not heard from the portal for two minutes. Start it, and check its internet connection.',
  done: 'The node has left: nothing needs it any more, and you can switch it off. To remove the service: tidenet-node uninstall',
  stays: 'The node stays in the network.',
  unknown: (word: string) => `${word}: unknown. Usage: tidenet-node leave [--data <folder>] [--cancel] [--no-wait]`,
  dataNeeded: 'The folder of the node is needed: --data <folder>.',
}
const zh: typeof en = {
  begun: '节点正在退出：不再接收新内容，现有副本会迁往其他节点。完成前请保持节点运行。',
  background: '可以结束此命令，节点会继续退出；再次执行可查看进度。',
  progress: (moved, of) => `已迁移：${moved}/${of} 个内容`,
  waiting: '门户尚未受理。节点每天只能开始退出一次，在此之前照常工作。',
  silent: '节点已有两分钟未与门户通信。请启动节点，并检查网络连接。',
  done: '节点已退出：没有内容再需要它，可以关机。移除服务请执行 tidenet-node uninstall',
  stays: '节点将留在网络中。',
  unknown: (word) => `${word}：未知参数。用法：tidenet-node leave [--data <目录>] [--cancel] [--no-wait]`,
  dataNeeded: '请指定节点的数据目录：--data <目录>。',
}
const textsOf = (env: NodeJS.ProcessEnv) => (isChinese(env) ? zh : en)

const POLL_MS = 500
const SILENT_MS = 120_000

interface Options {
  env: NodeJS.ProcessEnv
  /** The folder of the installed service. */
  installed: string | undefined
  print: (line: string) => void
  signal?: AbortSignal
  now?: () => number
}

/**
 * `tidenet-node leave`: lets a running node move its copies to others, and shows how far it is until it can be switched off.
 * @throws StartError
 */
export async function runLeave(argv: readonly string[], options: Options): Promise<void> {
  const { env, installed, print, signal = new AbortController().signal, now = Date.now } = options
  const t = textsOf(env)
  const asked = parse(argv, t)
  const data = asked.data || env.TIDENET_NODE_DATA || installed
  if (!data) throw new StartError(t.dataNeeded)
  requireNodeFolder(data, env)
  const limits = await readLimits(data)
  if (asked.cancel) {
    await writeLimits(data, { ...limits, leaving: undefined })
    await forgetLeaving(data)
    return print(t.stays)
  }
  if (!limits.leaving) {
    await forgetLeaving(data)
    // A paused node does not talk to the portal.
    await writeLimits(data, { ...limits, leaving: true, paused: false })
  }
  print(t.begun)
  if (!asked.wait) return
  print(t.background)
  await showProgress({ data, t, print, signal, now })
}

async function showProgress({
  data,
  t,
  print,
  signal,
  now,
}: Required<Pick<Options, 'print' | 'signal' | 'now'>> & { data: string; t: typeof en }): Promise<void> {
  const started = now()
  let said = ''
  while (!signal.aborted) {
    const state = await readLeaving(data)
    if (state?.remaining === 0) return print(t.done)
    const heard = state?.at ?? started
    const line = now() - Math.max(heard, started) > SILENT_MS ? t.silent : state ? lineOf(state, t) : ''
    if (line !== said && line !== '') print(line)
    said = line
    await waitFor(POLL_MS, signal, true)
  }
}

const lineOf = ({ remaining, of }: LeavingState, t: typeof en) =>
  remaining === null ? t.waiting : t.progress(of - remaining, of)

/** One line for `status`; none if the node does not leave. */
export async function describeLeaving(data: string, env: NodeJS.ProcessEnv): Promise<string[]> {
  const t = textsOf(env)
  if (!(await readLimits(data)).leaving) return []
  const state = await readLeaving(data)
  return [state?.remaining === 0 ? t.done : state ? `${t.begun} ${lineOf(state, t)}` : t.begun]
}

function parse(argv: readonly string[], t: typeof en): { data?: string; cancel: boolean; wait: boolean } {
  const result: ReturnType<typeof parse> = { cancel: false, wait: true }
  for (let at = 0; at < argv.length; at += 1) {
    const word = argv[at] ?? ''
    const [, inline] = /^--data=(.+)$/.exec(word) ?? []
    if (word === '--cancel') result.cancel = true
    else if (word === '--no-wait') result.wait = false
    else if (inline) result.data = inline
    else if (word === '--data' && argv[at + 1]) result.data = argv[++at] as string
    else throw new StartError(t.unknown(word))
  }
  return result
}
