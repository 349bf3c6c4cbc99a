import type { Texts } from './texts.en.ts'

export const texts: Texts = {
  title: '请先验证身份',
  text: '此操作关系到账号安全，而您上次登录已超过 10 分钟。',
  password: '您的密码',
  code: '身份验证器中的动态验证码',
  go: '确认',
  passkey: '使用通行密钥确认',
  none: '此账号没有可用于验证的密码或两步验证方式。请重新登录，登录后 10 分钟内可进行更改。',
  signInAgain: '重新登录',
  codeProblem: '请输入身份验证器显示的 6 位数字。',
}
