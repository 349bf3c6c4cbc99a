/** What people see of the gateway, in both languages. */

export type Lang = 'en' | 'zh'
export type Text = Readonly<Record<Lang, string>>

const text = (en: string, zh: string): Text => ({ en, zh })

export const texts = {
  notFound: text(
    'This gateway does not serve this content: nobody has published it here.',
    '该网关不提供此内容：没有人在此公开发布过它。',
  ),
  noPath: text('There is no such file in this folder.', '该文件夹中没有这个文件。'),
  blocked: text('The operators have blocked this content.', '该内容已被运营人员屏蔽。'),
  ended: text('This file is not published any more.', '该文件已不再公开发布。'),
  badPath: text('The address is not valid.', '地址无效。'),
  badCid: text('The CID in the address is not valid.', '地址中的 CID 无效。'),
  badParameter: text('A parameter in the address is not valid.', '地址中的参数无效。'),
  format: text(
    'This format is not available. Formats: raw, car, or none for files and folders.',
    '不支持该格式。可用格式：raw、car；不指定则返回文件或文件夹。',
  ),
  document: text(
    'This content is not of the format that you asked for, and this gateway does not convert: read it with format=raw or without a format.',
    '该内容并非所请求的格式，且该网关不做格式转换：请使用 format=raw 读取，或不指定格式。',
  ),
  carVersion: text('Only CAR version 1 is available.', '仅支持 CAR 版本 1。'),
  codec: text(
    'Content of this codec is available as single blocks only: format=raw.',
    '此编码的内容仅可按单个数据块读取：format=raw。',
  ),
  damaged: text('This content is built in a way that cannot be shown.', '该内容的结构无法显示。'),
  ipns: text('This gateway does not resolve IPNS names.', '该网关不解析 IPNS 名称。'),
  method: text('This gateway only reads: GET and HEAD.', '该网关只读：GET 和 HEAD。'),
  body: text('Requests to this gateway have no body.', '对该网关的请求不能包含请求体。'),
  worker: text('Service workers are not available on this address.', '此地址不支持 Service Worker。'),
  notCached: text('This content is not available.', '该内容不可用。'),
  range: text('The requested range is outside the content.', '请求的范围超出内容。'),
  traffic: text(
    'The download traffic of this content is used up for now. Try again later.',
    '该内容的下载流量暂时已用尽，请稍后再试。',
  ),
  unavailable: text('No node has this content right now. Try again later.', '当前没有节点可提供该内容，请稍后再试。'),
  busy: text('The gateway is busy. Try again shortly.', '网关繁忙，请稍后再试。'),
  failed: text('The gateway failed. Try again later.', '网关出错，请稍后再试。'),
  folder: text('Folder', '文件夹'),
  name: text('Name', '名称'),
  size: text('Size', '大小'),
  parent: text('Parent folder', '上级文件夹'),
  empty: text('This folder is empty.', '该文件夹为空。'),
  more: text('The folder has more entries than are shown here.', '该文件夹的条目较多，此处仅显示一部分。'),
  title: text('Public IPFS gateway', '公共 IPFS 网关'),
  intro: text(
    'It serves files and folders that people have published, by their CID: /ipfs/<CID>.',
    '提供用户公开发布的文件和文件夹，按 CID 访问：/ipfs/<CID>。',
  ),
  report: text('Report content', '举报内容'),
} as const

/** The first language of the client that exists here; English otherwise. */
export function langOf(accepted: string | undefined): Lang {
  for (const item of (accepted ?? '').split(',')) {
    const name = item.split(';', 1)[0]?.trim().toLowerCase() ?? ''
    if (name === 'zh' || name.startsWith('zh-')) return 'zh'
    if (name === 'en' || name.startsWith('en-')) return 'en'
  }
  return 'en'
}
