/** Removed API keys, which their owners can restore for a while; a name is unique among the others only. */
export const up = `
alter table api_keys add column removed_at timestamptz;
alter table api_keys add column restored_at timestamptz;
alter table api_keys drop constraint api_keys_name;
create unique index api_keys_name on api_keys (user_id, name) where removed_at is null;
create index api_keys_removed on api_keys (removed_at) where removed_at is not null;
create index api_keys_removed_name on api_keys (user_id, name) where removed_at is not null;
`
