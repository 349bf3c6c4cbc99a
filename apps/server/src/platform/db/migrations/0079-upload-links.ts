/** Short links by which visitors upload files into a folder, and see nothing of it. */
export const up = `
alter table short_links
  add column upload_files integer check (upload_files > 0),
  add column upload_bytes bigint check (upload_bytes > 0),
  add column uploaded_files integer not null default 0,
  add column uploaded_bytes bigint not null default 0,
  add constraint short_links_upload check (num_nonnulls(upload_files, upload_bytes) = 0
    or (num_nonnulls(upload_files, upload_bytes) = 2 and folder_id is not null));

-- What visitors uploaded: a repeated call adds nothing, and owners are told of several files at once.
create table link_uploads (
  trace_id text primary key,
  link_id text not null references short_links (id) on delete cascade,
  user_id bigint not null references users (id) on delete cascade,
  name text not null,
  size bigint not null,
  at timestamptz not null,
  notified_at timestamptz
);
create index link_uploads_of on link_uploads (link_id, notified_at);
create index link_uploads_new on link_uploads (at) where notified_at is null;
create index link_uploads_user on link_uploads (user_id);
create index link_uploads_at on link_uploads (at);

alter table notification_choices drop constraint notification_choices_kind_check;
alter table notification_choices add constraint notification_choices_kind_check
  check (kind in ('ending', 'usage', 'orders', 'devices', 'earnings', 'teams', 'webhooks', 'support', 'uploads'));
`
