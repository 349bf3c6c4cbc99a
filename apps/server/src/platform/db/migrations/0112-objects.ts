/** Files as objects of S3: their keys in order, and what S3 keeps of an object beside its bytes. */
export const up = `
-- A part of a key that cannot be the name of a file or a folder, such as an empty one. Null: it is the name.
alter table assets add column key_part text;
alter table folders add column key_part text;
create index assets_by_key on assets (user_id, folder_id, (coalesce(key_part, name) collate "C"), id);
create index folders_by_key on folders (user_id, parent_id, ((coalesce(key_part, name) || '/') collate "C"), id);

-- Of an entry and of its earlier versions, as S3 got them. Files that came by other ways have no row.
create table object_details (
  asset_id bigint not null,
  version int not null,
  user_id bigint not null references users on delete cascade,
  etag text not null,
  modified_at timestamptz not null,
  -- Content-Type and the like, as the client sent them.
  headers jsonb not null default '{}',
  metadata jsonb not null default '{}',
  checksums jsonb not null default '{}',
  primary key (asset_id, version)
);
create index object_details_of_user on object_details (user_id, asset_id);

-- Uploads in parts. A part is a content of its own, which no file lists: it counts as one that was sent and not listed yet.
create table object_uploads (
  id text primary key,
  user_id bigint not null references users on delete cascade,
  -- The folder of the bucket.
  folder_id bigint not null,
  key text not null,
  headers jsonb not null,
  metadata jsonb not null,
  algorithm text not null,
  created_at timestamptz not null
);
create index object_uploads_page on object_uploads (user_id, folder_id, key collate "C", id);
create index object_uploads_age on object_uploads (created_at);
create table object_parts (
  upload_id text not null references object_uploads on delete cascade,
  number int not null,
  cid text not null,
  size bigint not null,
  md5 text not null,
  receipt text not null,
  checksums jsonb not null,
  modified_at timestamptz not null,
  primary key (upload_id, number)
);

-- Whether a folder has a file, at any depth.
create function has_keys(account bigint, folder bigint) returns boolean language plpgsql stable as $$
declare
  child record;
begin
  if exists (select from assets where user_id = account and folder_id = folder) then return true; end if;
  for child in select id from folders where user_id = account and parent_id = folder loop
    if has_keys(account, child.id) then return true; end if;
  end loop;
  return false;
end $$;

-- The next keys below a folder in the order of their bytes. Names that repeat give one key: of the newest file, of the oldest folder.
-- at_path: the key of the folder, with its slash; past: only greater keys; starting: how the rest of the keys begins;
-- grouped: folders that have keys are rows without an asset.
create function keys_below(account bigint, folder bigint, at_path text, past text, starting text, grouped boolean, most int)
returns table (key text, asset_id bigint) language plpgsql stable as $$
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
        found := found + 1;
        return next;
      elsif grouped and not (inside and child.part = low) then
        continue when not has_keys(account, child.id);
        key := at_path || child.part;
        asset_id := null;
        found := found + 1;
        return next;
      else
        for below in
          select b.key, b.asset_id
          from keys_below(account, (select min(f.id) from folders f where f.user_id = account and f.parent_id = folder
              and (coalesce(f.key_part, f.name) || '/') collate "C" = child.part),
            at_path || child.part, past, '', false, case when grouped then 1 else most - found end) b
        loop
          key := case when grouped then at_path || child.part else below.key end;
          asset_id := case when grouped then null else below.asset_id end;
          found := found + 1;
          return next;
        end loop;
      end if;
    end loop;
    exit when children < 250;
  end loop;
end $$;
`
