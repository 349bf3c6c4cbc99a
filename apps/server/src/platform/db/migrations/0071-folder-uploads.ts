/** A folder that is uploaded has one trace; in it, the client numbers its files, so that a repeated call does not begin an upload twice. */
export const up = `
alter table upload_grants add column item int;
`
