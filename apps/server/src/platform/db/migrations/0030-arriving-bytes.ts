/** Quota is reserved only while bytes of an upload arrive. */
export const up = `
-- Bytes that each node has reported, in the order of the tokens, and when they last grew fast enough to renew the reservation.
alter table upload_grants add column received bigint[] not null default '{}', add column moved_at timestamptz;
-- Nodes of earlier releases do not report the bytes of running uploads.
alter table nodes add column reports_uploads boolean not null default false;
`
