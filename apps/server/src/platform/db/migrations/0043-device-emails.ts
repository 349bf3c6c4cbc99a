/** E-mails about outdated and failing devices, and weekly summaries of earnings. */
export const up = `
alter table nodes
  add column outdated_notified_at timestamptz,
  add column score_notified_at timestamptz;

-- Weeks (Monday, UTC) whose summaries are sent, or being sent: the accounts up to \`after\` are done.
create table weekly_summaries (
  week date primary key,
  after bigint not null default 0,
  done_at timestamptz
);

-- Accounts that turned the summary off.
create table weekly_summaries_off (
  user_id bigint primary key references users on delete cascade
);
`
