/** Vaults: keys that accounts encrypt their files with, wrapped once per way to unlock; and folders that accept encrypted files only. */
export const up = `
create table vaults (
  user_id bigint primary key references users on delete cascade,
  recipient text not null,
  created_at timestamptz not null
);
create table vault_ways (
  id bigint generated always as identity primary key,
  user_id bigint not null references vaults on delete cascade,
  kind text not null check (kind in ('kit', 'passphrase', 'passkey')),
  name text not null,
  wrap text not null,
  credential text not null,
  created_at timestamptz not null
);
create index vault_ways_user on vault_ways (user_id);
create unique index vault_ways_kit on vault_ways (user_id) where kind = 'kit';

alter table folders add column encrypted boolean not null default false;
alter table trashed_folders add column encrypted boolean not null default false;
create index folders_encrypted on folders (user_id) where encrypted;

-- Whatever creates a folder: in an encrypted folder it is encrypted.
create function folders_inherit() returns trigger language plpgsql as $$
begin
  if not new.encrypted and new.parent_id <> 0 then
    new.encrypted := exists (select from folders f where f.id = new.parent_id and f.user_id = new.user_id and f.encrypted);
  end if;
  return new;
end $$;
create trigger folders_inherit before insert or update of parent_id on folders for each row execute function folders_inherit();

-- Whatever puts a file into a folder: into an encrypted folder goes no other. Services check it first; TN001 is answered as folderEncrypted.
create function refuse_unencrypted() returns trigger language plpgsql as $$
begin
  if exists (select from folders f where f.id = new.folder_id and f.user_id = new.user_id and f.encrypted) then
    raise exception 'the folder is encrypted' using errcode = 'TN001';
  end if;
  return new;
end $$;
create trigger assets_unencrypted before insert or update of folder_id, encrypted on assets
  for each row when (not new.encrypted and new.folder_id <> 0) execute function refuse_unencrypted();
create trigger reservations_unencrypted before insert or update of folder_id, encrypted on reservations
  for each row when (not new.encrypted and new.folder_id <> 0) execute function refuse_unencrypted();
`
