import type { texts as english } from './kept-texts.en.ts'

/** 订单到期后保留的工作区。 */
export const texts: typeof english = {
  title: '订单已到期，应用已停止并保留',
  text: '请在保留期内再次购买该订单，所有应用将连同文件一起恢复运行。逾期后，此处的全部数据将被删除，无法恢复。',
  since: '停止时间',
  until: '删除时间',
  left: '剩余时间',
  restore: '再次购买并恢复',
  what: '保留的内容',
  disk: (size) => `磁盘已用 ${size}`,
  unmeasured: '尚未测量磁盘用量',
  settings: '磁盘、已安装的软件及其他文件系统改动、设置、环境变量和访问地址。',
  not: '不保留：仅存在于内存中的数据。',
  files: '应用停止期间无法下载文件。请先再次购买订单，购买最短时长即可。',
  one: '如需立即删除某个应用，请在其菜单中选择“移除”。',
  line: (date) => `已停止，保留至 ${date}，逾期删除。`,
  atEnd: '订单到期后，应用将停止运行并保留 72 小时。在此期间再次购买订单，应用将连同文件一起恢复。',
}
