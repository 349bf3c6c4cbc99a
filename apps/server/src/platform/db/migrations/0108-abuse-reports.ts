/** Reports of contents, one case per target; owners of blocked contents, with their objections; contents that contain blocked ones. */
export const up = `
create table abuse_cases (
  id bigint generated always as identity primary key,
  -- The same for all ways to name a target: its multihash, or the link without what only names a visitor.
  key text not null,
  -- CID version 1, base32; empty: only the link is known.
  cid text not null,
  target text not null,
  created_at timestamptz not null,
  closed_at timestamptz,
  closed_by text not null default '',
  decision text not null default '' check (decision in ('', 'blocked', 'kept')),
  note text not null default '',
  -- When the operators got an e-mail about it.
  mailed_at timestamptz,
  check ((closed_at is null) = (decision = ''))
);
create unique index abuse_cases_open on abuse_cases (key) where closed_at is null;
create index abuse_cases_key on abuse_cases (key);
create index abuse_cases_mailed on abuse_cases (mailed_at);

create table abuse_reports (
  id bigint generated always as identity primary key,
  case_id bigint not null references abuse_cases on delete cascade,
  category text not null check (
    category in ('malware', 'phishing', 'childAbuse', 'violence', 'copyright', 'privacy', 'other')),
  text text not null,
  target text not null,
  -- Empty: none, or removed a while after the decision.
  email text not null,
  lang text not null check (lang in ('cn', 'en')),
  -- Of the reporter, for the limits of a day.
  network text,
  created_at timestamptz not null
);
create index abuse_reports_case on abuse_reports (case_id, id desc);
create index abuse_reports_network on abuse_reports (network) where network is not null;
create index abuse_reports_email on abuse_reports (email) where email <> '';

create table blocked_owners (
  id bigint generated always as identity primary key,
  user_id bigint not null references users,
  cid text not null,
  -- The name in the account when it was blocked.
  name text not null,
  category text not null check (
    category in ('malware', 'phishing', 'childAbuse', 'violence', 'copyright', 'privacy', 'other')),
  told_at timestamptz not null,
  lifted_at timestamptz,
  objection text not null default '',
  objected_at timestamptz,
  answered_at timestamptz,
  answered_by text not null default '',
  answer text not null default ''
);
create unique index blocked_owners_now on blocked_owners (user_id, cid) where lifted_at is null;
create index blocked_owners_cid on blocked_owners (cid) where lifted_at is null;
create index blocked_owners_objected on blocked_owners (id) where objected_at is not null;

alter table notification_choices drop constraint notification_choices_kind_check;
alter table notification_choices add constraint notification_choices_kind_check check (
  kind in ('ending', 'usage', 'orders', 'programs', 'devices', 'blocks', 'earnings', 'teams', 'webhooks', 'support', 'uploads'));

-- A CID of another codec names the same bytes: what is blocked by one is blocked by the other. 0x55 is raw, 0x70 is dag-pb.
create function same_bytes(content text) returns text[] language sql immutable as $$
  select case when content ~ '^baf(krei|ybei)' then array['bafkrei' || substr(content, 8), 'bafybei' || substr(content, 8)] else array[content] end
$$;
create or replace function is_blocked(content text) returns boolean language sql stable as $$
  select exists (
    select 1 from unnest(same_bytes(content)) name
    where (select blocked from content_blocks where cid = name order by id desc limit 1))
$$;

-- Contents that contain others that were blocked, as a node proved. The row stays when the block is lifted.
create table blocked_parts (
  cid text not null,
  part text not null,
  proved_at timestamptz not null,
  primary key (cid, part)
);
create function is_withheld(content text) returns boolean language sql stable as $$
  select is_blocked(content) or exists (select 1 from blocked_parts p where p.cid = content and is_blocked(p.part))
$$;
`
