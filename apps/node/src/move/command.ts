import { StartError } from '@tidenet/daemon/start-error'
import { requireNodeFolder } from '../limits/command.ts'
import { askState } from '../local/client.ts'
import { type Actions, findService, runCommand } from '../service/commands.ts'
import { managerOf } from '../service/managers.ts'
import { isChinese } from '../terminal-language.ts'
import { type MoveProgress, moveNode } from './move.ts'

const en = {
  usage: 'Usage: tidenet-node move <new folder> [--data <folder>]',
  dataNeeded: 'The folder of the node is needed: --data <folder>.',
  needsRoot: 'The service belongs to the system. Run this command as root.',
  again: 'You can interrupt this; run the same command again to continue.',
  copying: (done: string, of: string) => `Copied: ${done} of ${of} GiB`,
  stopping: 'Stopping the node for the rest',
  switched: 'The new folder counts from now on',
  removing: 'The node serves from there. Removing the old folder',
  damaged: (count: number) => `${count} contents are damaged and were left out; the network has other copies.`,
  moved: 'The node has moved.',
  start: (folder: string) =>
    `Start the node with --data ${folder}. When it runs, repeat this command to remove the old folder.`,
}
const zh: typeof en = {
  usage: '用法：tidenet-node move <新目录> [--data <目录>]',
  dataNeeded: '请指定节点的数据目录：--data <目录>。',
  needsRoot: '该服务属于系统，请以 root 身份执行此命令。',
  again: '可随时中断，再次执行同一命令即可继续。',
  copying: (done, of) => `已复制：${done}/${of} GiB`,
  stopping: '正在停止节点，以复制剩余部分',
  switched: '新目录已生效',
  removing: '节点已从新目录提供服务，正在删除旧目录',
  damaged: (count) => `有 ${count} 个内容已损坏，未复制；网络中还有其他副本。`,
  moved: '节点已迁移完成。',
  start: (folder) => `请用 --data ${folder} 启动节点。运行后再次执行此命令，即可删除旧目录。`,
}

const REPORT_EVERY_MS = 5000

/**
 * `tidenet-node move`: moves a node with its identity and contents to another folder, such as one on another disk.
 * @throws StartError
 */
export async function runMove(argv: readonly string[], actions: Actions, signal: AbortSignal): Promise<void> {
  const { machine, print, run } = actions
  const { env } = machine
  const t = isChinese(env) ? zh : en
  const words = argv.filter((word, at) => word !== '--data' && argv[at - 1] !== '--data')
  const [to, ...more] = words
  if (!to || more.length > 0 || to.startsWith('-')) throw new StartError(t.usage)
  const given = argv.includes('--data') ? argv[argv.indexOf('--data') + 1] : env.TIDENET_NODE_DATA
  const found = findService(actions)
  const from = given || found?.data
  if (!from) throw new StartError(t.dataNeeded)
  requireNodeFolder(from, env)
  const service = found && found.data === from ? { scope: found.scope, account: found.account ?? null } : null
  if (service?.scope === 'system' && machine.platform !== 'win32' && machine.uid !== 0)
    throw new StartError(t.needsRoot)

  print(t.again)
  let reported = 0
  const report = (progress: MoveProgress) => {
    if (progress.what === 'damaged') print(t.damaged(progress.contents))
    else if (progress.what !== 'copying') print(t[progress.what])
    else if (Date.now() - reported > REPORT_EVERY_MS) {
      reported = Date.now()
      print(t.copying((progress.bytes / 2 ** 30).toFixed(1), (progress.of / 2 ** 30).toFixed(1)))
    }
  }
  const end = await moveNode(from, to, {
    service,
    stopService: () => void run(managerOf(machine, service?.scope ?? 'user')?.halt ?? []),
    async switchService(folder, { scope, account }) {
      const options = [`--${scope}`]
      const now = findService(actions)
      if (now?.data === folder) return
      if (now) await runCommand('uninstall', options, actions)
      await runCommand(
        'install',
        ['--data', folder, ...options, ...(account === null ? [] : ['--run-as', account])],
        actions,
      )
    },
    serves: async (folder) => (await askState(folder))?.registered === true,
    report,
    signal,
  })
  print(end === 'moved' ? t.moved : t.start(to))
}
