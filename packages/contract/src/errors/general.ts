import { RECEIPT_PENDING } from '../constants.ts'
import { template, text } from './entry.ts'

/** Errors of any call: requests, names and limits. */
export const general = {
  notFound: text('Not found. It may have been deleted.', '未找到该内容，可能已被删除。', 1000),
  receiptPending: text(
    'The receipt is being written. Try again in a few seconds.',
    '凭证正在生成，请几秒后重试。',
    RECEIPT_PENDING,
  ),
  /** `hint` says what is expected, in the language of the text. */
  invalidParams: template<{ field: string; hint?: string }>(
    1001,
    ({ field, hint }) => `Please check the input: ${field}. ${hint ?? ''}`.trim(),
    ({ field, hint }) => `请检查输入内容：${field}。${hint ?? ''}`,
  ),
  bodyNotJson: text('The request body is not valid JSON.', '请求体不是有效的 JSON。', 1001),
  bodyTooLarge: template<{ max: number }>(
    1001,
    ({ max }) => `The request body is too large: at most ${max} bytes are allowed.`,
    ({ max }) => `请求体过大，最多 ${max} 字节。`,
  ),
  bodyKind: text(
    'The request body must be JSON. Send it with the header Content-Type: application/json.',
    '请求体须为 JSON，请使用请求头 Content-Type: application/json 发送。',
    1001,
  ),
  requestMalformed: text('The request is not valid HTTP.', '请求格式错误，无法识别。', 1001),
  headersTooLarge: text('The request headers are too large.', '请求头过大。', 1001),
  requestSlow: text('The request was not received in time.', '未能及时收到完整的请求。', 1001),
  badAddress: text('The request URL is too long or not encoded correctly.', '请求地址过长或编码不正确。', 1001),
  tooManyRequests: template<{ seconds: number }>(
    1020,
    ({ seconds }) => `Too many requests. Try again in ${seconds} seconds.`,
    ({ seconds }) => `请求过于频繁，请在 ${seconds} 秒后重试。`,
  ),
  forbidden: text('You do not have permission to do this.', '您没有权限执行此操作。', 1028),
  /** HTTP 503 with Retry-After: the call had no effect and can be repeated. */
  unavailable: text(
    'The service is currently unavailable. Please try again in a few seconds.',
    '服务暂时不可用，请稍候几秒再试。',
    503,
  ),
  internal: text('Something went wrong on our side. Please try again later.', '服务异常，请稍后重试。', 1004),

  nameMissing: text('Please enter a name.', '请输入名称。', 1001),
  nameTooLong: template<{ max: number }>(
    1001,
    ({ max }) => `The name is too long: at most ${max} characters are allowed.`,
    ({ max }) => `名称最多 ${max} 个字符。`,
  ),
  nameForbidden: text(
    'A name must not contain / \\ or control characters, and must not be . or ..',
    '名称不能包含 / \\ 或控制字符，也不能是 . 或 ..。',
    1001,
  ),
  contactNameMissing: text('Please enter your name.', '请填写您的姓名。', 1001),
  textMissing: text('Please enter a message.', '请填写内容。', 1001),
  textTooLong: template<{ max: number }>(
    1001,
    ({ max }) => `The text is too long: at most ${max} characters are allowed.`,
    ({ max }) => `内容最多 ${max} 个字符。`,
  ),
}
