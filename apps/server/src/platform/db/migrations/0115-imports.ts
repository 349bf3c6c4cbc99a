/** Imports from elsewhere, pins, and the tokens with which gateways store what they import. */
export const up = `
create table imports (
  id bigint generated always as identity primary key,
  user_id bigint not null references users on delete cascade,
  -- The API key with which it began; null: a person.
  key_id bigint,
  kind text not null check (kind in ('url', 'cid', 's3')),
  -- As people see it: without the query of an address, and without keys.
  source text not null,
  name text not null,
  folder_id bigint not null,
  -- The full source with its secrets; null when they are no longer needed.
  sealed bytea,
  state text not null check (state in ('queued', 'running', 'cancelling', 'done', 'failed', 'cancelled')),
  received bigint not null default 0,
  total bigint,
  done int not null default 0,
  skipped int not null default 0,
  failed int not null default 0,
  objects int not null default 0,
  reason text not null default '',
  cid text not null default '',
  attempts int not null default 0,
  -- When a queued one can begin; until when a running one belongs to its worker.
  due_at timestamptz not null,
  lease text,
  created_at timestamptz not null,
  ended_at timestamptz
);
create index imports_due on imports (due_at, id) where state in ('queued', 'running', 'cancelling');
create index imports_of_user on imports (user_id, id);
create index imports_ended on imports (ended_at) where ended_at is not null;

create table import_tokens (
  token_hash bytea primary key,
  import_id bigint not null unique,
  user_id bigint not null references users on delete cascade,
  -- Ends with the key.
  key_id bigint references api_keys on delete cascade,
  -- Null: the root, and no other folder needs to be read.
  folder_id bigint,
  permissions text[] not null,
  ends_at timestamptz not null
);
create index import_tokens_of_user on import_tokens (user_id);
create index import_tokens_of_key on import_tokens (key_id);
create index import_tokens_end on import_tokens (ends_at);

-- What the Pinning Service API lists. Its file is an entry of the account: without it, the pin has ended.
create table pins (
  id text primary key,
  user_id bigint not null references users on delete cascade,
  -- As its client wrote it.
  cid text not null,
  name text not null,
  meta jsonb not null,
  origins jsonb not null,
  import_id bigint,
  asset_id bigint,
  created_at timestamptz not null
);
create index pins_of_user on pins (user_id, created_at desc, id);
create index pins_of_import on pins (import_id);
create index pins_of_asset on pins (asset_id);
`
