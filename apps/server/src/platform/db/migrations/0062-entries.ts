/**
 * Entries: an account may list a content several times. What named an asset by its CID names it by its id, which it keeps in the trash.
 * Nothing rewrites `assets`: the constraint that allowed one entry per content only gives way to an index.
 */
export const up = `
-- Entries that are in the trash already get new ids. The default lets servers of the version before still fill the trash.
alter table trashed_assets add column asset_id bigint;
update trashed_assets set asset_id = nextval(pg_get_serial_sequence('assets', 'id'));
do $$ begin
  execute format('alter table trashed_assets alter column asset_id set default nextval(%L)', pg_get_serial_sequence('assets', 'id'));
end $$;
alter table trashed_assets alter column asset_id set not null, drop constraint trashed_assets_pkey, add primary key (asset_id);
create index trashed_assets_of_content on trashed_assets (user_id, cid);

-- Several announced uploads of one content, each with its place. Null: the content is not listed if the account has it anywhere.
alter table reservations add column on_conflict text check (on_conflict in ('fail', 'keep_both', 'replace'));
alter table reservations drop constraint reservations_pkey, add primary key (user_id, cid, folder_id, name);

-- A link belongs to an entry or a folder. The target of an entry stays its CID.
alter table links add column asset_id bigint;
update links l set asset_id = a.id from assets a where l.kind <> 'group' and a.user_id = l.user_id and a.cid = l.target;
update links l set asset_id = a.asset_id from trashed_assets a
  where l.kind <> 'group' and l.asset_id is null and a.user_id = l.user_id and a.cid = l.target;
drop index links_target;
create index links_of_user on links (user_id, target);
create unique index links_of_folder on links (user_id, target) where kind = 'group';
create unique index links_of_asset on links (asset_id);

-- Visitors count per entry. A visitor counts again after a day, so older rows say nothing.
delete from share_downloads where first_at < now() - interval '1 day';
update share_downloads d set target = 'asset:' || a.id from assets a where a.user_id = d.user_id and a.cid = d.target;

create or replace function keep_upload_receipts() returns trigger language plpgsql as $$
begin
  -- Not those of an account that is being deleted itself. Entries of one content have one receipt.
  insert into former_uploads (user_id, content, receipt_id, deleted_at)
    select distinct on (g.user_id, g.cid) g.user_id, substring(sha256(convert_to(g.cid, 'UTF8')) from 1 for 16), g.receipt_id, now()
    from gone g join users u on u.id = g.user_id where g.receipt_id is not null order by g.user_id, g.cid, g.receipt_id
    on conflict (user_id, content) do update set receipt_id = excluded.receipt_id, deleted_at = excluded.deleted_at;
  return null;
end $$;

-- Last, because it locks the table of assets: against writes for the index, against reads for an instant.
create index assets_of_content on assets (user_id, cid, id);
alter table assets drop constraint assets_once;
`
