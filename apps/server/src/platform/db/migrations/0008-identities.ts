/** Who signs in through another service, and sign-ins that are under way there. */
export const up = `
create table identities (
  provider text not null,
  -- What the service promises never to give to anybody else.
  subject text not null,
  user_id bigint not null references users on delete cascade,
  -- As the service told them last; shown to the owner alone.
  name text not null,
  email text not null,
  created_at timestamptz not null,
  used_at timestamptz,
  primary key (provider, subject),
  constraint identities_one_of_a_provider unique (user_id, provider)
);

create table sign_in_flows (
  state_hash bytea primary key,
  provider text not null,
  -- Of the cookie of the browser that began it.
  browser_hash bytea not null,
  verifier text not null,
  nonce text not null,
  -- Null: somebody signs in. Otherwise the account that the identity will be linked to.
  user_id bigint references users on delete cascade,
  -- An address of the portal; empty: its own choice.
  redirect text not null,
  expires_at timestamptz not null,
  -- When the browser came back; it does so once.
  used_at timestamptz,
  -- Of what is handed over to the portal once the service has said who it is.
  code_hash bytea unique,
  subject text not null default '',
  name text not null default '',
  -- Empty unless the service has verified it.
  verified_email text not null default '',
  shown_email text not null default ''
);
create index sign_in_flows_end on sign_in_flows (expires_at);
`
