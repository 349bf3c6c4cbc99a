/** Files that are attached to messages of the support chat, and kept as long as the message. */
export const up = `
create table attachments (
  id uuid primary key default gen_random_uuid(),
  cid text not null,
  name text not null,
  size bigint not null,
  -- The only nodes that it may be read from; null: any.
  restricted_to text[],
  reads int not null default 0,
  -- Its message was deleted.
  released boolean not null default false,
  created_at timestamptz not null
);
create index attachments_cid on attachments (cid);
create index attachments_released on attachments (id) where released;

-- A copy of what readers need: id, cid, name, size, password.
alter table chat_messages add column attachment jsonb;

create function release_attachment() returns trigger language plpgsql as $$
begin
  update attachments set released = true where id = (old.attachment->>'id')::uuid;
  return null;
end $$;
create trigger chat_messages_attachment after delete on chat_messages
  for each row when (old.attachment is not null) execute function release_attachment();
`
