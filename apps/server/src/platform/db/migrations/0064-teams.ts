/** Teams: accounts without sign-in methods, for which their members act. */
export const up = `
create table teams (
  user_id bigint primary key references users on delete cascade,
  name text not null,
  created_at timestamptz not null
);

create table team_members (
  team_id bigint not null references teams on delete cascade,
  user_id bigint not null references users on delete cascade,
  role text not null check (role in ('viewer', 'editor', 'owner')),
  joined_at timestamptz not null,
  primary key (team_id, user_id)
);
create index team_members_user on team_members (user_id);

create table team_invitations (
  id bigint generated always as identity primary key,
  team_id bigint not null references teams on delete cascade,
  email text not null,
  role text not null check (role in ('viewer', 'editor')),
  -- The inviting member; null: the account is gone.
  invited_by bigint references users on delete set null,
  expires_at timestamptz not null,
  unique (team_id, email)
);
create index team_invitations_email on team_invitations (email);
create index team_invitations_expiry on team_invitations (expires_at);

-- What members did. The account that did it may be gone.
create table team_events (
  id bigint generated always as identity primary key,
  team_id bigint not null references teams on delete cascade,
  at timestamptz not null,
  actor_id bigint references users on delete set null,
  actor text not null,
  kind text not null,
  target text not null
);
create index team_events_page on team_events (team_id, id desc);
create index team_events_age on team_events (at);
`
