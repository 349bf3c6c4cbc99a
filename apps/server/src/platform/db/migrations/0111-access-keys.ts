/** Access keys for S3. The secret is sealed, because it checks signatures; with `former_id`, it is that of a replaced key. */
export const up = `
create table s3_credentials (
  access_id text primary key,
  key_id bigint not null references api_keys on delete cascade,
  former_id bigint references former_keys on delete cascade,
  sealed bytea not null,
  created_at timestamptz not null
);
create unique index s3_credentials_current on s3_credentials (key_id) where former_id is null;
create unique index s3_credentials_former on s3_credentials (former_id) where former_id is not null;
create index s3_credentials_key on s3_credentials (key_id);
`
