/** The languages that engines are sent. */
export const up = `
alter table speech_tasks add check (language in ('zh', 'zh-Hant', 'en', 'es', 'fr', 'de', 'pt', 'it', 'ja', 'ko'));
`
