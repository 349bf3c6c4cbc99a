/** Uploads of unknown size reserve all that is left of a cap, until their size is known. */
export const up = `
alter table key_transfers add column unsized boolean not null default false;
`
