import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { StartError } from '@tidenet/daemon/start-error'
import { isChinese } from '../terminal-language.ts'
import { askAddress } from './client.ts'

const en = {
  address: (url: string) => `The page of this device, once within a minute: ${url}`,
  elsewhere: (port: string) =>
    `From another computer: ssh -L ${port}:127.0.0.1:${port} <this device>, then open it there.`,
  dataNeeded: 'The folder of the node is needed: --data <folder>.',
  silent: (data: string) => `No node answers in ${data}. Start it, and run this command as the account that runs it.`,
  unknown: (word: string) => `${word}: unknown. Usage: tidenet-node open [--data <folder>] [--print]`,
}
const zh: typeof en = {
  address: (url) => `本机设备页面（一分钟内可打开一次）：${url}`,
  elsewhere: (port) => `从其他电脑访问：执行 ssh -L ${port}:127.0.0.1:${port} <此设备>，再在那里打开。`,
  dataNeeded: '请指定节点的数据目录：--data <目录>。',
  silent: (data) => `${data} 中没有节点响应。请启动节点，并以运行节点的账户执行此命令。`,
  unknown: (word) => `${word}：未知参数。用法：tidenet-node open [--data <目录>] [--print]`,
}

interface Options {
  env: NodeJS.ProcessEnv
  installed: string | undefined
  platform: NodeJS.Platform
  print: (line: string) => void
  run: (command: readonly string[]) => { status: number | null }
}

/**
 * `tidenet-node open`: opens the page of the device in a browser.
 * @throws StartError
 */
export async function runOpen(argv: readonly string[], options: Options): Promise<void> {
  const { env, installed, platform, print, run } = options
  const t = isChinese(env) ? zh : en
  let data = env.TIDENET_NODE_DATA || installed
  let isPrinted = false
  for (let at = 0; at < argv.length; at += 1) {
    const word = argv[at] ?? ''
    if (word === '--print') isPrinted = true
    else if (word === '--data' && argv[at + 1]) data = argv[++at]
    else throw new StartError(t.unknown(word))
  }
  if (!data) throw new StartError(t.dataNeeded)
  const url = await askAddress(data)
  if (!url) throw new StartError(t.silent(data))
  print(t.address(url))
  if (isPrinted || (platform === 'linux' && !env.DISPLAY && !env.WAYLAND_DISPLAY))
    return print(t.elsewhere(new URL(url).port))
  // Arguments of a program can be read by all accounts of the machine, this file by one.
  const file = join(data, 'open.html')
  await writeFile(file, `<!doctype html><meta http-equiv="refresh" content="0;url=${url}">`, { mode: 0o600 })
  const target = pathToFileURL(file).href
  if (platform === 'win32') run(['rundll32', 'url.dll,FileProtocolHandler', target])
  else run([platform === 'darwin' ? 'open' : 'xdg-open', target])
}
