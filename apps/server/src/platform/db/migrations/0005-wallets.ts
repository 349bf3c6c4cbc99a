/** Wallets of accounts, what was unbound, and the texts that wallets are asked to sign. */
export const up = `
create table wallets (
  -- Normal form: bech32, or 0x and lower-case hex.
  address text primary key,
  kind text not null check (kind in ('cosmos', 'evm')),
  user_id bigint not null references users on delete cascade,
  -- Compressed secp256k1 key; null where the signature alone tells the address.
  public_key bytea,
  bound_at timestamptz not null,
  constraint wallets_one_of_a_kind unique (user_id, kind)
);

-- The last time that this account gave up this wallet.
create table wallet_releases (
  address text not null,
  user_id bigint not null references users on delete cascade,
  kind text not null,
  released_at timestamptz not null,
  primary key (address, user_id)
);
create index wallet_releases_user on wallet_releases (user_id, kind, released_at);

create table wallet_nonces (
  -- The random part of the text.
  id text primary key,
  purpose text not null check (purpose in ('bind', 'login')),
  -- Null: whoever signs in. Otherwise the only account that the text binds to.
  user_id bigint references users on delete cascade,
  -- Empty: not known when the text was made.
  address text not null,
  -- Exactly what is signed.
  text text not null,
  -- The network that asked.
  ip text not null,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  used_at timestamptz
);
create index wallet_nonces_live on wallet_nonces (address, purpose, expires_at);
create index wallet_nonces_network on wallet_nonces (ip, expires_at);
create index wallet_nonces_expiry on wallet_nonces (expires_at);
`
