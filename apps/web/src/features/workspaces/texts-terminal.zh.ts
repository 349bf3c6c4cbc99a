import type { terminalTexts as English } from './texts-terminal.en.ts'

const n = (count: number) => count.toLocaleString('zh-CN')

/** The terminal. */
export const terminalTexts: typeof English = {
  terminal: {
    title: (name) => `${name} 的终端`,
    input: '终端输入',
    tooMuch: '输出过多，无法逐一朗读，可逐行浏览。',
    back: '返回应用',
    connecting: '正在连接…',
    open: '已连接',
    again: (seconds) => `连接已断开，${n(seconds)} 秒后重试。`,
    fresh: '已重新连接：这是新的 shell，之前的 shell 已结束',
    ended: (code) => `shell 已结束，退出码 ${code}。`,
    newShell: '打开新的 shell',
    now: '立即重试',
    closed: {
      session: '控制台会话已结束，请重新打开控制台。',
      unknown: '该应用已不存在。',
      stopped: '应用未运行。请启动后再连接。',
      processes: '应用的进程数已达上限。请结束部分进程，或停止后重新启动应用。',
      tooMany: '打开的终端过多。请关闭一个后再连接。',
      failed: '无法打开终端，集群可能暂时没有响应，请稍后重试。',
    },
    start: '启动应用',
    leaveHint: '按 F6 离开终端；Tab 键只在终端内起作用。',
    reader: '屏幕阅读器',
    readerHint: '朗读终端显示的内容',
    copy: '复制所选内容',
    nothing: '未选择任何内容',
    keys: '更多按键',
    larger: '放大字号',
    smaller: '缩小字号',
    size: (columns, rows) => `${n(columns)} × ${n(rows)}`,
  },
}
