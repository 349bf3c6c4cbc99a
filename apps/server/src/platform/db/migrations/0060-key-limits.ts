/** API keys expire, are limited to IP addresses, and are replaced by new ones while the old one still works. */
export const up = `
alter table api_keys add column expires_at timestamptz;
-- Addresses and ranges; empty: any address.
alter table api_keys add column ips text[] not null default '{}' check (cardinality(ips) <= 50);
-- The network of the last use, shortened.
alter table api_keys add column used_from text;
alter table api_keys add column rotated_at timestamptz;

-- Replaced keys that still work.
create table former_keys (
  id bigint generated always as identity primary key,
  key_id bigint not null references api_keys on delete cascade,
  key_hash bytea not null unique,
  key_start text not null,
  ends_at timestamptz not null,
  used_at timestamptz
);
create index former_keys_of_key on former_keys (key_id);
create index former_keys_end on former_keys (ends_at);
`
