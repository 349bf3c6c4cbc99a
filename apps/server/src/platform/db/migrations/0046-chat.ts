/** The support chat, and notifications about changed accounts and ended sessions. */
export const up = `
create table chat_conversations (
  id bigint generated always as identity primary key,
  -- The customer: an account, or a visitor by the hash of the token.
  user_id bigint unique references users on delete cascade,
  visitor_hash bytea unique,
  lang text not null check (lang in ('en', 'cn')),
  page text not null default '',
  -- Where answers are mailed that nobody reads; empty: nowhere.
  email text not null default '',
  state text not null default 'open' check (state in ('open', 'closed')),
  -- The uid of an agent; empty: nobody.
  assigned text not null default '',
  last_seq int not null default 0,
  -- The customer has read up to this one.
  read_seq int not null default 0,
  -- Of the last message of the kind 'closed' that was not rated; null: none.
  closed_seq int,
  rating smallint,
  waiting_since timestamptz,
  last_from text not null default 'user' check (last_from in ('user', 'agent')),
  last_text text not null default '',
  last_at timestamptz not null,
  -- Messages of the customer since then, for the limits per minute and per day.
  minute_from timestamptz not null,
  minute_count int not null default 0,
  day_from timestamptz not null,
  day_count int not null default 0,
  -- Answers up to this one were mailed; the next mail is due then.
  mailed_seq int not null default 0,
  mail_due_at timestamptz,
  created_at timestamptz not null,
  check ((user_id is null) <> (visitor_hash is null))
);
create index chat_conversations_waiting on chat_conversations (waiting_since, id) where waiting_since is not null;
create index chat_conversations_open on chat_conversations (last_at, id) where state = 'open';
create index chat_conversations_last on chat_conversations (last_at, id);
create index chat_conversations_mail on chat_conversations (mail_due_at) where mail_due_at is not null;

-- What the customer can see.
create table chat_messages (
  conversation_id bigint not null references chat_conversations on delete cascade,
  seq int not null,
  -- Made by the sender.
  id uuid not null,
  from_type text not null check (from_type in ('user', 'agent')),
  -- The uid of the agent; empty: the customer.
  agent text not null default '',
  kind text not null default 'text' check (kind in ('text', 'closed', 'reopened', 'rated')),
  text text not null default '',
  rating smallint,
  created_at timestamptz not null,
  primary key (conversation_id, seq),
  unique (conversation_id, id)
);

-- Only agents see notes.
create table chat_notes (
  id uuid not null,
  conversation_id bigint not null references chat_conversations on delete cascade,
  agent text not null,
  text text not null,
  created_at timestamptz not null,
  primary key (conversation_id, id)
);

create table chat_canned (
  id bigint generated always as identity primary key,
  name text not null unique,
  text_en text not null,
  text_cn text not null
);

-- Open streams of the agent desk, renewed by the server that holds them.
create table chat_agents (
  stream uuid primary key,
  agent text not null,
  until timestamptz not null
);

create function notify_account() returns trigger language plpgsql as $$
begin
  perform pg_notify('account', new.id::text);
  return null;
end $$;
create trigger users_notify after update of vip, role, storage_quota, outflow_quota, locked_at on users
  for each row when ((old.vip, old.role, old.storage_quota, old.outflow_quota, old.locked_at)
    is distinct from (new.vip, new.role, new.storage_quota, new.outflow_quota, new.locked_at))
  execute function notify_account();

create function notify_session() returns trigger language plpgsql as $$
begin
  perform pg_notify('account', new.user_id::text);
  return null;
end $$;
create trigger sessions_notify after update of revoked_at on sessions
  for each row when (old.revoked_at is null and new.revoked_at is not null)
  execute function notify_session();
`
