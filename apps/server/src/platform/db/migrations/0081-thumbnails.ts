/** Thumbnails that clients made of files, kept while the account has the content. */
export const up = `
create table thumbnails (
  user_id bigint not null references users on delete cascade,
  cid text not null,
  image bytea not null,
  created_at timestamptz not null,
  -- When the account was last known to have the content.
  checked_at timestamptz not null,
  primary key (user_id, cid)
);
create index thumbnails_checked on thumbnails (checked_at);
`
