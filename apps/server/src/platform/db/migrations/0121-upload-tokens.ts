/**
 * Finds the grant of a receipt by its token, and those of a file by its number in the trace: the trace of a folder has one for each file.
 * Without a list of pending entries, because the latest grants are those that are looked for.
 */
export const up = `
create index upload_grants_tokens on upload_grants using gin (tokens) with (fastupdate = off);
drop index upload_grants_trace;
create index upload_grants_trace on upload_grants (trace_id, item);
`
