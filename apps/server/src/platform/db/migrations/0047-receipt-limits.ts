/** What bounds the number of receipts; and how long devices were online on the days of their earnings. */
export const up = `
-- Receipts that were issued for what one node sent in one download.
alter table trace_sent add column receipts int not null default 0;
update trace_sent set receipts = 1 where receipt_id is not null;

-- Receipts of uploads that were issued for the account on its last day (UTC) with any.
alter table users add column upload_receipts_day date, add column upload_receipts int not null default 0;

-- Receipts of uploads that the account has deleted: the same upload again gets the same receipt.
create table former_uploads (
  user_id bigint not null,
  -- The first half of the SHA-256 of the CID.
  content bytea not null,
  receipt_id bigint not null,
  deleted_at timestamptz not null,
  primary key (user_id, content)
);
create index former_uploads_age on former_uploads (deleted_at);
create function keep_upload_receipts() returns trigger language plpgsql as $$
begin
  -- Not those of an account that is being deleted itself.
  insert into former_uploads (user_id, content, receipt_id, deleted_at)
    select g.user_id, substring(sha256(convert_to(g.cid, 'UTF8')) from 1 for 16), g.receipt_id, now()
    from gone g join users u on u.id = g.user_id where g.receipt_id is not null
    on conflict (user_id, content) do update set receipt_id = excluded.receipt_id, deleted_at = excluded.deleted_at;
  return null;
end $$;
create trigger assets_deleted after delete on assets referencing old table as gone
  for each statement execute function keep_upload_receipts();

-- Seconds of this day.
alter table device_days add column online int not null default 0;
update device_days d set online = h.online from (
  select user_id, node_id, (hour at time zone 'UTC')::date as day, sum(online)::int as online from node_hours
  where user_id is not null group by 1, 2, 3
) h where h.user_id = d.user_id and h.node_id = d.node_id and h.day = d.day;
`
