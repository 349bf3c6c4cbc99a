import type { Lang } from '@tidenet/contract'

/** Texts of the ingress's own pages. */
export interface Texts {
  title: string
  text: string
}

export type PageName =
  | 'invalid'
  | 'misdirected'
  | 'unknown'
  | 'stopped'
  | 'silent'
  | 'busy'
  | 'failed'
  | 'signIn'
  | 'password'
  | 'wrong'
  | 'locked'

export const texts: Record<Lang, Record<PageName, Texts> & { field: string; open: string; enter: string }> = {
  en: {
    invalid: { title: 'Invalid request', text: 'The address of this request is not valid.' },
    misdirected: { title: 'Wrong connection', text: 'This connection is for another address. Open the page again.' },
    unknown: { title: 'No program here', text: 'No program has this address. Check its spelling.' },
    stopped: {
      title: 'Not running',
      text: 'This program is stopped. Its owner can start it in the container console.',
    },
    silent: {
      title: 'No answer',
      text: 'The program runs but does not accept connections on this port. It may still be starting: try again in a moment. If you own it, check that it listens on all addresses, not only on 127.0.0.1.',
    },
    busy: {
      title: 'Too many connections',
      text: 'Close other tabs with this address, or try again in a moment.',
    },
    failed: {
      title: 'Not available',
      text: 'The network cannot look up this address right now. Try again in a moment.',
    },
    signIn: {
      title: 'Only for its owner',
      text: 'Only the account that runs this program can open it. If this is yours, sign in.',
    },
    password: { title: 'Password', text: 'This address is protected with a password. Its owner can give it to you.' },
    wrong: { title: 'Wrong password', text: 'Check the password and try again.' },
    locked: { title: 'Too many attempts', text: 'Wait a while before you try another password.' },
    field: 'Password',
    open: 'Open',
    enter: 'Sign in',
  },
  cn: {
    invalid: { title: '请求无效', text: '请求的地址无效。' },
    misdirected: { title: '连接不匹配', text: '该连接用于其他地址，请重新打开页面。' },
    unknown: { title: '找不到应用', text: '没有应用使用此地址，请检查拼写。' },
    stopped: { title: '未运行', text: '该应用已停止，所有者可在容器控制台中启动。' },
    silent: {
      title: '没有响应',
      text: '应用正在运行，但未在此端口接受连接。它可能仍在启动，请稍后重试。如果您是所有者，请确认应用监听所有地址，而不仅是 127.0.0.1。',
    },
    busy: { title: '连接过多', text: '请关闭此地址的其他标签页，或稍后重试。' },
    failed: { title: '暂不可用', text: '网络暂时无法查找此地址，请稍后重试。' },
    signIn: { title: '仅所有者可访问', text: '只有运行该应用的账号可以打开。如果这是您的应用，请登录。' },
    password: { title: '需要密码', text: '此地址受密码保护，可向所有者索取密码。' },
    wrong: { title: '密码错误', text: '请检查密码后重试。' },
    locked: { title: '尝试次数过多', text: '请过一段时间再输入密码。' },
    field: '密码',
    open: '打开',
    enter: '登录',
  },
}
