import type { Texts } from './texts.en.ts'

export const texts: Texts = {
  contents: '本页内容',
  introduction: {
    eyebrow: '网络是什么',
    title: '建在人们出租的机器上的存储与算力',
    intro: '设备主人出租闲置的部分，客户租用它们。网络负责放置、校验、修复与记账，谁都不必听信谁的一面之词。',
    try: '上传一个文件',
    node: '出租一台设备',
  },
  about: {
    eyebrow: '关于',
    title: '为经得起核对而建',
    intro: '我们在意什么，现在进展如何，怎样联系我们。',
    write: '写信给我们',
  },
  blockchain: {
    eyebrow: '链',
    title: '只为少数需要账本的事情记账',
    intro: '订单、通证与奖励在人人可查的地方结算，其余一切都留在链下。',
    containers: '容器资源',
  },
  privacy: {
    eyebrow: '隐私',
    title: '保存什么、保存多久、什么绝不保存',
    intro: '依据代码写成，用平实的话。',
  },
  changelog: {
    eyebrow: '更新日志',
    title: '变化记录',
    intro: '每个版本，最新的在前。',
  },
  ecology: {
    eyebrow: '生态',
    title: '与您已在使用的工具配合',
    intro: 'Tidenet 采用通行的格式与协议。这里列出我们实际测试过的，以及能做什么、怎样做。',
    all: '全部',
    kinds: { format: '格式', protocol: '协议', tool: '工具', platform: '平台' },
    use: '用途',
    how: '用法',
    tested: '依据',
    site: '前往其网站',
    close: '收起',
    open: '查看用法',
    filter: '类别',
    cases: '完整的示例见“学习”。',
    toCases: '阅读案例',
  },
}
