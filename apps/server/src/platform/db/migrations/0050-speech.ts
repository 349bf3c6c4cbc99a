/** Speech to text: recordings, the queue and transcripts. */
export const up = `
create table speech_tasks (
  -- The order of the queue.
  no bigint generated always as identity primary key,
  user_id bigint not null references users on delete cascade,
  -- Made by the client.
  id uuid not null,
  name text not null,
  language text not null,
  state text not null default 'uploading'
    check (state in ('uploading', 'processing', 'transcribing', 'complete', 'failed', 'cancelled')),
  failure text not null default '' check (failure in ('', 'engine', 'refused', 'processing')),
  size bigint not null,
  received bigint not null default 0,
  has_audio boolean not null default true,
  audio_until timestamptz,
  kind text check (kind in ('mp3', 'wav')),
  seconds float8,
  -- The day whose use it holds; null: it holds none.
  day date,
  due_at timestamptz,
  attempts smallint not null default 0,
  -- The server that transcribes it renews the lease; another one continues when it has ended.
  lease uuid,
  lease_until timestamptz,
  started_at timestamptz,
  -- Since when the engine is unavailable.
  waiting_since timestamptz,
  -- How long the engine took, in seconds.
  engine_seconds float8,
  version int not null default 0,
  created_at timestamptz not null,
  -- When the last part arrived.
  touched_at timestamptz not null,
  finished_at timestamptz,
  unique (user_id, id),
  check ((state = 'transcribing') = (lease is not null)),
  check (day is not null or state not in ('processing', 'transcribing', 'complete'))
);
create index speech_tasks_queue on speech_tasks (no) where state in ('processing', 'transcribing');
create index speech_tasks_uploading on speech_tasks (touched_at) where state = 'uploading';
create index speech_tasks_stored on speech_tasks (audio_until) include (size) where has_audio;
create index speech_tasks_ended on speech_tasks (finished_at) where state in ('failed', 'cancelled');
create index speech_tasks_speed on speech_tasks (finished_at) where engine_seconds is not null;

create table speech_parts (
  task_no bigint not null references speech_tasks on delete cascade,
  start bigint not null,
  bytes bytea not null,
  primary key (task_no, start)
);
-- Recordings are compressed already.
alter table speech_parts alter column bytes set storage external;

create table speech_segments (
  task_no bigint not null references speech_tasks on delete cascade,
  index int not null,
  -- In seconds from the start of the recording.
  start_at float8 not null,
  end_at float8 not null,
  original text not null,
  edited text,
  primary key (task_no, index)
);

create table speech_uses (
  user_id bigint not null references users on delete cascade,
  day date not null,
  used int not null,
  primary key (user_id, day)
);
`
