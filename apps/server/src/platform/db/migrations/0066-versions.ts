/** Versions: what an entry contained before its content was replaced. */
export const up = `
-- A constant default rewrites nothing.
alter table assets add column version int not null default 1;
alter table trashed_assets add column version int not null default 1;

create table asset_versions (
  id bigint generated always as identity primary key,
  user_id bigint not null references users on delete cascade,
  -- In assets or trashed_assets.
  asset_id bigint not null,
  -- Counted per entry, from 1; the current content has a higher one.
  version int not null,
  cid text not null references contents,
  kind text not null check (kind in ('file', 'folder')),
  size bigint not null,
  md5 text,
  encrypted boolean not null,
  restricted_to text[],
  receipt_id bigint,
  created_at timestamptz not null,
  replaced_at timestamptz not null,
  -- When it is deleted.
  purge_at timestamptz not null,
  -- Deleted by its owner, who can undo that until then.
  removed_at timestamptz,
  unique (asset_id, version)
);
create index asset_versions_oldest on asset_versions (user_id, replaced_at, id);
create index asset_versions_cid on asset_versions (cid);
create index asset_versions_due on asset_versions (purge_at);

alter table users add column version_bytes bigint not null default 0 check (version_bytes >= 0);

create function versions_count() returns trigger language plpgsql as $$
begin
  update users u set version_bytes = u.version_bytes + g.size
    from (select user_id, sum(size) as size from came group by user_id) g where u.id = g.user_id;
  return null;
end $$;
create trigger versions_count after insert on asset_versions referencing new table as came for each statement execute function versions_count();
create function versions_uncount() returns trigger language plpgsql as $$
begin
  update users u set version_bytes = u.version_bytes - g.size
    from (select user_id, sum(size) as size from gone group by user_id) g where u.id = g.user_id;
  return null;
end $$;
create trigger versions_uncount after delete on asset_versions referencing old table as gone for each statement execute function versions_uncount();
create trigger versions_deleted after delete on asset_versions referencing old table as gone
  for each statement execute function keep_upload_receipts();

-- Shares of the content that an entry had end: nodes know shares by content.
create trigger assets_unshare_replaced after update of cid on assets for each row
  when (old.cid <> new.cid) execute function assets_unshare();
`
