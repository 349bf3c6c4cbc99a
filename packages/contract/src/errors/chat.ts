import { CHAT_VISITOR_INVALID } from '../chat.ts'
import { mebibytes, template, text } from './entry.ts'

/** Errors of the support chat. */
export const chat = {
  chatVisitor: text(
    'The visitor token of the support chat is missing or invalid. Begin a new conversation.',
    '客服对话的访客令牌缺失或无效，请重新发起对话。',
    CHAT_VISITOR_INVALID,
  ),
  chatUnknown: text('There is no such conversation. It may have been deleted.', '未找到该对话，可能已被删除。', 1000),
  chatNotClosed: text(
    'A conversation can be rated after it was closed, once each time.',
    '对话结束后才能评价，每次结束只能评价一次。',
    1000,
  ),
  chatEmail: text(
    'Answers can only be mailed to the e-mail address of your account.',
    '回复只能发送到您账号绑定的邮箱。',
    1001,
  ),
  chatAttachmentMissing: text(
    'The file has not arrived yet, was not uploaded by you, or is a folder. Upload it first.',
    '文件尚未上传完成、不是由您上传，或者是文件夹。请先上传文件。',
    1000,
  ),
  chatAttachmentTooLarge: template<{ max: number }>(
    1001,
    ({ max }) => `Attachments can have at most ${mebibytes(max)} MiB.`,
    ({ max }) => `附件不能超过 ${mebibytes(max)} MiB。`,
  ),
  chatAttachmentsFull: template<{ max: number }>(
    1022,
    ({ max }) =>
      `The attachments of a conversation can have at most ${mebibytes(max)} MiB together. Delete the conversation to begin a new one.`,
    ({ max }) => `一段对话的附件总大小不能超过 ${mebibytes(max)} MiB。删除该对话后可重新发起。`,
  ),
  chatTaken: text(
    'Another agent has taken this conversation. To take it over, assign it to yourself.',
    '该对话已由其他客服接手。如需接手，请将其分配给自己。',
    1022,
  ),
  chatAgent: text('This account is no agent. Choose another one.', '该账号不是客服，请另选一位。', 1000),
  chatCanned: text(
    'A canned answer with this name exists, or there are too many. Choose another name, or delete one.',
    '已有同名的快捷回复，或数量已达上限。请更换名称，或删除一条。',
    1022,
  ),
}
