import { mebibytes, template, text } from './entry.ts'

/** Errors of speech to text. Their texts begin as the specification gives them. */
export const speech = {
  speechNoEngine: text(
    'Speech to text is not available: no speech engine is connected.',
    '语音转文字暂不可用：尚未接入语音引擎。',
    2080,
  ),
  speechBusy: text('Service is busy, try again later.', '服务繁忙，请稍后重试。', 2081),
  speechNoUses: template<{ max: number }>(
    2082,
    ({ max }) => `Number of experiences insufficient: ${max} a day for each account. Please try again tomorrow.`,
    ({ max }) => `体验次数不足：每个账号每天 ${max} 次，请明天再试。`,
  ),
  speechNoFile: text('Please select a file.', '请选择文件。', 2083),
  speechNoLanguage: text('Please select a language.', '请选择语言。', 2084),
  speechTooLarge: template<{ max: number }>(
    2085,
    ({ max }) => `File too big: at most ${mebibytes(max)} MiB.`,
    ({ max }) => `文件过大，最大 ${mebibytes(max)} MiB。`,
  ),
  speechType: text('Wrong file type: this is neither an MP3 nor a WAV.', '文件类型错误，仅支持 MP3 和 WAV。', 2086),
  speechUnreadable: text(
    'This recording cannot be read. It may be damaged or incomplete.',
    '无法读取该录音，文件可能已损坏或不完整。',
    2087,
  ),
  speechDuration: template<{ minutes: number }>(
    2088,
    ({ minutes }) => `Duration exceeded: at most ${minutes} minutes.`,
    ({ minutes }) => `时长超出限制，最长 ${minutes} 分钟。`,
  ),
  speechUnfinished: template<{ max: number }>(
    2089,
    ({ max }) => `You have ${max} unfinished transcriptions. Wait for one, or cancel it.`,
    ({ max }) => `您有 ${max} 个未完成的转写任务，请等待完成或取消其中一个。`,
  ),
  speechFull: template<{ max: number }>(
    2090,
    ({ max }) => `You keep ${max} transcripts already. Delete some first.`,
    ({ max }) => `您已保存 ${max} 份转写文本，请先删除一部分。`,
  ),
  speechUnknown: text(
    'There is no such transcription. It may have been deleted.',
    '未找到该转写任务，可能已被删除。',
    2091,
  ),
  speechPart: template<{ min: number; max: number }>(
    2095,
    ({ min, max }) => `Send ${min} to ${max} bytes of a recording in one request; only the last part may be smaller.`,
    ({ min, max }) => `每次请求须发送 ${min} 至 ${max} 字节的录音内容，仅最后一部分可以更小。`,
  ),
  speechLong: template<{ max: number }>(
    2096,
    ({ max }) => `A transcript can have at most ${max} characters. Shorten your changes.`,
    ({ max }) => `转写文本最多 ${max} 个字符，请缩短修改内容。`,
  ),
  speechNoText: text(
    'This transcription has no text yet. Wait until it is complete.',
    '该转写任务尚无文本，请等待转写完成。',
    2092,
  ),
  speechChanged: text(
    'The transcript was changed elsewhere. Load it again.',
    '该文本已在其他地方被修改，请重新加载。',
    2093,
  ),
  speechAudioGone: text(
    'The recording was deleted and can no longer be downloaded.',
    '该录音已被删除，无法再下载。',
    2094,
  ),
}
