/** Contents that operators blocked, with their history: the newest row of a content says whether it is blocked. */
export const up = `
create table content_blocks (
  -- Grows in the order of the commits; nodes ask for what is newer than the last that they heard.
  id bigint primary key,
  -- CID version 1, base32.
  cid text not null,
  blocked boolean not null,
  -- The category; empty where a block is lifted.
  category text not null check (
    category in ('', 'malware', 'phishing', 'childAbuse', 'violence', 'copyright', 'privacy', 'other')),
  reason text not null,
  -- The operator's uid, and when.
  changed_by text not null,
  changed_at timestamptz not null,
  check (blocked = (category <> ''))
);
create index content_blocks_cid on content_blocks (cid, id desc);

create function is_blocked(content text) returns boolean language sql stable as $$
  select coalesce((select blocked from content_blocks where cid = content order by id desc limit 1), false)
$$;
`
