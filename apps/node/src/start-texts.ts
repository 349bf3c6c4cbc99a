import { isChinese } from './terminal-language.ts'

/** What a person who starts the node in a terminal reads. */
const en = {
  noOptions: [
    'tidenet-node needs the address of the portal and a folder for its data:',
    '  tidenet-node --server <url> --data <folder>',
    'The download page of the portal shows the whole command. All options: tidenet-node --help',
  ].join('\n'),
  started: (id: string, data: string, isRegistered: boolean): readonly string[] => [
    isRegistered
      ? `This device is in the network as ${id}.`
      : `This device is ${id}. The portal does not answer yet; the device joins as soon as it does.`,
    'It stays there as long as this window is open. Stop it with Ctrl-C.',
    `Its page, in another window:      tidenet-node open --data ${data}`,
    'Start it with the system instead: tidenet-node install <the same options>',
  ],
}

const zh: typeof en = {
  noOptions: [
    'tidenet-node 需要门户的地址和一个数据文件夹：',
    '  tidenet-node --server <url> --data <folder>',
    '完整命令见门户的下载页；全部选项：tidenet-node --help',
  ].join('\n'),
  started: (id, data, isRegistered) => [
    isRegistered ? `本设备已加入网络：${id}。` : `本设备：${id}。门户暂无响应，恢复后将自动加入网络。`,
    '本窗口保持打开期间，设备一直在线；按 Ctrl-C 停止。',
    `在另一个窗口中打开设备页面：tidenet-node open --data ${data}`,
    '改为随系统启动：tidenet-node install <相同选项>',
  ],
}

export const startTextsOf = (env: NodeJS.ProcessEnv): typeof en => (isChinese(env) ? zh : en)
