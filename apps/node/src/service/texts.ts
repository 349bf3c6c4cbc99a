import type { UpdateProblem } from '@tidenet/contract'
import { isChinese } from '../terminal-language.ts'

/** What the commands for the service print. */
const en = {
  wouldWrite: (path: string) => `Would write ${path}:`,
  wouldRun: 'Would run:',
  wouldRemove: (path: string) => `Would remove ${path}`,
  installed: (path: string) => `Installed: ${path}. The node runs, also after a restart.`,
  removed: (path: string) => `Removed: ${path}. The data folder stays; it contains the key of this node.`,
  notInstalled: 'The node is not installed as a service.',
  installedAt: (path: string) => `Service: ${path}`,
  running: 'State: running',
  stopped: 'State: not running',
  identity: (id: string) => `Node: ${id}`,
  noIdentity: 'Node: not started yet, so it has no key',
  server: (url: string) => `Portal: ${url}`,
  lingering: (account: string) =>
    `It runs only while you are signed in. To run it always: loginctl enable-linger ${account}`,
  noSystemd: (command: string) => `This machine does not run systemd. Let your own supervisor start: ${command}`,
  noPlatform: (platform: string) => `Services on ${platform} are not supported. Start the program yourself.`,
  needsRoot: 'A service of the system needs administrator rights. Repeat the command as root, or leave out --system.',
  needsAccount: 'Say as which account the service runs: --run-as <account>. Do not use root.',
  noAccount: (name: string) => `There is no account ${name}. Create it, or name another one with --run-as.`,
  noRunAs: '--run-as is for --system on Linux and macOS.',
  otherFolder: (path: string) => `${path} starts a node in another data folder. Run tidenet-node uninstall first.`,
  cannotWrite: (path: string, why: string) => `${path} cannot be written: ${why}.`,
  failed: (command: string, why: string) => `${command} failed: ${why}`,
  notUpdated: (version: string, why: string, isOver: boolean) =>
    `Update: not to version ${version}: ${why}. ${isOver ? 'The node keeps its version until the next release.' : 'It will try again.'}`,
  problems: {
    download: 'it could not be downloaded, or the portal did not answer',
    space: 'the disk has no space for it',
    folder: 'the folder of the program cannot be written; run tidenet-node install again',
    'not-ready': 'it did not become ready on this machine',
  } satisfies Record<UpdateProblem, string>,
  dataNeeded: '--data <folder> is needed, or an installed service.',
}

const zh: typeof en = {
  wouldWrite: (path) => `将写入 ${path}：`,
  wouldRun: '将执行：',
  wouldRemove: (path) => `将删除 ${path}`,
  installed: (path) => `已安装：${path}。节点正在运行，重启后也会自动运行。`,
  removed: (path) => `已移除：${path}。数据目录保留，其中有此节点的密钥。`,
  notInstalled: '节点尚未安装为服务。',
  installedAt: (path) => `服务：${path}`,
  running: '状态：运行中',
  stopped: '状态：未运行',
  identity: (id) => `节点：${id}`,
  noIdentity: '节点：尚未启动过，还没有密钥',
  server: (url) => `门户：${url}`,
  lingering: (account) => `仅在您登录期间运行。如需始终运行：loginctl enable-linger ${account}`,
  noSystemd: (command) => `本机未运行 systemd。请用您的进程管理工具启动：${command}`,
  noPlatform: (platform) => `不支持在 ${platform} 上安装服务，请自行启动程序。`,
  needsRoot: '安装系统服务需要管理员权限。请以 root 身份重试，或去掉 --system。',
  needsAccount: '请用 --run-as <账户> 指定运行服务的账户，不要使用 root。',
  noAccount: (name) => `账户 ${name} 不存在。请先创建，或用 --run-as 指定其他账户。`,
  noRunAs: '--run-as 仅用于 Linux 和 macOS 上的 --system。',
  otherFolder: (path) => `${path} 使用的是另一个数据目录。请先运行 tidenet-node uninstall。`,
  cannotWrite: (path, why) => `无法写入 ${path}：${why}。`,
  failed: (command, why) => `${command} 执行失败：${why}`,
  notUpdated: (version, why, isOver) =>
    `更新：未能更新到 ${version} 版：${why}。${isOver ? '在下一个版本发布前，节点保持当前版本。' : '稍后会重试。'}`,
  problems: {
    download: '无法下载，或门户没有响应',
    space: '磁盘空间不足',
    folder: '程序所在目录不可写，请重新执行 tidenet-node install',
    'not-ready': '新版本未能在本机就绪',
  },
  dataNeeded: '请用 --data <目录> 指定数据目录，或先安装服务。',
}

/** @param env `TIDENET_LANG`, then the locale of the terminal */
export const textsOf = (env: NodeJS.ProcessEnv): typeof en => (isChinese(env) ? zh : en)
