/** Who got the secret of an API key: keys of teams that a thief made end when the owner takes the account back. */
export const up = `
alter table api_keys add column issued_by bigint references users on delete set null;
create index api_keys_issued_by on api_keys (issued_by);
`
