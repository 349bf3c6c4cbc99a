/** Numbers of the support chat that are read often, kept instead of counted, and ids that tell a new conversation from a deleted one. */
export const up = `
-- For clients: a conversation that was deleted and begun again has another one.
alter table chat_conversations add column public_id uuid not null default gen_random_uuid();
-- Texts of agents, all and those that the customer has read.
alter table chat_conversations add column answers int not null default 0;
alter table chat_conversations add column answers_read int not null default 0;
-- Texts of agents up to this message.
alter table chat_messages add column answers int not null default 0;

update chat_messages m set answers = w.answers from (
  select conversation_id, seq,
    count(*) filter (where from_type = 'agent' and kind = 'text') over (partition by conversation_id order by seq) as answers
  from chat_messages) w
where w.conversation_id = m.conversation_id and w.seq = m.seq and w.answers > 0;
update chat_conversations c set
  answers = coalesce((select max(m.answers) from chat_messages m where m.conversation_id = c.id), 0),
  answers_read = coalesce((select m.answers from chat_messages m where m.conversation_id = c.id and m.seq = c.read_seq), 0);

create index chat_conversations_unassigned on chat_conversations (waiting_since) where waiting_since is not null and assigned = '';
create index chat_conversations_assigned on chat_conversations (assigned, last_at, id) where state = 'open' and assigned <> '';
create index chat_conversations_idle on chat_conversations (last_at) where state = 'open' and user_id is null;
`
