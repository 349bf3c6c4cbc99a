/** The version "null" of a key is found without reading the other deletions of the key. */
export const up = `
-- Whether its marker or its object in the trash had the version "null" when the deletion was made; that may have gone since.
alter table object_deletions add column has_null boolean not null default false;
update object_deletions d set has_null = (is_marker and version_id is null)
  or exists (select from trashed_assets t where t.asset_id = d.asset_id and t.version_id is null)
  or exists (select from asset_versions v where v.asset_id = d.asset_id and v.kept and v.version_id is null);
create index object_deletions_null on object_deletions (user_id, folder_id, part) where has_null;
`
