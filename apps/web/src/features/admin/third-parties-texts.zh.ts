import type { Texts } from './third-parties-texts.en.ts'

export const texts: Texts = {
  kinds: { kubo: 'Kubo 节点', pinning: 'Pinning 服务', simulation: '模拟，不存储任何数据' },
  failed: '存储商加载失败',
  none: '尚未配置存储商',
  noneText: '请在 TIDENET_THIRD_PARTY 中列出存储商，然后重启服务器。',
  simulated: '模拟',
  healthy: '正常响应',
  failing: '没有响应',
  unknown: '尚未查询',
  unconfigured: '已不在配置中',
  unconfiguredText: (waiting) =>
    `服务器无法再检查这些副本${waiting > 0 ? `，其中 ${waiting} 个应删除的副本也无法删除` : ''}。请用相同的名称和类型把该存储商重新写入 TIDENET_THIRD_PARTY 并重启服务器，处理会立即继续。如果它不再恢复，请自行在该存储商处删除文件，并要求对方确认。`,
  answered: (when) => `最近响应：${when}`,
  failedAt: (when) => `最近失败：${when}`,
  stored: '已存储',
  bytes: '字节数',
  inProgress: '进行中',
  queued: '排队中',
  failures: '失败',
  removing: '正在删除',
  late: '延迟',
  restoring: (count) => `有 ${count} 个内容没有任何节点持有，正在取回。`,
  failuresTitle: '最近的失败记录',
  noFailures: '无',
  tries: (count) => `已尝试 ${count} 次`,
}
