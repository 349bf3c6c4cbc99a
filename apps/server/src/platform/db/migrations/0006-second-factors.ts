/** Keys that sign sessions, what proves a second factor, and the record of who came in. */
export const up = `
-- Each signs for 30 days and is believed until the last token that it signed has ended.
create table session_keys (
  kid text primary key,
  -- The public key (JWK), and the private one sealed by the server's secret.
  public_key jsonb not null,
  private_key bytea not null,
  created_at timestamptz not null,
  -- Since when it signs nothing more; null: it signs.
  retired_at timestamptz
);
create unique index session_keys_signing on session_keys ((true)) where retired_at is null;

alter table sessions add column seen_at timestamptz;
-- When its owner last showed a password, a one-time code or a passkey in it.
alter table sessions add column proved_at timestamptz;
create index sessions_end on sessions (expires_at);

-- The account asks for a passkey whatever the first factor was.
alter table users add column passkey_required boolean not null default false;

create table totp (
  user_id bigint primary key references users on delete cascade,
  -- Sealed by the server's secret.
  secret bytea not null,
  created_at timestamptz not null,
  -- Null: it was shown, but no code of it was.
  confirmed_at timestamptz,
  -- The 30 seconds of the last code that was taken, none before it is taken again.
  last_step bigint not null default 0
);

create table recovery_codes (
  user_id bigint not null references users on delete cascade,
  code_hash bytea not null,
  created_at timestamptz not null,
  used_at timestamptz,
  primary key (user_id, code_hash)
);

create table passkeys (
  credential_id text primary key,
  user_id bigint not null references users on delete cascade,
  public_key bytea not null,
  counter bigint not null,
  transports text[] not null default '{}',
  name text not null,
  -- Kept by an account at its maker, so that it is on several devices.
  synced boolean not null default false,
  created_at timestamptz not null,
  used_at timestamptz
);
create index passkeys_user on passkeys (user_id);

create table passkey_challenges (
  challenge text primary key,
  purpose text not null check (purpose in ('add', 'login', 'second', 'prove')),
  -- Null for login: who signs in is not known yet.
  user_id bigint references users on delete cascade,
  expires_at timestamptz not null
);
create index passkey_challenges_end on passkey_challenges (expires_at);

-- Somebody who came in by the first factor and owes the second.
create table second_factor_tickets (
  ticket_hash bytea primary key,
  user_id bigint not null references users on delete cascade,
  sign_in bigint not null,
  network text not null,
  tries int not null default 0,
  expires_at timestamptz not null
);
create index second_factor_tickets_end on second_factor_tickets (expires_at);

create table sign_ins (
  id bigint generated always as identity primary key,
  -- Null: there is no such account. Written all the same, so that the time it takes tells nobody.
  user_id bigint references users on delete cascade,
  at timestamptz not null,
  way text not null check (way in ('password', 'code', 'wallet', 'passkey', 'identity')),
  -- owed: the first factor was right, the second has not come.
  second text not null default '' check (second in ('', 'owed', 'totp', 'passkey', 'recovery')),
  ip text not null,
  agent text not null,
  ok boolean not null
);
create index sign_ins_user on sign_ins (user_id, id desc);
create index sign_ins_at on sign_ins (at);
`
