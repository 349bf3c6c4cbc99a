/** Accounts whose owners asked to delete them. The row of an erased account stays, without anything about a person: orders refer to it. */
export const up = `
alter table users add column closing_at timestamptz;
alter table users add column erasing_at timestamptz;
alter table users add column erased_at timestamptz;
create index users_closing on users (closing_at) where closing_at is not null and erased_at is null;
`
