/** The trash; names in the order of people; what is looked for by name. */
export const up = `
-- What was deleted at once: an asset, or a folder with all that lay below it.
create table trash (
  id bigint generated always as identity primary key,
  user_id bigint not null references users on delete cascade,
  -- 'group' is a folder of the account; its number, and the CID of an asset, is the target.
  kind text not null check (kind in ('file', 'folder', 'group')),
  target text not null,
  name text not null,
  encrypted boolean not null,
  folder_id bigint not null,
  path text[] not null,
  -- Counted by a trigger.
  files bigint not null default 0,
  size bigint not null default 0,
  folders int not null default 0,
  deleted_at timestamptz not null,
  purge_at timestamptz not null
);
create index trash_page on trash (user_id, id desc);
create index trash_due on trash (purge_at);

-- Rows of assets and folders as they were. Because they are elsewhere, nothing that serves, counts or shares assets can meet them.
create table trashed_folders (
  trash_id bigint not null references trash on delete cascade,
  id bigint not null,
  user_id bigint not null,
  parent_id bigint not null,
  name text not null,
  share_status int not null,
  visits int not null,
  created_at timestamptz not null,
  primary key (trash_id, id)
);
create table trashed_assets (
  trash_id bigint not null references trash on delete cascade,
  user_id bigint not null,
  folder_id bigint not null,
  seq bigint not null,
  cid text not null references contents,
  kind text not null,
  name text not null,
  size bigint not null,
  md5 text,
  encrypted boolean not null,
  areas text[] not null,
  share_status int not null,
  visits int not null,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  primary key (user_id, cid)
);
create index trashed_assets_item on trashed_assets (trash_id);
create index trashed_assets_cid on trashed_assets (cid);

alter table users add column trash_bytes bigint not null default 0 check (trash_bytes >= 0);

create function trashed_count() returns trigger language plpgsql as $$
begin
  update trash t set files = t.files + g.files, size = t.size + g.size
    from (select trash_id, count(*) as files, sum(size) as size from came group by trash_id) g where t.id = g.trash_id;
  update users u set trash_bytes = u.trash_bytes + g.size
    from (select user_id, sum(size) as size from came group by user_id) g where u.id = g.user_id;
  return null;
end $$;
create trigger trashed_count after insert on trashed_assets referencing new table as came for each statement execute function trashed_count();

create function trashed_uncount() returns trigger language plpgsql as $$
begin
  update trash t set files = t.files - g.files, size = t.size - g.size
    from (select trash_id, count(*) as files, sum(size) as size from gone group by trash_id) g where t.id = g.trash_id;
  -- An asset that came back by another way leaves nothing to take out of the trash.
  delete from trash t using (select distinct trash_id from gone) g where t.id = g.trash_id and t.kind <> 'group' and t.files = 0;
  update users u set trash_bytes = u.trash_bytes - g.size
    from (select user_id, sum(size) as size from gone group by user_id) g where u.id = g.user_id;
  return null;
end $$;
create trigger trashed_uncount after delete on trashed_assets referencing old table as gone for each statement execute function trashed_uncount();

-- A folder that comes back brings thousands of files in one statement: its places are set aside before, and all is counted together.
create or replace function assets_place() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' and new.seq > 0 then return new; end if;
  if tg_op = 'INSERT' or new.folder_id <> old.folder_id then
    insert into folder_totals as t (user_id, folder_id, next_seq, files, bytes) values (new.user_id, new.folder_id, 1, 0, 0)
      on conflict (user_id, folder_id) do update set next_seq = t.next_seq + 1
      returning next_seq - 1 into new.seq;
  end if;
  return new;
end $$;
create function assets_count_in() returns trigger language plpgsql as $$
begin
  insert into folder_totals as t (user_id, folder_id, files, bytes)
    select user_id, folder_id, count(*), sum(size) from came group by user_id, folder_id order by user_id, folder_id
    on conflict (user_id, folder_id) do update set files = t.files + excluded.files, bytes = t.bytes + excluded.bytes;
  insert into folder_runs as r (user_id, folder_id, run, files)
    select user_id, folder_id, seq / 512, count(*) from came group by user_id, folder_id, seq / 512 order by 1, 2, 3
    on conflict (user_id, folder_id, run) do update set files = r.files + excluded.files;
  update users u set used_bytes = u.used_bytes + g.bytes, asset_count = u.asset_count + g.files
    from (select user_id, count(*) as files, sum(size) as bytes from came group by user_id) g where u.id = g.user_id;
  return null;
end $$;
drop trigger assets_count on assets;
create trigger assets_count after update of folder_id, size on assets for each row execute function assets_count();
create trigger assets_count_in after insert on assets referencing new table as came for each statement execute function assets_count_in();

-- Names as people order them: 2 before 10, a beside A.
create collation if not exists by_name (provider = icu, locale = 'und-u-kn-true');

-- What is looked for: compatible forms and cases are one.
create function folded(name text) returns text language sql immutable parallel safe
  return lower(normalize(name, NFKC) collate "und-x-icu");
alter table assets add column folded text collate "C" generated always as (folded(name)) stored;
alter table assets add column ending text collate "C" generated always as (substring(folded(name) from '\\.([^.]{1,8})$')) stored;
alter table folders add column folded text collate "C" generated always as (folded(name)) stored;

create index assets_by_name on assets (user_id, folder_id, name collate by_name, id) include (kind, share_status, encrypted, ending);
create index assets_by_size on assets (user_id, folder_id, size, id);
create index assets_by_date on assets (user_id, folder_id, created_at, id);
create index assets_names on assets (user_id, folded, id) include (kind, share_status, encrypted, ending);

-- The last audit of a replica.
create index audits_replica on audits (cid, node_id, done_at desc) where state in ('passed', 'failed');
`
