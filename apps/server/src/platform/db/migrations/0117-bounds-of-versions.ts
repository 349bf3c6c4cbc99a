/** Versions of S3: they are found without reading those beside them, and none is free of charge. */
export const up = `
create index asset_versions_by_version on asset_versions (version_id) where kept and version_id is not null;
create index asset_versions_null on asset_versions (asset_id) where kept and version_id is null;
create index trashed_assets_by_version on trashed_assets (version_id) where version_id is not null;
create index object_deletions_by_version on object_deletions (version_id) where version_id is not null;

-- The receipt that an object was written with: writing it again makes no second version.
alter table object_details add column upload text;
create index object_details_by_upload on object_details (asset_id, upload) where upload is not null;

-- What a kept content counts in used_bytes. Otherwise contents without bytes would make any number of rows.
create function kept_size(size bigint) returns bigint language sql immutable as $$ select greatest(size, 4096) $$;

update users u set used_bytes = u.used_bytes + g.more
  from (
    select user_id, sum(kept_size(size) - size) as more from (
      select user_id, size from asset_versions where kept
      union all select a.user_id, a.size from trashed_assets a join trash t on t.id = a.trash_id where t.kept
    ) k group by user_id
  ) g where u.id = g.user_id and g.more > 0;

create or replace function versions_count() returns trigger language plpgsql as $$
begin
  update users u set version_bytes = u.version_bytes + g.size, used_bytes = u.used_bytes + g.kept
    from (select user_id, coalesce(sum(size) filter (where not kept), 0) as size, coalesce(sum(kept_size(size)) filter (where kept), 0) as kept
      from came group by user_id) g where u.id = g.user_id;
  return null;
end $$;
create or replace function versions_uncount() returns trigger language plpgsql as $$
begin
  update users u set version_bytes = u.version_bytes - g.size, used_bytes = u.used_bytes - g.kept
    from (select user_id, coalesce(sum(size) filter (where not kept), 0) as size, coalesce(sum(kept_size(size)) filter (where kept), 0) as kept
      from gone group by user_id) g where u.id = g.user_id;
  return null;
end $$;
create or replace function versions_recount() returns trigger language plpgsql as $$
declare
  direction int := case when new.kept then 1 else -1 end;
begin
  update users set used_bytes = used_bytes + direction * kept_size(new.size), version_bytes = version_bytes - direction * new.size
    where id = new.user_id;
  return null;
end $$;

create or replace function trashed_count() returns trigger language plpgsql as $$
begin
  update users u set trash_bytes = u.trash_bytes + g.size, used_bytes = u.used_bytes + g.kept
    from (select c.user_id, coalesce(sum(c.size) filter (where not t.kept), 0) as size,
        coalesce(sum(kept_size(c.size)) filter (where t.kept), 0) as kept
      from came c join trash t on t.id = c.trash_id group by c.user_id) g where u.id = g.user_id;
  update trash t set files = t.files + g.files, size = t.size + g.size
    from (select trash_id, count(*) as files, sum(size) as size from came group by trash_id) g where t.id = g.trash_id;
  return null;
end $$;
create or replace function trashed_uncount() returns trigger language plpgsql as $$
declare
  lone bigint[];
begin
  update users u set trash_bytes = u.trash_bytes - g.size, used_bytes = u.used_bytes - g.kept
    from (select c.user_id, coalesce(sum(c.size) filter (where t.kept is not true), 0) as size,
        coalesce(sum(kept_size(c.size)) filter (where t.kept), 0) as kept
      from gone c left join trash t on t.id = c.trash_id group by c.user_id) g where u.id = g.user_id;
  update trash t set files = t.files - g.files, size = t.size - g.size
    from (select trash_id, count(*) as files, sum(size) as size from gone group by trash_id) g where t.id = g.trash_id;
  -- An asset that came back by another way leaves nothing to take out of the trash.
  delete from trash t using (select distinct trash_id from gone) g where t.id = g.trash_id and t.kind <> 'group' and t.files = 0;
  -- What was restored was not deleted; what was deleted for good leaves its marker.
  delete from object_deletions d using gone g where d.asset_id = g.asset_id
    and (not d.is_marker or exists (select from assets a where a.id = g.asset_id));
  with made as (update object_deletions d set asset_id = null from gone g where d.asset_id = g.asset_id returning d.id)
    select array_agg(id) into lone from made;
  if lone is null then return null; end if;
  -- Markers use no quota: of those that hide nothing and follow each other, the newest stays.
  delete from object_deletions d where d.asset_id is null and d.is_marker
    and (d.id = any(lone) or d.id in (
      select (select o.id from object_deletions o
        where o.user_id = l.user_id and o.folder_id = l.folder_id and o.part = l.part and o.id < l.id order by o.id desc limit 1)
      from object_deletions l where l.id = any(lone)))
    and exists (
      select from (select o.is_marker, o.asset_id from object_deletions o
        where o.user_id = d.user_id and o.folder_id = d.folder_id and o.part = d.part and o.id > d.id order by o.id limit 1) above
      where above.is_marker and above.asset_id is null);
  return null;
end $$;
create or replace function trashed_recount() returns trigger language plpgsql as $$
declare
  is_kept boolean;
begin
  update trash set size = size + new.size - old.size where id = new.trash_id returning kept into is_kept;
  if is_kept then
    update users set used_bytes = used_bytes + kept_size(new.size) - kept_size(old.size) where id = new.user_id;
  else
    update users set trash_bytes = trash_bytes + new.size - old.size where id = new.user_id;
  end if;
  return null;
end $$;
create or replace function trash_recount() returns trigger language plpgsql as $$
declare
  direction int := case when new.kept then 1 else -1 end;
begin
  update users set trash_bytes = trash_bytes - direction * new.size,
    used_bytes = used_bytes + direction * (select coalesce(sum(kept_size(a.size)), 0) from trashed_assets a where a.trash_id = new.id)
    where id = new.user_id;
  return null;
end $$;
`
