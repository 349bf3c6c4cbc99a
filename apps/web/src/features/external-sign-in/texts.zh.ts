import type { Texts } from './texts.en.ts'

/** A space separates Chinese from other scripts. */
const apart = (name: string): string =>
  `${/^\p{Script=Han}/u.test(name) ? '' : ' '}${name}${/\p{Script=Han}$/u.test(name) ? '' : ' '}`

export const texts: Texts = {
  failures: {
    unreachable: '暂时无法访问该服务，请稍后重试，或使用其他方式登录。',
    browser:
      '可能不支持您的浏览器版本：浏览器没有保留本次登录的 Cookie。请允许本站使用 Cookie，或改用最新版本的浏览器后重试。',
    denied: '您在对方服务中取消了登录，未作任何更改。',
    expired: '本次登录已超时或已使用过，请重新开始。',
    refused: '无法确认对方服务的答复，请重新开始。',
  },
  continueWith: (name) => `使用${apart(name)}继续`,
  none: '本网络尚未接入第三方登录。',
  another: '第三方账号',
  firstTime: '首次使用将为您注册账号：您须有权存储所上传的内容，并自行保留重要内容的备份。',
  finishing: '正在登录',
  linking: '正在关联',
  card: {
    title: '第三方账号',
    intro: '关联后，可通过第三方账号登录本站。',
    failed: '已关联的第三方账号加载失败。',
    notLinked: '未关联',
    linkedAs: (who, date) => `${date}关联，账号：${who}`,
    linkedSince: (date) => `${date}关联`,
    lastUsed: (date) => `上次使用：${date}`,
    gone: '本网络已不再提供该服务。',
    link: '关联',
    linkService: (name) => `关联${apart(name).trimEnd()}`,
    unlink: '解除关联',
    unlinkService: (name) => `解除与${apart(name)}的关联`,
    confirm: {
      title: (name) => `解除与${apart(name)}的关联`,
      text: (name) => `解除后将无法再使用${apart(name)}登录，您可以随时重新关联。`,
      keep: '保留',
    },
  },
}
