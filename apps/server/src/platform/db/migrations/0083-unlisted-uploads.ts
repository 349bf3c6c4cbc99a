/**
 * How many bytes may still arrive before what an account uploaded and did not list is counted again. Counting reads every receipt of the
 * account, so it is not done for each. In the row, because all servers accept receipts.
 */
export const up = `
alter table users add column unlisted_left bigint not null default 0, add column unlisted_counted_at timestamptz;
`
