/** Shares that ended, for nodes: whoever was let in before has tokens that nodes check without asking anybody. */
export const up = `
create table ended_shares (
  -- Tokens carry the highest that there was when they were given out; only a later end concerns them.
  id bigint generated always as identity primary key,
  account text not null,
  -- The CID of an asset or the number of a folder, as text.
  target text not null,
  noted_at timestamptz not null default clock_timestamp()
);
create index ended_shares_noted on ended_shares (noted_at);

-- Notes the end and rings the nodes that hold what was shown. Ends are forgotten when no token of before can be valid any more.
create function end_shares(owner bigint, targets text[]) returns void language plpgsql as $$
begin
  delete from ended_shares where noted_at < now() - interval '3 hours';
  insert into ended_shares (account, target)
    select u.uid, t from users u, unnest(targets) t where u.id = owner;
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

-- The folders from one upwards that are shared.
create function shared_above(owner bigint, folder bigint) returns text[] language sql stable as $$
  with recursive up as (
    select id, parent_id, share_status from folders where user_id = owner and id = folder
    union select f.id, f.parent_id, f.share_status from folders f join up on f.id = up.parent_id where f.user_id = owner
  )
  select coalesce(array_agg(id::text), '{}') from up where share_status = 1
$$;

create function assets_unshare() returns trigger language plpgsql as $$
begin
  if old.share_status = 1 or exists (select 1 from folders f where f.user_id = old.user_id and f.share_status = 1)
  then perform end_shares(old.user_id, array[old.cid]); end if;
  return null;
end $$;
create trigger assets_unshare_deleted after delete on assets for each row execute function assets_unshare();
create trigger assets_unshare_moved after update of share_status, folder_id on assets for each row
  when ((old.share_status = 1 and new.share_status <> 1) or old.folder_id <> new.folder_id)
  execute function assets_unshare();

-- Of a folder that moves or goes all shares end that showed it.
create function folders_unshare() returns trigger language plpgsql as $$
declare
  ended text[] := case when old.share_status = 1 then array[old.id::text] else '{}' end;
begin
  if tg_op = 'DELETE' or old.parent_id <> new.parent_id then
    ended := ended || shared_above(old.user_id, old.parent_id);
  end if;
  if cardinality(ended) > 0 then perform end_shares(old.user_id, ended); end if;
  return null;
end $$;
create trigger folders_unshare_deleted after delete on folders for each row execute function folders_unshare();
create trigger folders_unshare_moved after update of share_status, parent_id on folders for each row
  when ((old.share_status = 1 and new.share_status <> 1) or old.parent_id <> new.parent_id)
  execute function folders_unshare();

create function links_unshare() returns trigger language plpgsql as $$
begin
  perform end_shares(old.user_id, array[old.target]);
  return null;
end $$;
create trigger links_unshare_deleted after delete on links for each row execute function links_unshare();
create trigger links_unshare_changed after update of short_pass, expires_at, areas on links for each row
  when (old.short_pass <> new.short_pass or old.expires_at is distinct from new.expires_at or old.areas <> new.areas)
  execute function links_unshare();
`
