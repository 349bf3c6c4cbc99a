/** Whose a node is, and what its owner was told of it. */
export const up = `
alter table nodes add column owner_id bigint references users on delete set null;
alter table nodes add column linked_at timestamptz;
-- The language that the owner asked for the code in.
alter table nodes add column owner_lang text not null default 'en' check (owner_lang in ('en', 'cn'));
alter table nodes add column owner_mail boolean not null default true;
-- The owner knows that it is away; when that, and that it was back, was told last.
alter table nodes add column told_away boolean not null default false;
alter table nodes add column told_at timestamptz;
alter table nodes add column told_back_at timestamptz;
create index nodes_of_owner on nodes (owner_id, name, id) where owner_id is not null;
create index nodes_to_tell on nodes (offline_at) where status = 'offline' and owner_id is not null and owner_mail and not told_away;
create index nodes_told_away on nodes (owner_id) where told_away;

create table device_codes (
  user_id bigint primary key references users on delete cascade,
  -- SHA-256 of the code.
  hash bytea not null unique,
  lang text not null check (lang in ('en', 'cn')),
  expires_at timestamptz not null
);
`
