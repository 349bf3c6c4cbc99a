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
    'A conversation can be rated once it was closed, and once per closing.',
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
  chatTaken: text('Another agent has taken this conversation.', '该对话已由其他客服接手。', 1022),
  chatAgent: text('There is no agent with this account.', '没有使用该账号的客服。', 1000),
  chatCanned: text(
    'A canned answer with this name exists, or there are too many.',
    '已有同名的快捷回复，或数量已达上限。',
    1022,
  ),
}
