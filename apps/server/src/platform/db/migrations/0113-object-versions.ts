/** Tags and versions of objects, and settings of buckets. */
export const up = `
-- Files that came by other ways can have tags, and nothing else.
alter table object_details alter column etag drop not null, alter column modified_at drop not null,
  add column tags jsonb not null default '[]';
alter table object_uploads add column tags jsonb not null default '[]', add column parts int not null default 0;
update object_uploads u set parts = (select count(*) from object_parts p where p.upload_id = u.id);

create table bucket_settings (
  -- A folder of the root, also while it is in the trash.
  folder_id bigint primary key,
  user_id bigint not null references users on delete cascade,
  -- Null: never enabled.
  versioning text check (versioning in ('Enabled', 'Suspended')),
  cors jsonb not null default '[]',
  lifecycle jsonb not null default '[]',
  -- When the rules are evaluated next; null: there are none.
  check_at timestamptz,
  -- Where an evaluation that has begun goes on.
  checked_until jsonb
);
create index bucket_settings_due on bucket_settings (check_at) where check_at is not null;
create index bucket_settings_of_user on bucket_settings (user_id);

-- The folder of the root that a folder is, or is in.
create function bucket_of(account bigint, folder bigint) returns bigint language sql stable as $$
  with recursive above as (
    select id, parent_id from folders where id = folder and user_id = account
    union all select f.id, f.parent_id from above a join folders f on f.id = a.parent_id and f.user_id = account
  )
  select id from above where parent_id = 0
$$;

-- Enabled, Suspended, or null: of the bucket that a folder is in. Accounts without such a bucket cost one lookup.
create function bucket_versioning(account bigint, folder bigint) returns text language plpgsql stable as $$
begin
  if not exists (select from bucket_settings where user_id = account and versioning is not null) then return null; end if;
  return (select versioning from bucket_settings where user_id = account and folder_id = bucket_of(account, folder));
end $$;

-- What S3 calls a version by; null is the version "null", which was written while versioning was not enabled.
alter table assets add column version_id uuid;
alter table trashed_assets add column version_id uuid;
-- Kept until it is deleted: it counts as used storage, and S3 lists it.
alter table asset_versions add column version_id uuid, add column kept boolean not null default false;
alter table trash add column kept boolean not null default false;

-- Objects that S3 deleted in buckets with versions, the latest with the highest id.
create table object_deletions (
  id bigint generated always as identity primary key,
  user_id bigint not null references users on delete cascade,
  folder_id bigint not null,
  -- The last part of the key.
  part text collate "C" not null,
  -- Whether there is a delete marker; without one, the row is the place of an object below others.
  is_marker boolean not null default true,
  version_id uuid,
  created_at timestamptz not null,
  -- The object, in the trash; null: none that is kept.
  asset_id bigint
);
create index object_deletions_by_key on object_deletions (user_id, folder_id, part, id);
create index object_deletions_asset on object_deletions (asset_id);

create or replace function versions_count() returns trigger language plpgsql as $$
begin
  update users u set version_bytes = u.version_bytes + g.size, used_bytes = u.used_bytes + g.kept
    from (select user_id, coalesce(sum(size) filter (where not kept), 0) as size, coalesce(sum(size) filter (where kept), 0) as kept
      from came group by user_id) g where u.id = g.user_id;
  return null;
end $$;
create or replace function versions_uncount() returns trigger language plpgsql as $$
begin
  update users u set version_bytes = u.version_bytes - g.size, used_bytes = u.used_bytes - g.kept
    from (select user_id, coalesce(sum(size) filter (where not kept), 0) as size, coalesce(sum(size) filter (where kept), 0) as kept
      from gone group by user_id) g where u.id = g.user_id;
  return null;
end $$;
create function versions_recount() returns trigger language plpgsql as $$
declare
  bytes bigint := case when new.kept then new.size else -new.size end;
begin
  update users set used_bytes = used_bytes + bytes, version_bytes = version_bytes - bytes where id = new.user_id;
  return null;
end $$;
create trigger versions_recount after update of kept on asset_versions for each row when (old.kept <> new.kept) execute function versions_recount();

create or replace function trashed_count() returns trigger language plpgsql as $$
begin
  update users u set trash_bytes = u.trash_bytes + g.size, used_bytes = u.used_bytes + g.kept
    from (select c.user_id, coalesce(sum(c.size) filter (where not t.kept), 0) as size, coalesce(sum(c.size) filter (where t.kept), 0) as kept
      from came c join trash t on t.id = c.trash_id group by c.user_id) g where u.id = g.user_id;
  update trash t set files = t.files + g.files, size = t.size + g.size
    from (select trash_id, count(*) as files, sum(size) as size from came group by trash_id) g where t.id = g.trash_id;
  return null;
end $$;
create or replace function trashed_uncount() returns trigger language plpgsql as $$
begin
  update users u set trash_bytes = u.trash_bytes - g.size, used_bytes = u.used_bytes - g.kept
    from (select c.user_id, coalesce(sum(c.size) filter (where t.kept is not true), 0) as size, coalesce(sum(c.size) filter (where t.kept), 0) as kept
      from gone c left join trash t on t.id = c.trash_id group by c.user_id) g where u.id = g.user_id;
  update trash t set files = t.files - g.files, size = t.size - g.size
    from (select trash_id, count(*) as files, sum(size) as size from gone group by trash_id) g where t.id = g.trash_id;
  -- An asset that came back by another way leaves nothing to take out of the trash.
  delete from trash t using (select distinct trash_id from gone) g where t.id = g.trash_id and t.kind <> 'group' and t.files = 0;
  -- What was restored was not deleted; what was deleted for good leaves its marker.
  delete from object_deletions d using gone g where d.asset_id = g.asset_id
    and (not d.is_marker or exists (select from assets a where a.id = g.asset_id));
  update object_deletions d set asset_id = null from gone g where d.asset_id = g.asset_id;
  return null;
end $$;
-- The newest of its versions becomes the content of an object in the trash.
create function trashed_recount() returns trigger language plpgsql as $$
declare
  more bigint := new.size - old.size;
  kept_bytes bigint;
begin
  update trash set size = size + more where id = new.trash_id returning case when kept then more else 0 end into kept_bytes;
  update users set used_bytes = used_bytes + kept_bytes, trash_bytes = trash_bytes + more - kept_bytes where id = new.user_id;
  return null;
end $$;
create trigger trashed_recount after update of size on trashed_assets for each row when (old.size <> new.size) execute function trashed_recount();
create function trash_recount() returns trigger language plpgsql as $$
declare
  bytes bigint := case when new.kept then new.size else -new.size end;
begin
  update users set used_bytes = used_bytes + bytes, trash_bytes = trash_bytes - bytes where id = new.user_id;
  return null;
end $$;
create trigger trash_recount after update of kept on trash for each row when (old.kept <> new.kept) execute function trash_recount();

-- A content that is restored as a new version has what S3 kept of it.
create function copy_object_details(asset bigint, from_version int, to_version int) returns void language sql as $$
  insert into object_details (asset_id, version, user_id, etag, modified_at, headers, metadata, checksums, tags)
    select asset_id, to_version, user_id, etag, modified_at, headers, metadata, checksums, tags from object_details
    where asset_id = asset and version = from_version
  on conflict do nothing
$$;

-- The versions of one key, the newest first. Objects that were deleted have the id of their deletion; the current one the highest number.
-- past_*: only versions behind that one.
create function versions_of_key(account bigint, folder bigint, key_part_of text, most int, past_deletion bigint, past_step int, past_version int)
returns table (deletion bigint, step int, version int, asset_id bigint, version_id uuid, row_id bigint, cid text, kind text, size bigint, md5 text,
  encrypted boolean, restricted_to text[], receipt_id bigint, created_at timestamptz, is_trashed boolean) language plpgsql stable as $$
#variable_conflict use_column
declare
  highest constant bigint := 9223372036854775807;
  one record;
  content record;
  found int := 0;
  below int;
begin
  for one in
    select highest as id, (select max(a.id) from assets a where a.user_id = account and a.folder_id = folder
        and coalesce(a.key_part, a.name) collate "C" = key_part_of collate "C") as asset_id, false as is_marker, null::uuid as version_id,
      null::timestamptz as created_at
    where past_deletion is null or past_deletion = highest
    union all (
      select d.id, d.asset_id, d.is_marker, d.version_id, d.created_at from object_deletions d
      where d.user_id = account and d.folder_id = folder and d.part = key_part_of collate "C" and d.id <= coalesce(past_deletion, highest)
      order by d.id desc limit most + 1
    )
    order by id desc
  loop
    below := case when one.id = past_deletion and past_step = 1 then past_version end;
    if one.is_marker and one.id is distinct from past_deletion then
      if found >= most then return; end if;
      found := found + 1;
      return query select one.id, 0, 0, null::bigint, one.version_id, null::bigint, ''::text, 'file'::text, 0::bigint, null::text, false, null::text[],
        null::bigint, one.created_at, true;
    end if;
    continue when one.asset_id is null;
    for content in
      select x.* from (
        select a.version as v, a.version_id, null::bigint as row_id, a.cid, a.kind, a.size, a.md5, a.encrypted, a.restricted_to, a.receipt_id, a.created_at
          from assets a where a.id = one.asset_id and one.id = highest
        union all select t.version, t.version_id, null, t.cid, t.kind, t.size, t.md5, t.encrypted, t.restricted_to, t.receipt_id, t.created_at
          from trashed_assets t where t.asset_id = one.asset_id and one.id < highest
        union all (select w.version, w.version_id, w.id, w.cid, w.kind, w.size, w.md5, w.encrypted, w.restricted_to, w.receipt_id, w.created_at
          from asset_versions w where w.asset_id = one.asset_id and w.kept and (below is null or w.version < below)
          order by w.version desc limit most)
      ) x where below is null or x.v < below order by x.v desc limit most - found
    loop
      found := found + 1;
      return query select one.id, 1, content.v, one.asset_id, content.version_id, content.row_id, content.cid, content.kind, content.size, content.md5,
        content.encrypted, content.restricted_to, content.receipt_id, content.created_at, one.id < highest;
    end loop;
    if found >= most then return; end if;
  end loop;
end $$;

drop function keys_below(bigint, bigint, text, text, text, boolean, int);
drop function has_keys(bigint, bigint);
-- Whether a folder has a file, at any depth; with "deleted", also one that S3 deleted in a bucket with versions.
create function has_keys(account bigint, folder bigint, deleted boolean) returns boolean language plpgsql stable as $$
declare
  child record;
begin
  if exists (select from assets where user_id = account and folder_id = folder) then return true; end if;
  if deleted and exists (select from object_deletions where user_id = account and folder_id = folder) then return true; end if;
  for child in select id from folders where user_id = account and parent_id = folder loop
    if has_keys(account, child.id, deleted) then return true; end if;
  end loop;
  return false;
end $$;

-- The next keys below a folder in the order of their bytes. Names that repeat give one key: of the newest file, of the oldest folder.
-- at_path: the key of the folder, with its slash; past: only greater keys; starting: how the rest of the keys begins;
-- grouped: folders that have keys are rows without an asset; deleted: also keys of which S3 deleted the object in a bucket with versions.
create function keys_below(account bigint, folder bigint, at_path text, past text, starting text, grouped boolean, deleted boolean, most int)
returns table (key text, asset_id bigint, folder_id bigint, is_group boolean) language plpgsql stable as $$
#variable_conflict use_column
declare
  rest text := case when starts_with(past, at_path) then substr(past, length(at_path) + 1) end;
  inside boolean := coalesce(strpos(rest, '/') > 0, false);
  low text := case when inside then left(rest, strpos(rest, '/')) else rest end;
  -- The part that "past" is in continues behind it; all of it is past if it is one row.
  skips boolean := low is not null and (not inside or (grouped and rest = low));
  next_part text := greatest(coalesce(low, '') collate "C", starting collate "C");
  skipped text := case when skips then low end;
  child record;
  below record;
  children int;
  found int := 0;
begin
  -- Keys of S3 have at most 1,024 bytes.
  if length(at_path) > 1024 then return; end if;
  loop
    children := 0;
    -- A constant limit, for which an index is always the best plan.
    for child in
      select c.part, c.id, c.is_folder from (
        (select coalesce(a.key_part, a.name) collate "C" as part, a.id, false as is_folder from assets a
          where a.user_id = account and a.folder_id = folder and coalesce(a.key_part, a.name) collate "C" >= next_part
            and (skipped is null or coalesce(a.key_part, a.name) collate "C" > skipped)
          order by coalesce(a.key_part, a.name) collate "C" limit 250)
        union all
        (select (coalesce(f.key_part, f.name) || '/') collate "C", f.id, true from folders f
          where f.user_id = account and f.parent_id = folder and (coalesce(f.key_part, f.name) || '/') collate "C" >= next_part
            and (skipped is null or (coalesce(f.key_part, f.name) || '/') collate "C" > skipped)
          order by (coalesce(f.key_part, f.name) || '/') collate "C" limit 250)
        union all
        (select distinct on (d.part) d.part, d.id, false from object_deletions d
          where deleted and d.user_id = account and d.folder_id = folder and d.part >= next_part collate "C"
            and (skipped is null or d.part > skipped collate "C")
          order by d.part limit 250)
      ) c order by c.part limit 250
    loop
      children := children + 1;
      if found >= most or not starts_with(child.part, starting) then return; end if;
      continue when child.part = skipped;
      skipped := child.part;
      next_part := child.part;
      if not child.is_folder then
        key := at_path || child.part;
        asset_id := (select max(a.id) from assets a where a.user_id = account and a.folder_id = folder
          and coalesce(a.key_part, a.name) collate "C" = child.part);
        folder_id := folder;
        is_group := false;
        found := found + 1;
        return next;
      elsif grouped and not (inside and child.part = low) then
        continue when not has_keys(account, child.id, deleted);
        key := at_path || child.part;
        asset_id := null;
        is_group := true;
        found := found + 1;
        return next;
      else
        for below in
          select b.key, b.asset_id, b.folder_id
          from keys_below(account, (select min(f.id) from folders f where f.user_id = account and f.parent_id = folder
              and (coalesce(f.key_part, f.name) || '/') collate "C" = child.part),
            at_path || child.part, past, '', false, deleted, case when grouped then 1 else most - found end) b
        loop
          key := case when grouped then at_path || child.part else below.key end;
          asset_id := case when grouped then null else below.asset_id end;
          folder_id := below.folder_id;
          is_group := grouped;
          found := found + 1;
          return next;
        end loop;
      end if;
    end loop;
    exit when children < 250;
  end loop;
end $$;

-- The versions of the keys below a folder, see keys_below and versions_of_key. nth: among the versions of its key.
create function versions_below(account bigint, folder bigint, at_path text, past text, starting text, grouped boolean, most int)
returns table (key text, is_group boolean, nth int, deletion bigint, step int, version int, asset_id bigint, version_id uuid, row_id bigint, cid text,
  kind text, size bigint, md5 text, encrypted boolean, restricted_to text[], receipt_id bigint, created_at timestamptz, is_trashed boolean)
language plpgsql stable as $$
#variable_conflict use_column
declare
  one record;
  content record;
  found int := 0;
  nth_of_key int;
begin
  for one in select k.key, k.folder_id, k.is_group from keys_below(account, folder, at_path, past, starting, grouped, true, most) k loop
    if found >= most then return; end if;
    if one.is_group then
      found := found + 1;
      return query select one.key, true, 1, null::bigint, 0, 0, null::bigint, null::uuid, null::bigint, null::text, null::text, 0::bigint, null::text,
        false, null::text[], null::bigint, null::timestamptz, false;
      continue;
    end if;
    nth_of_key := 0;
    for content in
      select v.* from versions_of_key(account, one.folder_id, substring(one.key from '[^/]*$'), most - found, null, null, null) v
    loop
      found := found + 1;
      nth_of_key := nth_of_key + 1;
      return query select one.key, false, nth_of_key, content.deletion, content.step, content.version, content.asset_id, content.version_id,
        content.row_id, content.cid, content.kind, content.size, content.md5, content.encrypted, content.restricted_to, content.receipt_id,
        content.created_at, content.is_trashed;
    end loop;
  end loop;
end $$;
`
