/** The order of the queue no longer is the order of arrival alone. */
export const up = `
-- As if it had arrived then: later for the second and third recording that an account sends on a day.
alter table speech_tasks add queue_at timestamptz;
update speech_tasks set queue_at = touched_at where state in ('processing', 'transcribing', 'complete');
alter table speech_tasks add check (queue_at is not null or state not in ('processing', 'transcribing'));
drop index speech_tasks_queue;
create index speech_tasks_queue on speech_tasks (queue_at, no) where state in ('processing', 'transcribing');
`
