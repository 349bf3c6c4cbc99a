/** Short links: any number per file or folder, which end like shares do. */
export const up = `
create table short_links (
  -- Names the link towards its owner, and its account towards visitors and nodes.
  id text primary key,
  user_id bigint not null references users (id) on delete cascade,
  token_hash bytea not null unique,
  -- Encrypted, so that the owner can copy the address again and a copy of the database opens no link.
  token bytea not null,
  -- What it opens, also while that is in the trash: an entry, whatever content it has by now, or a folder.
  asset_id bigint,
  folder_id bigint,
  -- Encrypted; null: no password.
  pass bytea,
  note text not null default '',
  expires_at timestamptz,
  max_downloads integer check (max_downloads > 0),
  active boolean not null default true,
  views bigint not null default 0,
  downloads bigint not null default 0,
  last_used_at timestamptz,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  -- Revoked links can be restored, with the same address.
  revoked_at timestamptz,
  check (num_nonnulls(asset_id, folder_id) = 1)
);
create index short_links_listed on short_links (user_id, created_at desc, id);
create index short_links_asset on short_links (asset_id) where asset_id is not null;
create index short_links_folder on short_links (user_id, folder_id) where folder_id is not null;
create index short_links_revoked on short_links (revoked_at) where revoked_at is not null;

-- What node tokens of the download call the account, if not by its uid.
alter table traces add column shown_as text;

-- What a visitor already did, so that repeating it counts once a day. what: '' opened the page, asset:1 downloaded this entry.
create table short_link_visits (
  link_id text not null references short_links (id) on delete cascade,
  visitor bytea not null,
  what text not null,
  at timestamptz not null,
  primary key (link_id, visitor, what)
);
create index short_link_visits_at on short_link_visits (at);

-- Rings the nodes that hold what was shown, so that they fetch the ends at once.
create function ring_holders(owner bigint, targets text[]) returns void language plpgsql as $$
begin
  perform pg_notify('node_work', node_id) from (
    with recursive below as (
      select f.id from folders f where f.user_id = owner and f.id::text = any(targets)
      union select f.id from folders f join below b on f.parent_id = b.id where f.user_id = owner
    ), shown as (
      select unnest(targets) as cid
      union (select a.cid from assets a where a.user_id = owner and a.folder_id in (select id from below) limit 500)
    )
    select distinct r.node_id from replicas r join shown on shown.cid = r.cid where r.state = 'stored' limit 500
  ) holding;
end $$;

-- In tokens of short links, the account is the link. what: 'link', or the CID of a file that its folder no longer shows.
create function end_short_links(links text[], what text, owner bigint, targets text[]) returns void language plpgsql as $$
begin
  if coalesce(cardinality(links), 0) = 0 then return; end if;
  delete from ended_shares where noted_at < now() - interval '3 hours';
  insert into ended_shares (account, target) select 's:' || id, what from unnest(links) id;
  perform ring_holders(owner, targets);
end $$;

-- The short links of a folder and of those above it.
create function short_links_above(owner bigint, folder bigint) returns text[] language sql stable as $$
  with recursive up as (
    select id, parent_id from folders where user_id = owner and id = folder
    union select f.id, f.parent_id from folders f join up on f.id = up.parent_id where f.user_id = owner
  )
  select coalesce(array_agg(s.id), '{}') from up join short_links s
    on s.user_id = owner and s.folder_id = up.id
$$;

create function short_links_end() returns trigger language plpgsql as $$
begin
  perform end_short_links(array[old.id], 'link', old.user_id,
    coalesce((select array[cid] from assets where id = old.asset_id), array[old.folder_id::text]));
  return null;
end $$;
create trigger short_links_end_deleted after delete on short_links for each row execute function short_links_end();
create trigger short_links_end_changed after update of pass, expires_at, active, revoked_at on short_links for each row
  when (old.pass is distinct from new.pass or old.expires_at is distinct from new.expires_at or (old.active and not new.active)
    or (old.revoked_at is null and new.revoked_at is not null))
  execute function short_links_end();

create function assets_end_short_links() returns trigger language plpgsql as $$
begin
  if not exists (select 1 from short_links where user_id = old.user_id) then return null; end if;
  if tg_op = 'DELETE' or old.cid <> new.cid then
    perform end_short_links(array(select id from short_links where asset_id = old.id), 'link',
      old.user_id, array[old.cid]);
  end if;
  perform end_short_links(short_links_above(old.user_id, old.folder_id), old.cid, old.user_id, array[old.cid]);
  return null;
end $$;
create trigger assets_end_short_links_deleted after delete on assets for each row execute function assets_end_short_links();
create trigger assets_end_short_links_moved after update of folder_id on assets for each row
  when (old.folder_id <> new.folder_id) execute function assets_end_short_links();
-- Tokens for what a file contained before it was replaced.
create trigger assets_end_short_links_replaced after update of cid on assets for each row
  when (old.cid <> new.cid and old.folder_id = new.folder_id) execute function assets_end_short_links();

create function folders_end_short_links() returns trigger language plpgsql as $$
begin
  if not exists (select 1 from short_links where user_id = old.user_id) then return null; end if;
  if tg_op = 'DELETE' then
    perform end_short_links(array(select id from short_links where user_id = old.user_id and folder_id = old.id), 'link',
      old.user_id, array[old.id::text]);
  end if;
  perform end_short_links(short_links_above(old.user_id, old.parent_id), 'link', old.user_id, array[old.id::text]);
  return null;
end $$;
create trigger folders_end_short_links_deleted after delete on folders for each row execute function folders_end_short_links();
create trigger folders_end_short_links_moved after update of parent_id on folders for each row
  when (old.parent_id <> new.parent_id) execute function folders_end_short_links();
`
