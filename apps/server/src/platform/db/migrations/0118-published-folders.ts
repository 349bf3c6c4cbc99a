/** Folders of single files can be published, and publications that ended are noted until their blocks are deleted. */
export const up = `
-- A publication is an entry; a folder of single files, as it was when it was published; or a file as a part of such a folder.
alter table publications
  alter column asset_id drop not null,
  drop constraint publications_asset_id_key,
  add column folder_id bigint references folders on delete cascade,
  add column part_of bigint references publications on delete cascade,
  -- Of a part: its place in the folder.
  add column path text not null default '',
  -- Of a folder: how many parts it had at first.
  add column parts int not null default 0,
  -- Of all blocks, as links to its root declare them; once it is ready.
  add column bytes bigint not null default 0,
  add constraint publications_item check ((asset_id is null) <> (folder_id is null));
create unique index publications_entry on publications (asset_id) where part_of is null;
create unique index publications_folder on publications (folder_id);
create unique index publications_part on publications (part_of, asset_id) where part_of is not null;
create index publications_asset on publications (asset_id);

-- The nodes of published folders, which no node of the network stores.
create table publication_nodes (
  publication_id bigint not null references publications on delete cascade,
  digest bytea not null,
  bytes bytea not null,
  primary key (publication_id, digest)
);

-- Until their blocks are deleted: looking for them among all blocks took longer with every block.
create table ended_publications (id bigint primary key);
insert into ended_publications
  select distinct b.publication_id from publication_blocks b
  where not exists (select from publications p where p.id = b.publication_id);

create function note_ended_publication() returns trigger language plpgsql as $$
begin
  insert into ended_publications values (old.id) on conflict do nothing;
  return null;
end $$;
create trigger publications_note_ended after delete on publications for each row execute function note_ended_publication();
`
