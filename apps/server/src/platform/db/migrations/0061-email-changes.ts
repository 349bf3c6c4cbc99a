/** Changes of e-mail addresses that the old address can still undo. */
export const up = `
create table email_changes (
  id bigint generated always as identity primary key,
  user_id bigint not null references users on delete cascade,
  old_email text not null,
  undo_hash bytea not null unique,
  changed_at timestamptz not null,
  undo_until timestamptz not null,
  ended_at timestamptz
);
create index email_changes_user on email_changes (user_id);
create index email_changes_old on email_changes (old_email);
create index email_changes_until on email_changes (undo_until);
`
