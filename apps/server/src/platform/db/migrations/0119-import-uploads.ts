/** What imports have begun, so that a second worker neither stores a file twice nor leaves the space of the first one reserved. */
export const up = `
-- The import that the upload belongs to.
alter table traces add column import_id bigint;
create index traces_of_import on traces (import_id) where import_id is not null;

-- The folder of the import, 0 for the root, and the operations that its worker needs.
alter table import_tokens add column target_id bigint not null default 0;
alter table import_tokens add column operations text[] not null default '{}';

-- How often it began or was retried in the day before begun_at, and when it did last.
alter table imports add column begun int not null default 1;
alter table imports add column begun_at timestamptz;
update imports set begun_at = created_at;
alter table imports alter column begun_at set not null;

-- Objects of another S3 in an archive, and the first ones that were not copied, with the reason of each.
alter table imports add column archived int not null default 0;
alter table imports add column problems jsonb not null default '[]';

-- The CID as entries write it: a file that its owner replaced by another one is not what was pinned.
alter table pins add column content text not null default '';
update pins p set content = coalesce(
  (select a.cid from assets a where a.id = p.asset_id),
  (select i.source from imports i where i.id = p.import_id), p.cid);
alter table pins alter column content drop default;

-- When a gateway last asked for imports. Without one, imports are not offered.
create table import_gateways (
  only_one boolean primary key default true check (only_one),
  seen_at timestamptz not null
);
`
